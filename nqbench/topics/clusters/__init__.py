"""What would counts take that are too long for one machine?"""
