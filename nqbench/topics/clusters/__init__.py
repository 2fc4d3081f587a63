"""What would counts take that are too long for one machine, and how long should a task be?"""
