"""The lab: a search that is written in a web page, checked, watched and raced in its browser.

    code.py      a search from the text of an editor, and the listings of the package as such texts
    watching.py  each line that a search runs, with its variables, its placement and its tree
    session.py   what the page asks for, and gets as plain values

The page runs these files unchanged in Pyodide.
"""
