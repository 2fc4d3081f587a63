"""How fast do other packages count, beside the searches of nqbench?"""
