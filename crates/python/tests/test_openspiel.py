import os
import random
import re
from pathlib import Path

import papamu
import pytest

pyspiel = pytest.importorskip("pyspiel")

DATA = Path(os.environ.get("PAPAMU_DATA", Path(__file__).parents[4] / "shared" / "data")) / "openspiel"


@pytest.fixture(scope="module")
def adapter():
    import papamu.openspiel

    return papamu.openspiel


def test_every_game_is_one_of_openspiels(adapter, start):
    game = pyspiel.load_game("papamu", {"game": start.game, "options": f"size={start.size}"})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def test_openspiels_search_plays_it(adapter):
    import numpy as np
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("papamu", {"game": "havannah", "options": "size=3"})
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 20, evaluator, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("name", ["havannah", "hex"])
def test_the_same_game(adapter, name, swap):
    """Random games of OpenSpiel's own: the same legal moves, turns and results."""
    game = pyspiel.load_game(name, {"board_size": 4, "swap": swap})
    turns = {"havannah": ("white", "black"), "hex": ("black", "white")}[name]
    for seed in range(20):
        rng = random.Random(seed)
        state = game.new_initial_state()
        position = adapter.position_of(state)
        while not state.is_terminal():
            theirs = sorted(state.action_to_string(action) for action in state.legal_actions())
            ours = sorted(adapter.to_openspiel(position, move) for move in position.legal_moves())
            assert ours == theirs
            assert position.turn == turns[state.current_player()]
            action = rng.choice(state.legal_actions())
            if swap and state.move_number() == 1 and seed % 2:
                action = {"havannah": state.history()[0], "hex": state.legal_actions()[-1]}[name]
            position = position.play(adapter.from_openspiel(position, state.action_to_string(action)))
            state.apply_action(action)
            assert adapter.position_of(state) == position
        first = state.returns()[0]
        assert position.outcome == {1: turns[0], -1: turns[1], 0: "draw"}[first]


def test_players_are_bots(adapter):
    import numpy as np
    from open_spiel.python.bots import uniform_random

    for game in (
        pyspiel.load_game("havannah(board_size=4,swap=True)"),
        pyspiel.load_game("hex(board_size=5)"),
        pyspiel.load_game("papamu", {"game": "konane", "options": "size=6"}),
    ):
        name = adapter.position_of(game.new_initial_state()).game
        ours = adapter.Bot(papamu.Player(name), simulations=200)
        other = uniform_random.UniformRandomBot(1, np.random.RandomState(1))
        returns = pyspiel.evaluate_bots(game.new_initial_state(), [ours, other], 1)
        assert returns[0] == 1


def test_games_that_papamu_does_not_know(adapter):
    with pytest.raises(papamu.GameError, match="does not know OpenSpiel's chess"):
        adapter.position_of(pyspiel.load_game("chess").new_initial_state())
    with pytest.raises(papamu.GameError, match="as many rows as columns"):
        adapter.position_of(pyspiel.load_game("hex(num_rows=3,num_cols=4)").new_initial_state())


@pytest.mark.parametrize("name", ["havannah(board_size=4).txt", "havannah(board_size=4,swap=True).txt"])
def test_recorded_playthroughs(adapter, name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no file {path}")
    text = path.read_text()
    position = papamu.Position("havannah", size=4, swap="swap=True" in name)
    moves = re.findall(r'# Apply action "(\w+)"', text)
    assert len(moves) > 30
    for move in moves:
        assert not position.is_over
        position = position.play(adapter.from_openspiel(position, move))
    assert position.is_over
    ((white, _),) = re.findall(r"^Returns\(\) = \[([-\d.]+), ([-\d.]+)\]", text, re.MULTILINE)[-1:]
    assert position.outcome == {1: "white", -1: "black", 0: "draw"}[float(white)]
