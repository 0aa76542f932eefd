"""Games as environments of Gymnasium (https://gymnasium.farama.org), against an opponent.

Examples:
    >>> import gymnasium
    >>> game = gymnasium.make("papamu.gymnasium:papamu/Game-v0", game="havannah", size=4)
    >>> observation, info = game.reset(seed=1)
    >>> int(info["action_mask"].sum())
    37
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

from ._errors import ArgumentError, ArgumentTypeError, MissingPackageError
from ._native import Player, Position

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as why:
    raise MissingPackageError("papamu.gymnasium needs Gymnasium: pip install 'papamu[gymnasium]'") from why

Opponent = Union[str, Player, Callable[[Position], Union[str, int]]]
"""`random`, a player, or a function that chooses a move in a position."""


class GameEnv(gymnasium.Env):
    """A game against an opponent, who plays the other side.

    An observation has the planes of `Position.planes`, with the stones of the agent first. An action is the number of
    a move (`Position.action`); `info["action_mask"]` and `action_masks()` tell which are legal. An illegal one loses
    the game. The reward is 1 for a win, -1 for a loss, and else 0.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        opponent: Opponent = "random",
        *,
        side: str = "first",
        opponent_limits: dict[str, Any] | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`side` is `first`, `second` or `random`; `opponent_limits` are those of `Player.think`, such as
        `{"simulations": 100}`; the other options are those of the board."""
        if side not in ("first", "second", "random"):
            raise ArgumentError(f"side is {side!r}: expected first, second or random")
        if opponent != "random" and not isinstance(opponent, Player) and not callable(opponent):
            raise ArgumentTypeError("opponent is 'random', a papamu.Player, or a function of a position")
        self.start = Position(game, **options)
        self.position = self.start
        self.opponent = opponent
        self.opponent_limits = dict(opponent_limits or {})
        self.side = side
        self.render_mode = render_mode
        self.own = self.start.turn
        self.observation_space = spaces.Box(0.0, 1.0, self.start.planes().shape, np.float32)
        self.action_space = spaces.Discrete(self.start.num_actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.position = self.start
        first = self.side == "first" or (self.side == "random" and self.np_random.integers(2) == 0)
        other = "black" if self.start.turn == "white" else "white"
        self.own = self.start.turn if first else other
        self._answer()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        action = int(action)
        if not self.position.is_legal(action):
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self.position = self.position.play(action)
        self._answer()
        outcome = self.position.outcome
        reward = 0.0 if outcome in (None, "draw") else 1.0 if outcome == self.own else -1.0
        return self._observation(), reward, outcome is not None, False, self._info()

    def action_masks(self) -> Any:
        """The legal actions, where agents ask for them by this name (MaskablePPO)."""
        return self.position.action_mask().astype(bool)

    def render(self) -> str | None:
        if self.render_mode == "svg":
            return self.position.svg()
        return str(self.position) if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        """Lets the opponent move as long as it is its turn."""
        while not self.position.is_over and self.position.turn != self.own:
            self.position = self.position.play(self._choice())

    def _choice(self) -> str | int:
        if isinstance(self.opponent, str):
            return int(self.np_random.choice(self.position.legal_actions()))
        if isinstance(self.opponent, Player):
            best = self.opponent.think(self.position, **self.opponent_limits).best
            assert best is not None, "a game that is not over has a move"
            return best
        return self.opponent(self.position)

    def _observation(self) -> Any:
        planes = self.position.planes()
        if self.position.turn != self.own:
            planes[[0, 1]] = planes[[1, 0]]
        return planes

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.position.action_mask(), "moves": self.position.moves}


gymnasium.register(id="papamu/Game-v0", entry_point="papamu.gymnasium:GameEnv")
