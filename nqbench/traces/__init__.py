"""A search step by step: traced while it runs, recorded and replayed, and drawn as a tree."""
