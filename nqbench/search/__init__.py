"""What every search is made of: algorithms, their counters, boards, and the builds of one
source.
"""
