from dataclasses import dataclass
@dataclass(frozen=True)
class Erratum:
    algorithm: str
ERRATA = ()
