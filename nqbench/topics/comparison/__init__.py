"""How do two sides differ: two commits, machines, runs, or versions of an algorithm?"""
