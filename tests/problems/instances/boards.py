"""Random boards of every kind."""

from nqbench.problems import instances
from nqbench.problems.instances import Board

MAKERS = (lambda n, random: Board(n),
          lambda n, random: instances.completion(n, random.randrange(min(n, 4)), random),
          lambda n, random: instances.blocked(n, random.randrange(1 + n * max(0, n - 2) * 3 // 4),
                                              random, 2),
          lambda n, random: instances.excluded(n, random.randrange(n), random, 1),
          lambda n, random: instances.completion(n, random.randrange(min(n, 2)), random,
                                                 torus=True))
