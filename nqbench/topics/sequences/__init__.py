"""Are our counts the published values?"""
