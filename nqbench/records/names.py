"""Names and sizes that studies write to records and readers expect."""

ABOUT = ("study", "algorithm")  # metrics of records that say what was measured, not how much
CUSTOM = "custom"  # the name of a study that is described by options
PLAIN = "bitmask"  # the search without symmetry that the others are compared with
SMALL = 4  # up to here every point is measured, so there is always a report
LARGEST_ESTIMATE = 30
