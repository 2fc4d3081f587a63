"""Steps of a vector."""

from nqbench.metrics import Counter

METRIC = Counter("vector_steps", "steps",
                 "half boards compared with a piece of up to 512 others, at once",
                 order=140)
