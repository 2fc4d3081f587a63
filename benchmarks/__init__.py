"""The asv suite: what is measured at each commit; docs/benchmarking.md says how.

compiled  instructions and bytes of the Cython cores: the first alarm, as no noise moves them
counts    nodes, tests and dead ends at each n: exact, and equal on every machine
memory    the most bytes that a search holds
times     seconds, nanoseconds for each node, and shares of a time: the second alarm

Less is better everywhere. These files run against commits older than themselves: what a commit
lacks is not available, never failed or zero. What asv times has no `setup`, because asv then times
single calls; the exceptions take a tenth of a second or more.
"""
