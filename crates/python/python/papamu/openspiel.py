"""Between papamu and OpenSpiel (https://github.com/google-deepmind/open_spiel).

`import papamu.openspiel` makes every game of papamu a game of OpenSpiel, which its algorithms can play:
`pyspiel.load_game("papamu", {"game": "konane", "options": "size=6 setup=centre"})`.

`Bot` lets a player play such a game, or a game of OpenSpiel's own that papamu knows too, such as
`havannah(board_size=8,swap=True)` or `hex(board_size=9)`; `position_of` gives its states as positions.
"""

from __future__ import annotations

from typing import Any

from ._errors import ArgumentError, GameError, MissingPackageError
from ._native import Player, Position

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as why:
    raise MissingPackageError("papamu.openspiel needs OpenSpiel: pip install open_spiel") from why

# The parameters of OpenSpiel's own games that papamu plays by the same rules, and our options.
_SHARED = {
    "havannah": {"board_size": "size", "swap": "swap"},
    "hex": {"num_rows": "size", "swap": "swap"},
}

_TYPE = pyspiel.GameType(
    short_name="papamu",
    long_name="Games of Papamu",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "havannah", "options": ""},
)


def _options(text: str) -> dict[str, str]:
    """Options such as `size=6 setup=centre`."""
    pairs = [item.partition("=") for item in text.split()]
    for name, equals, _ in pairs:
        if not equals:
            raise ArgumentError(f"{name!r} is no option: expected name=value")
    return {name: value for name, _, value in pairs}


class Game(pyspiel.Game):
    """A game of papamu. Actions are the numbers of moves (`Position.action`)."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = {"game": "havannah", "options": "", **(params or {})}
        self.start = Position(params["game"], **_options(params["options"]))
        rows, cols = self.start.shape
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # A stone comes or goes with every move but a swap.
            max_game_length=rows * cols + 1,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self, *_: Any) -> State:
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.start, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class State(pyspiel.State):
    """A position as a state. Player 0 begins."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.position = game.start
        self._first = game.start.turn

    def current_player(self) -> int:
        if self.position.is_over:
            return pyspiel.PlayerId.TERMINAL
        return 0 if self.position.turn == self._first else 1

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.action_to_move(action)

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        if self.position.outcome in (None, "draw"):
            return [0.0, 0.0]
        return [1.0, -1.0] if self.position.outcome == self._first else [-1.0, 1.0]

    def __str__(self) -> str:
        return str(self.position)


class _Observer:
    """Sees the planes of `Position.planes`, with the player's own stones first."""

    def __init__(self, start: Position, params: Any) -> None:
        if params:
            raise ArgumentError(f"observation parameters are not supported: {params}")
        self._first = start.turn
        planes = start.planes()
        self.tensor = np.zeros(planes.size, np.float32)
        self.dict = {"observation": self.tensor.reshape(planes.shape)}

    def set_from(self, state: State, player: int) -> None:
        planes = state.position.planes()
        if (state.position.turn == self._first) != (player == 0):
            planes[[0, 1]] = planes[[1, 0]]
        self.dict["observation"][:] = planes

    def string_from(self, state: State, player: int) -> str:
        return str(state.position)


pyspiel.register_game(_TYPE, Game)


def from_openspiel(position: Position, text: str) -> str:
    """A move of OpenSpiel's own game as our text. Cells have the same names; of Havannah OpenSpiel draws a mirror image of
    the board, and the swap is a move to the cell of the only stone."""
    if "swap" in position.legal_moves() and not position.is_legal(text):
        return "swap"
    return text


def to_openspiel(position: Position, move: str) -> str:
    """A move of ours as the text of OpenSpiel's own game."""
    return position.moves[-1] if move == "swap" and position.game == "havannah" else move


def position_of(state: pyspiel.State) -> Position:
    """A state of a game of papamu, or of OpenSpiel's own game by the same rules, as a position."""
    if isinstance(state, State):
        return state.position
    game = state.get_game()
    name, parameters = game.get_type().short_name, game.get_parameters()
    if name not in _SHARED:
        raise GameError(f"papamu does not know OpenSpiel's {name}; it knows: {', '.join(_SHARED)}, papamu")
    if name == "hex" and parameters["num_rows"] != parameters["num_cols"]:
        raise GameError(f"papamu's boards of Hex have as many rows as columns: expected those of {game}")
    options = {ours: parameters[theirs] for theirs, ours in _SHARED[name].items() if theirs in parameters}
    position = Position(name, **options)
    replayed = game.new_initial_state()
    for action in state.history():
        text = replayed.action_to_string(replayed.current_player(), action)
        position = position.play(from_openspiel(position, text))
        replayed.apply_action(action)
    return position


class Bot(pyspiel.Bot):
    """A player as a bot of OpenSpiel, for a game of papamu or OpenSpiel's own game by the same rules. The limits are
    those of `Player.think`."""

    def __init__(self, player: Player, **limits: Any) -> None:
        super().__init__()
        self.player = player
        self.limits = limits

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        position = position_of(state)
        best = self.player.think(position, **self.limits).best
        if best is None:
            raise GameError("the game is over")
        if isinstance(state, State):
            return position.action(best)
        return state.string_to_action(state.current_player(), to_openspiel(position, best))
