"""The asv suite: what is measured at each commit; docs/benchmarking.md says how.

counts    what a search counts: exact, equal on every machine, one sample
times     how long it takes: seconds, lower is better
rates     nodes per second and ratios of times: higher is better
memory    peak memory of a process
compiled  bytes and instructions of the Cython cores

These files run against commits older than themselves. What a commit lacks is skipped and shown as
not available, never as failed or as zero. Benchmarks that asv times have no `setup`, because asv
then times single calls; the only exception is the report, which takes seconds.
"""
