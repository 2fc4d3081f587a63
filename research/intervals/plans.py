"""How often does the 95 % interval of a plan hold the known number of solutions? Count each part of
a count of N queens by the cross once, and draw plans from these counts with different seeds.

    python research/intervals/plans.py 14 15 16 17

Prints the share for each N, with its 95 % interval (Wilson), and half the width of the intervals.
"""

from statistics import fmean
from unittest.mock import patch

import click
from scipy.stats import binomtest

from nqbench.engine import plans as planning
from nqbench.engine import processor
from nqbench.engine.division import Division


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("sizes", type=int, nargs=-1, required=True, metavar="N...")
@click.option("--seeds", type=int, default=10_000, show_default=True, help="Number of plans.")
def main(sizes: tuple[int, ...], seeds: int) -> None:
    for n in sizes:
        division = Division.new(n, processor.choose_kernel(None))
        memory, images = division.start_kernel(division.kernel), division.engine.images
        ways = [processor.count_part(memory, division.engine, part, bytearray(1))
                for part in range(division.parts)]
        draws = [planning.Draw(part, 1.0, found, images(part)) for part, found in enumerate(ways)]
        total = sum(draw.images * draw.completions for draw in draws)
        with patch.object(planning, "draw_slices", lambda *rest: (draws.__getitem__, 1)):  # noqa: B023
            plans = [planning.sample(n, seed).solutions for seed in range(seeds)]
        held = sum(low <= total <= high for _, low, high in plans)
        low, high = binomtest(held, seeds).proportion_ci(method="wilson")
        width = fmean((high - low) / 2 / total for _, low, high in plans)
        print(f"n = {n}, {division.parts} parts: {held / seeds:.2%} ({low:.2%} to {high:.2%}) of "
              f"{seeds:,} plans; half width {width:.1%}")


if __name__ == "__main__":
    main()
