"""The measured questions: each is a folder that owns all that nqbench has about it::

    topic.json       the names of its experiments, and its metrics with the fields of their records
    measurement.py   its experiments: what a study measures, without pandas
    frames.py        its records as DataFrames, if several sections share them
    section.py       its SECTIONS of the page with their plots; NAME.html is the template of each
    PRESET.toml      its presets, which are study files

A topic with many sections has them in several files, section_PART.py. Other modules beside them
serve these. A topic need not have all of these files. nqbench finds it by its
folder; no other file of the package names it.
"""
