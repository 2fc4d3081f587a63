"""How fast are the solvers of Sudoku?"""
