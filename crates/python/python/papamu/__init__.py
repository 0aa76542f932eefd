"""Play, analyse and solve Havannah, Kōnane and Hex.

Examples:
    >>> import papamu
    >>> position = papamu.Position("havannah", size=4)
    >>> player = papamu.Player("havannah", seed=1)
    >>> analysis = player.think(position, simulations=100)
    >>> analysis.best in position.legal_moves()
    True
"""

from importlib.metadata import PackageNotFoundError, version

from ._errors import (
    ArgumentError,
    ArgumentTypeError,
    BusyError,
    CertificateError,
    Error,
    ExperimentError,
    GameError,
    IllegalMoveError,
    InternalError,
    LimitError,
    MissingPackageError,
    PlayerError,
    RecordError,
    SolveError,
    StoreError,
)
from ._native import Player, Position, Thinking, games, prove, read_games, solve, verify
from ._objects import (
    Analysis,
    Description,
    Game,
    Level,
    MoveAnalysis,
    Parameter,
    Proof,
    Record,
    Solution,
    SolveProgress,
    StartOption,
    Verdict,
)

try:
    __version__ = version("papamu")
except PackageNotFoundError:  # Run from the sources.
    __version__ = "0"

__all__ = [
    "Analysis",
    "ArgumentError",
    "ArgumentTypeError",
    "BusyError",
    "CertificateError",
    "Description",
    "Error",
    "ExperimentError",
    "Game",
    "GameError",
    "IllegalMoveError",
    "InternalError",
    "Level",
    "LimitError",
    "MissingPackageError",
    "MoveAnalysis",
    "Parameter",
    "Player",
    "PlayerError",
    "Position",
    "Proof",
    "Record",
    "RecordError",
    "Solution",
    "SolveError",
    "SolveProgress",
    "StartOption",
    "StoreError",
    "Thinking",
    "Verdict",
    "games",
    "prove",
    "read_games",
    "solve",
    "verify",
]
