"""What Python threads gain: seconds of one count by one thread, and by one for each core."""

from nqbench.metrics import Metric

METRIC = Metric("shared", "s", "seconds of one count in Python by one thread, and by one for each "
                "core, in turns")
