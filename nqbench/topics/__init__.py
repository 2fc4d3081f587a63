"""The measured questions: each is a folder that owns all that nqbench has about it::

    topic.json       the names of its experiments, and its metrics with the fields of their records
    measurement.py   its experiments: what a study measures, without pandas
    section.py       its records as DataFrames, its plots, and its SECTIONS of the page;
                     NAME.html is the template of each
    PRESET.toml      its presets, which are study files

A topic with many sections has them in several files, section_PART.py. Other modules beside them
serve these. A topic need not have all of these files. nqbench finds it by its
folder; no other file of the package needs to name it.
"""
