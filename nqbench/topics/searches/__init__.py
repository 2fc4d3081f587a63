"""What do the searches of the catalogue cost, and what do pruning and symmetry save?"""
