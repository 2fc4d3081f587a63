"""Levels of the plain tree that nqbench computed, and how each was counted: docs/sequences.md.

A new count is an entry in `counts` of its profile. The published levels (A319284) are not repeated
here. The tables for docs/sequences.md are in the report, exact_trees.md and level_times.md.
"""

from dataclasses import dataclass

from nqbench.reference.sequences import published

# Where the times of the counts and samples were taken.
MACHINE = ("AMD EPYC, 2 cores, busy with other programs (AVX-512: Zen 5, the rest: Zen 3); "
           "gcc 12.2.0")


@dataclass(frozen=True)
class Count:
    """A complete count of all levels: the order of its rows, its kernel, and the core-seconds
    (process time) that it took; None if they were not recorded.
    """

    rows: str
    kernel: str
    core_seconds: float | None = None


@dataclass(frozen=True)
class Profile:
    """The levels of the plain tree for n.

    Attributes
    ----------
    n, levels
        the size of the board; the placements on 0, 1, ... n adjacent rows.
    counts
        the complete counts that found these levels; none if they are published.
    """

    n: int
    levels: tuple[int, ...]
    counts: tuple[Count, ...] = ()

    @property
    def nodes(self) -> int:
        """The nodes of the tree."""
        return sum(self.levels)

    @property
    def widest(self) -> int:
        """The first of the levels with the most nodes."""
        return self.levels.index(max(self.levels))

    def children(self, rows_left: int) -> float:
        """Return the mean number of children of a placement that leaves this number of rows.

        >>> round(PROFILES[20].children(4), 2), round(PROFILES[20].children(5), 2)
        (0.91, 1.22)
        """
        parents = self.n - rows_left
        return self.levels[parents + 1] / self.levels[parents]

    @property
    def searches(self) -> tuple[str, ...]:
        """The different searches that found the levels."""
        return tuple(dict.fromkeys(count.rows for count in self.counts))

    @property
    def kernels(self) -> tuple[str, ...]:
        """The different kernels that counted the levels."""
        return tuple(dict.fromkeys(count.kernel for count in self.counts))

    @property
    def published(self) -> bool:
        """Whether the number of nodes is published."""
        return published("A319283").get(self.n) is not None

    @property
    def confirmed(self) -> bool:
        """Whether two searches found the same levels, or the number of nodes is published."""
        return len(self.searches) > 1 or self.published  # which loads the sequence

    @property
    def counted_by(self) -> str:
        """The searches in words; empty if the levels are published.

        >>> PROFILES[18].counted_by, profiles()[8].counted_by
        ('outwards, downwards', '')
        """
        return ", ".join(self.searches) + (" only so far" if len(self.searches) == 1 else "")


@dataclass(frozen=True)
class Sampled:
    """What `nqbench plan N -a outwards` predicts from parts that it draws: core-hours and nodes,
    each with the ends of its 95 % interval.
    """

    n: int
    parts: int
    core_hours: tuple[float, float, float]
    nodes: tuple[float, float, float]


SAMPLES = (
    Sampled(20, 120, (0.40, 0.37, 0.43), (3.77e12, 3.50e12, 4.03e12)),
    Sampled(21, 60, (3.6, 3.3, 3.9), (3.43e13, 3.13e13, 3.73e13)),
    Sampled(22, 14, (29, 18, 41), (2.8e14, 1.7e14, 3.9e14)),
)

_AVX2 = Count("outwards", "avx2"), Count("downwards", "avx2")
_EVERY = *_AVX2, Count("outwards", "portable"), Count("downwards", "portable")

