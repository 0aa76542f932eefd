"""The part that is written in Rust. Use it as `papamu.Position` and so on."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import Any

from numpy import float32, int8
from numpy.typing import NDArray

from ._objects import Analysis, Game, Proof, Record, Solution, SolveProgress, Verdict

class Position:
    """A position of a game, with the moves that led to it. It never changes: `play` gives another one.

    Two positions are equal if the game continues in the same way from both, whatever moves led to them.

    `papamu.games()` lists the games with their options, such as `size`. `dialect` is the notation of moves and cells, in
    a game that has several.
    """

    def __init__(
        self,
        game: str,
        *,
        moves: str | Iterable[str] | None = None,
        dialect: str | None = None,
        **options: str | int | bool | None,
    ) -> None: ...
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def options(self) -> dict[str, str]:
        """The options of the board."""
    @property
    def dialect(self) -> str | None:
        """The notation of moves and cells; `None` if the game has only one."""
    @property
    def size(self) -> str:
        """The size of the board: a number, or the sides joined by `x`."""
    @property
    def turn(self) -> str:
        """`white` or `black`: the side to move, or that would be next if the game went on."""
    @property
    def outcome(self) -> str | None:
        """`white`, `black` or `draw`; `None` while the game is not over."""
    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
    @property
    def structure(self) -> str | None:
        """What the last move completed, in a game that is won by completing something."""
    @property
    def moves(self) -> list[str]:
        """The moves from the start of the game."""
    @property
    def ply(self) -> int:
        """The number of moves that were played."""
    def legal_moves(self) -> list[str]:
        """The legal moves; none if the game is over."""
    def is_legal(self, move: str | int) -> bool:
        """Whether a move, or an action, is legal. A text that is not a move is not legal."""
    def play(self, *moves: str | int) -> Position:
        """The position after some moves, which are texts or actions."""
    def undo(self, plies: int | None = None) -> Position:
        """The position before the last move, or before as many moves."""
    @property
    def num_actions(self) -> int:
        """The number of all moves of the board, legal or not. Actions are numbered from 0."""
    def action(self, move: str) -> int:
        """The number of a move among all moves of the board."""
    def action_to_move(self, action: int) -> str:
        """The move with a number."""
    def legal_actions(self) -> list[int]:
        """The numbers of the legal moves, in ascending order."""
    def action_mask(self) -> NDArray[int8]:
        """1 for each legal action and 0 for the others."""
    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the arrays below."""
    @property
    def cells(self) -> dict[str, tuple[int, int]]:
        """Row and column of each cell in the arrays below. Row 0 is on top of the picture; neighbouring rows of
        hexagons are shifted so that each has whole columns."""
    def board(self) -> NDArray[int8]:
        """The stones: 1 is White's, -1 Black's. All other entries are 0, also those outside the board."""
    def planes(self) -> NDArray[float32]:
        """Five planes for a network: stones of the side to move, stones of the other side, cells of the board, the
        cell where the last move ended, and a plane that is 1 where White is to move."""
    def sgf(self) -> str:
        """The game as SGF."""
    def svg(
        self,
        *,
        title: str | None = None,
        coordinates: bool = True,
        last_move: bool = True,
        highlight: str | Iterable[str] | None = None,
        labels: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None,
        arrows: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
    ) -> str:
        """The board as SVG. `highlight` has cells in another colour, without it those of the structure that won;
        `labels` has short texts on cells, `arrows` pairs of cells."""
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Player:
    """A player of a game: the default one, which is the strongest, one with a name, or a level of strength.

    `papamu.games()` lists them with their settings; `_` stands for `-` in the name of a setting. A player keeps what it
    knows from move to move of one game. A search with one thread, a seed and a number of simulations or nodes gives the
    same on every machine.
    """

    def __init__(
        self,
        game: str,
        name: str | None = None,
        *,
        level: str | None = None,
        seed: int | None = None,
        **settings: str | float | bool | None,
    ) -> None: ...
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def name(self) -> str:
        """The name of the player."""
    @property
    def seed(self) -> int:
        """The random seed."""
    @property
    def settings(self) -> dict[str, str]:
        """The settings."""
    def think(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        progress: Callable[[Analysis], object] | None = None,
        every: float | None = None,
    ) -> Analysis:
        """Searches within limits; the first that is reached ends the search. Without any it thinks as long as its
        level does, or one second.

        `progress` is called with what is known so far, each tenth of a second or `every` so many seconds. It ends the
        search by returning `False`. Other threads of Python run meanwhile. Ctrl-C ends the search with
        `KeyboardInterrupt`."""
    def analyse(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        every: float | None = None,
    ) -> Thinking:
        """The same as an iterator. Leaving the loop and forgetting the iterator ends the search."""
    def stop(self) -> None:
        """Ends the running search, from another thread."""

class Thinking(Iterator[Analysis]):
    """A running search: an iterator over its progress. The last item is the result."""

    def __iter__(self) -> Thinking: ...
    def __next__(self) -> Analysis: ...
    @property
    def result(self) -> Analysis:
        """Waits for the search, and returns its result."""
    def stop(self) -> None:
        """Ends the search. Its result is the latest progress."""

def games() -> list[Game]:
    """The games with their options, players, solvers and levels."""

def solve(
    position: Position,
    *,
    solver: str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: Callable[[SolveProgress], object] | None = None,
    every: float | None = None,
    **settings: str | float | bool | None,
) -> Solution:
    """The exact value of a position, if the limits allow it. `memory` is in MiB, 1024 by default. `progress` is as in
    `Player.think`."""

def prove(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Callable[[SolveProgress], object] | None = None,
    every: float | None = None,
) -> Proof:
    """Solves a position, and writes the certificate of its value. The limits are for each of the searches. `progress` is
    as in `Player.think`, and reports the search for the value."""

def verify(certificate: bytes | str | PathLike[str]) -> Verdict:
    """Checks a certificate, given as bytes or as the path of a file, with the rules alone. Raises
    `papamu.CertificateError` if it is not valid."""

def read_games(source: bytes | str | PathLike[str], *, dialect: str | None = None) -> list[Record]:
    """The games of a file, replayed under the rules: SGF, HGF or a list of moves. `source` is its text, its bytes, or
    its path as `pathlib.Path`."""

def arena_experiments(store: str | PathLike[str]) -> str: ...
def arena_report(store: str | PathLike[str], experiment: str | None = None) -> str: ...
def arena_games(store: str | PathLike[str], experiment: str | None = None) -> str: ...
def arena_run(
    file: str | PathLike[str],
    store: str | PathLike[str],
    scale: str | None = None,
    concurrency: int | None = None,
) -> str: ...
