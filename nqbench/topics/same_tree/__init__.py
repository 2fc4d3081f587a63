"""Which other solvers explore the same tree, and what does a node cost there?"""
