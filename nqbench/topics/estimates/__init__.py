"""How large are trees that cannot be searched, and how do exact trees compare with estimates?"""