PROFILES: dict[int, Profile] = {profile.n: profile for profile in (
    Profile(13, (
        1, 13, 132, 1030, 6404, 31_100, 117_694, 335_010, 707_698, 1_086_568, 1_151_778,
        813_448, 350_302, 73_712,
    ), _EVERY),
    Profile(14, (
        1, 14, 156, 1364, 9632, 54_068, 241_484, 835_056, 2_211_868, 4_391_988, 6_323_032,
        6_471_872, 4_511_922, 1_940_500, 365_596,
    ), _EVERY),
    Profile(15, (
        1, 15, 182, 1764, 13_980, 89_428, 463_038, 1_897_702, 6_120_136, 15_211_800, 28_415_444,
        39_290_462, 39_157_800, 26_831_728, 11_356_408, 2_279_184,
    ), _EVERY),
    Profile(16, (
        1, 16, 210, 2236, 19_688, 141_812, 838_816, 3_998_456, 15_324_708, 46_358_876,
        108_478_966, 193_892_860, 260_303_408, 253_897_632, 171_158_018, 72_002_088, 14_772_512,
    ), _EVERY),
    Profile(17, (
        1, 17, 240, 2786, 27_020, 216_932, 1_448_002, 7_907_094, 35_312_064, 127_045_452,
        362_182_864, 807_998_022, 1_393_334_230, 1_812_613_348, 1_733_568_180, 1_155_745_084,
        483_805_492, 95_815_104,
    ), (Count("outwards", "avx2", 3.34), Count("downwards", "avx2", 5.54),
        Count("outwards", "avx512", 1.05), Count("downwards", "avx512", 1.57),
        Count("outwards", "portable", 19.3), Count("downwards", "portable", 33.0))),
    Profile(18, (
        1, 18, 272, 3420, 36_264, 321_700, 2_398_292, 14_818_300, 75_937_606, 318_853_768,
        1_082_622_180, 2_937_029_436, 6_298_107_034, 10_477_975_052, 13_308_584_992,
        12_507_393_984, 8_256_016_380, 3_419_655_168, 666_090_624,
    ), (Count("outwards", "avx2", 23.2), Count("downwards", "avx2", 37.2),
        Count("outwards", "avx512", 7.62), Count("downwards", "avx512", 11.4))),
    Profile(19, (
        1, 19, 306, 4144, 47_732, 464_348, 3_832_374, 26_512_942, 153_942_964, 742_665_978,
        2_947_934_688, 9_520_114_980, 24_775_591_458, 51_104_286_028, 82_671_960_808,
        102_670_917_500, 95_054_637_656, 61_862_480_724, 25_436_166_326, 4_968_057_848,
    ), (Count("outwards", "avx2"), Count("downwards", "avx2", 301))),
    Profile(20, (
        1, 20, 342, 4964, 61_760, 654_548, 5_935_120, 45_562_852, 296_590_536, 1_623_144_852,
        7_415_187_482, 27_998_359_060, 86_624_944_608, 216_319_149_164, 432_547_168_970,
        681_796_034_228, 831_554_969_934, 757_549_578_328, 488_282_123_372, 198_889_086_884,
        39_029_188_884,
    ), (Count("outwards", "avx2"), Count("downwards", "avx2"))),
    Profile(21, (
        1, 21, 380, 5886, 78_708, 903_532, 8_941_514, 75_580_634, 546_621_416, 3_357_390_956,
        17_423_429_584, 75_754_341_080, 273_845_254_980, 811_727_051_026, 1_959_899_204_732,
        3_806_215_754_356, 5_869_972_413_172, 7_023_740_691_004, 6_323_575_872_572,
        4_033_534_456_544, 1_632_733_110_650, 314_666_222_712,
    ), (Count("outwards", "avx512"), Count("downwards", "avx512", 6130.0))),
)}

# By n, the levels that a later count is compared with.
COMPUTED: dict[int, tuple[int, ...]] = {
    n: profile.levels for n, profile in PROFILES.items() if profile.confirmed}


def profiles() -> dict[int, Profile]:
    """Return all exact profiles by n, the published ones and those computed here.

    >>> profiles()[8].nodes, profiles()[8].widest, profiles()[16].widest
    (2057, 5, 12)
    """
    levels = published("A319284")
    return {n: Profile(n, tuple(known)) for n, known in levels.up_to(min(PROFILES) - 1)} | PROFILES
