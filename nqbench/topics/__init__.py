"""The measured questions: each is a folder that owns all that nqbench has about it::

    topic.json       its metrics, and the fields of their records: see `metrics.topic_metrics`
    measurement.py   its EXPERIMENT: what a study measures, without pandas
    section.py       its frames, plots and SECTION of the page; NAME.html beside it is the template
    PRESET.toml      its presets, which are study files

Other modules beside them serve these. nqbench finds a topic by its folder. No other file names it.
"""
