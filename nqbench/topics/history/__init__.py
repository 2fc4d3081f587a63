"""What changed from commit to commit?"""
