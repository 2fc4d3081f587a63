"""What do threads gain in Python, with the GIL and without it?"""
