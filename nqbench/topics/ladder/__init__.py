"""Which search visits a part of the tree of which, on the empty board and in instances?"""
