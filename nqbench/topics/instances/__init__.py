"""Which random instances of queens have a solution, and what do ideas save there?"""
