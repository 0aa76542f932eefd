"""Games as environments of PettingZoo (https://pettingzoo.farama.org), in its AEC interface.

Examples:
    >>> from papamu.pettingzoo import env
    >>> game = env("havannah", size=4)
    >>> game.reset(seed=1)
    >>> game.agent_selection
    'player_0'
"""

from __future__ import annotations

from typing import Any, ClassVar

from ._errors import MissingPackageError
from ._native import Position

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as why:
    raise MissingPackageError("papamu.pettingzoo needs PettingZoo: pip install 'papamu[pettingzoo]'") from why


def env(game: str, render_mode: str | None = None, **options: Any) -> AECEnv:
    """A game with PettingZoo's usual wrappers: whoever makes an illegal move loses."""
    wrapped = raw_env(game, render_mode, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv, EzPickle):
    """A game of two agents, `player_0` and `player_1`, the first of which begins.

    An observation has the planes of `Position.planes` as its agent sees them, its own stones first, and the mask of
    its legal actions, which is empty when it is not its turn. An action is the number of a move (`Position.action`).
    The winner gets 1 and the loser -1; a draw gives 0 to both.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "papamu_v0",
        "render_modes": ["ansi", "svg"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        EzPickle.__init__(self, game, render_mode, **options)
        super().__init__()
        self.start = Position(game, **options)
        self.position = self.start
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        planes, actions = self.start.planes(), self.start.num_actions
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, planes.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        planes = self.position.planes()
        mask = self.position.action_mask()
        if agent != self._to_move():
            planes[[0, 1]] = planes[[1, 0]]
            mask[:] = 0
        return {"observation": planes, "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = self.start
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        # `None`, which is for agents whose game is over, raises an exception that says so.
        self.position = self.position.play(action)  # type: ignore[arg-type]
        self._clear_rewards()
        if self.position.is_over:
            outcome = self.position.outcome
            for agent in self.agents:
                self.rewards[agent] = 0 if outcome == "draw" else 1 if self._side(agent) == outcome else -1
                self.terminations[agent] = True
            self.agent_selection = next(each for each in self.agents if each != self.agent_selection)
        else:
            self.agent_selection = self._to_move()
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode == "svg":
            return self.position.svg()
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass

    def _side(self, agent: str) -> str:
        first = self.start.turn
        second = "black" if first == "white" else "white"
        return first if agent == "player_0" else second

    def _to_move(self) -> str:
        return "player_0" if self.position.turn == self.start.turn else "player_1"
