"""What would a library of plots cost the page? Draw the times of all solvers in Vega-Lite and in
Observable Plot, and set them beside the section of the page.

    npm install vega@6 vega-lite@6 vega-embed@7 d3@7 @observablehq/plot@0.6
    nqbench report --published --out PAGE
    python research/plots/compare.py node_modules PAGE

It prints the table of README.md beside it, and needs the packages of the tests and Chromium. The
milliseconds are the median of seven drawings.
"""

import shutil
import tempfile
from pathlib import Path
from statistics import median

import click
import pandas as pd
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
LIBRARIES = {
    "vega": ["vega/build/vega.min.js", "vega-lite/build/vega-lite.min.js",
             "vega-embed/build/vega-embed.min.js"],
    "plot": ["d3/dist/d3.min.js", "@observablehq/plot/dist/plot.umd.min.js"]}
COLUMNS = ["algorithm", "implementation", "n", "seconds", "low", "high", "samples"]


def look(page: Page, part: str) -> list[int]:
    """Return how many faults axe finds in a part of a page, and at how many places the keyboard
    stops.
    """
    faults = Axe().run(page, part).response["violations"]
    stops = page.evaluate(f"[...document.querySelectorAll('{part} :is([tabindex], a, button, "
                          "select)')].filter((each) => each.tabIndex >= 0).length")
    return [sum(len(fault["nodes"]) for fault in faults), stops]


@click.command()
@click.argument("modules", type=click.Path(exists=True, path_type=Path))
@click.argument("page", type=click.Path(exists=True, path_type=Path))
def main(modules: Path, page: Path) -> None:
    """Print the size, the time and the accessibility of each."""
    times = pd.read_csv(page / "times.csv")[COLUMNS]
    rows: list[list[object]] = []
    with sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        browser = running.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"))
        for name, files in LIBRARIES.items():
            library = [(modules / file).read_text("utf-8") for file in files]
            own = (HERE / f"{name}.js").read_text("utf-8")
            scripts = [*library, f"const DATA = {times.to_json(orient='records')};", own]
            file = Path(folder) / f"{name}.html"
            file.write_text(
                "<!doctype html><html lang=en><meta charset=utf-8><title>Times</title><main>"
                "<h1>Times</h1><div id=plot></div></main>" + "".join(
                    f"<script>{script}</script>" for script in scripts), "utf-8")
            took = []
            for _ in range(7):
                shown = browser.new_page()
                shown.goto(file.as_uri())
                shown.wait_for_function("window.took")
                took.append(shown.evaluate("window.took"))
            rows.append([name, len(own.splitlines()), sum(map(len, library)), f"{median(took):.0f}",
                         *look(shown, "#plot")])
        shown = browser.new_page()
        shown.goto((page / "index.html").as_uri())
        own = "".join((HERE.parents[1] / f"nqbench/report/{name}.js").read_text("utf-8")
                      for name in ("pointing", "highlighting", "choosing"))
        rows.append(["the page", len(own.splitlines()), len(own), "", *look(shown, "#time")])
        browser.close()
    head = ["drawn by", "lines", "bytes of scripts", "ms", "faults (axe)", "stops of the keyboard"]
    print(pd.DataFrame(rows, columns=head).to_string(index=False))


if __name__ == "__main__":
    main()
