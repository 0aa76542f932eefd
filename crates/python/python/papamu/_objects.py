"""Results as plain data objects."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._errors import MissingPackageError

if TYPE_CHECKING:
    import pandas

    from ._native import Position


def _frame(rows: Iterable[dict[str, Any]], columns: list[str]) -> pandas.DataFrame:
    """A data frame, if pandas is installed."""
    try:
        import pandas
    except ImportError as why:
        raise MissingPackageError("data frames need pandas: pip install 'papamu[pandas]'") from why
    return pandas.DataFrame(list(rows), columns=columns)


def _position(game: str, options: dict[str, str], dialect: str | None, moves: list[str]) -> Position:
    """The position that was pickled."""
    from ._native import Position

    return Position(game, moves=moves, dialect=dialect, **options)


@dataclass(frozen=True)
class MoveAnalysis:
    """The statistics of a move in a search. Values are those of the side that makes it."""

    move: str
    """The move."""
    visits: int
    """Simulations through the move, or nodes spent on it."""
    value: float
    """Expected score, from 0 (loss) to 1 (win)."""
    lower_bound: float
    """The move is worth at least this with a probability of 97.5 %."""
    proven: str | None
    """`win`, `draw` or `loss` where that is proven under the rules."""


@dataclass(frozen=True)
class Analysis:
    """The result or progress of a search. Values are those of the side to move."""

    game: str
    to_move: str
    """`white` or `black`."""
    best: str | None
    """The move to play; `None` if the game is over."""
    value: float
    """Expected score of the position, from 0 (loss) to 1 (win)."""
    proven: str | None
    """`win`, `draw` or `loss` where that is proven under the rules."""
    principal_variation: list[str] = field(repr=False)
    """The principal variation."""
    moves: list[MoveAnalysis] = field(repr=False)
    """Every legal move, the best first."""
    evaluation: int | None = field(repr=False)
    """The value in the units of the evaluation function, of a search that has one."""
    simulations: int
    playouts: int = field(repr=False)
    nodes: int
    depth: int = field(repr=False)
    """Plies below the root."""
    seconds: float
    stop: str | None
    """Why the search ended: `time`, `simulations`, `nodes`, `depth`, `proven`, `stopped` or `memory-limit`. `None`
    while it is running."""

    def to_frame(self) -> pandas.DataFrame:
        """Every legal move in a data frame, the best first."""
        columns = [each.name for each in fields(MoveAnalysis)]
        return _frame((asdict(move) for move in self.moves), columns)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dictionaries and lists, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Solution:
    """The result of a solver."""

    outcome: str | None
    """`white`, `black` or `draw`, proven under the rules; `None` if the limits were reached first."""
    best: str | None
    """A move that keeps the value, if the solver knows one."""
    nodes: int
    entries: int = field(repr=False)
    """Positions in the tree or table at the end."""
    bytes: int = field(repr=False)
    """The memory that they take."""
    seconds: float
    stop: str
    """Why it ended, as in `Analysis.stop`."""


@dataclass(frozen=True)
class SolveProgress:
    """The progress of a solver."""

    attacker: str | None
    """The question is whether this side wins; `None` if the solver asks for the value itself."""
    proof: int
    """Proof number of the root; 0 from a solver without proof numbers."""
    disproof: int
    depth: int
    nodes: int
    entries: int
    bytes: int
    seconds: float


@dataclass(frozen=True)
class Proof:
    """A value and the certificate that proves it."""

    outcome: str
    """`white`, `black` or `draw`."""
    certificate: bytes = field(repr=False)
    """The certificate, which `papamu.verify` checks."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the certificate to a file."""
        Path(path).write_bytes(self.certificate)


@dataclass(frozen=True)
class Verdict:
    """The claim of a certificate that is valid."""

    game: str
    board: str
    """The board, as it is written in certificates."""
    moves: list[str]
    """The moves to the position."""
    claim: str
    """What is proven of it: `white wins`, `black holds`, `draw` and the like."""
    positions: int
    """Positions for which the certificate gives a move."""
    bytes: int
    """Its length."""


@dataclass(frozen=True)
class Record:
    """A game that was read from a file and replayed under the rules."""

    game: str
    end: str
    """`structure`, `full-board`, `no-moves`, `resign`, `open` or `error`."""
    winner: str | None
    """`white`, `black` or `draw` by the rules or by resignation; `None` if it is open or faulty."""
    claimed: str | None
    """The result that the file claims."""
    resigned: str | None
    """The side that resigned."""
    fault: str | None
    """The first error in the moves. `position` is the one before it."""
    position: Position
    """The last position; `position.moves` are the moves."""


@dataclass(frozen=True)
class StartOption:
    """An option of the board."""

    name: str
    kind: str
    """`text`, `number` or `switch`."""
    meaning: str
    choices: list[str]
    """Values to choose from; empty where they cannot be listed."""


@dataclass(frozen=True)
class Parameter:
    """A setting of a player or a solver."""

    name: str
    meaning: str
    default: str


@dataclass(frozen=True)
class Description:
    """A player or a solver."""

    name: str
    summary: str
    parameters: list[Parameter] = field(repr=False)


@dataclass(frozen=True)
class Level:
    """A level of strength for people."""

    name: str
    title: str
    player: str
    simulations: int | None
    seconds: float | None
    elo: int | None
    """Elo above the first level, where it is measured."""
    margin: int | None
    """Half the width of its 95 % interval."""


@dataclass(frozen=True)
class Game:
    """A game that papamu plays. The first player and the first solver are the default ones."""

    name: str
    title: str
    options: list[StartOption] = field(repr=False)
    sizes: list[str] = field(repr=False)
    first_size: str = field(repr=False)
    dialects: list[str] = field(repr=False)
    players: list[Description] = field(repr=False)
    solvers: list[Description] = field(repr=False)
    levels: list[Level] = field(repr=False)
