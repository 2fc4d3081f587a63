"""What does a solution cost each engine?"""
