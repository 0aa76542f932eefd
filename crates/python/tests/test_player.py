import os
import signal
import subprocess
import sys
import threading
import time

import papamu
import pytest


def test_every_player_finds_a_legal_move(start):
    game = next(game for game in papamu.games() if game.name == start.game)
    for description in game.players:
        player = papamu.Player(game.name, description.name)
        found = player.think(start, simulations=20, nodes=200, depth=1)
        assert found.best in start.legal_moves(), description.name
        assert 0 <= found.value <= 1
        assert {move.move for move in found.moves} <= set(start.legal_moves())


def test_the_same_seed_gives_the_same_analysis(start):
    def think(seed):
        found = papamu.Player(start.game, seed=seed).think(start, simulations=300)
        return [(move.move, move.visits, move.value) for move in found.moves]

    assert think(1) == think(1)


def test_an_analysis_is_a_plain_object(start):
    found = papamu.Player(start.game).think(start, simulations=200)
    assert repr(found).startswith("Analysis(game=")
    assert found.stop in ("simulations", "proven", "nodes")
    assert found.to_dict()["moves"][0]["move"] == found.moves[0].move
    assert found.principal_variation[0] == found.best
    pandas = pytest.importorskip("pandas")
    frame = found.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["move"]) == [move.move for move in found.moves]
    assert list(frame.columns) == ["move", "visits", "value", "lower_bound", "proven"]


def test_a_player_keeps_its_tree_from_move_to_move():
    position = papamu.Position("havannah", size=4)
    player = papamu.Player("havannah", "uct")
    for _ in range(4):
        found = player.think(position, simulations=200)
        position = position.play(found.best)
    kept = player.think(position, simulations=200)
    fresh = papamu.Player("havannah", "uct").think(position, simulations=200)
    assert sum(move.visits for move in kept.moves) > sum(move.visits for move in fresh.moves)
    # It goes anywhere: to another board, and back in a game.
    assert player.think(papamu.Position("havannah", size=3), simulations=50).best
    assert player.think(position.undo(3), simulations=50).best


def test_progress_is_heard_and_can_end_the_search():
    position = papamu.Position("havannah", size=5)
    player = papamu.Player("havannah", "uct")
    heard = []
    found = player.think(
        position, seconds=120, every=0.01, progress=lambda known: len(heard.append(known) or heard) < 3
    )
    assert len(heard) == 3 and found.stop == "stopped"
    assert all(known.stop is None for known in heard)
    assert heard[0].simulations <= heard[1].simulations <= found.simulations


def test_an_exception_of_the_callback_ends_the_search():
    def fails(known):
        raise KeyError("mine")

    player = papamu.Player("havannah", "uct")
    position = papamu.Position("havannah", size=5)
    with pytest.raises(KeyError, match="mine"):
        player.think(position, seconds=120, every=0.01, progress=fails)
    assert player.think(position, simulations=10).best


def test_an_iterator_over_what_is_known():
    player = papamu.Player("havannah", "uct")
    position = papamu.Position("havannah", size=5)
    thinking = player.analyse(position, seconds=120, every=0.01)
    known = next(thinking)
    assert known.stop is None
    with pytest.raises(papamu.BusyError, match="thinking already"):
        player.think(position, simulations=10)
    thinking.stop()
    *_, last = thinking
    assert last.stop == "stopped" and thinking.result == last
    assert list(thinking) == []
    # Whoever leaves the loop has the player back.
    for known in player.analyse(position, seconds=120, every=0.01):
        break
    assert player.think(position, simulations=10).best


def test_a_short_search_has_a_result_at_least():
    thinking = papamu.Player("havannah", "random").analyse(papamu.Position("havannah"))
    assert [known.stop is not None for known in thinking] == [True]


def test_other_threads_run_and_can_stop_a_search():
    player = papamu.Player("havannah", "uct")
    found = []
    thread = threading.Thread(target=lambda: found.append(player.think(papamu.Position("havannah"), seconds=600)))
    thread.start()
    while not found and thread.is_alive():
        time.sleep(0.01)  # This thread runs while the other searches.
        player.stop()
    thread.join()
    assert found[0].stop == "stopped"


INTERRUPTED = """
import papamu, sys
position = papamu.Position("havannah", size=5)
try:
    print("searching", flush=True)
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    assert papamu.Player("havannah", "uct").think(position, simulations=10).best
    sys.exit(7)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize(
    "call",
    [
        'papamu.Player("havannah", "uct").think(position, seconds=600)',
        'for _ in papamu.Player("havannah", "uct").analyse(position, seconds=600, every=600): pass',
        "papamu.solve(position)",
        "papamu.prove(position)",
    ],
)
def test_ctrl_c_ends_a_search(call):
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED.format(call=call)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "searching\n"
    time.sleep(0.3)  # The search may have begun, or not: it ends in either case.
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert (out, process.returncode) == ("interrupted\n", 7)


def test_levels():
    for game in papamu.games():
        level = game.levels[0]
        player = papamu.Player(game.name, level=level.name)
        assert player.name == level.player
        assert player.think(papamu.Position(game.name, size=game.first_size), simulations=10).best
    with pytest.raises(papamu.PlayerError, match='no level "godlike"'):
        papamu.Player("havannah", level="godlike")
    with pytest.raises(papamu.PlayerError):
        papamu.Player("havannah", "uct", level="easy")


def test_settings():
    player = papamu.Player("havannah", "uct", seed=3, exploration=0.5, expand_after=2)
    assert player.settings == {"exploration": "0.5", "expand-after": "2"}
    assert eval(repr(player), {"Player": papamu.Player}).settings == player.settings


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (papamu.GameError, lambda: papamu.Player("chess")),
        (papamu.PlayerError, lambda: papamu.Player("havannah", "nobody")),
        (papamu.PlayerError, lambda: papamu.Player("havannah", "uct", colour="red")),
        (papamu.PlayerError, lambda: papamu.Player("havannah", "uct", exploration=-1)),
        (papamu.PlayerError, lambda: papamu.Player("havannah", "uct", exploration=float("nan"))),
        (papamu.ArgumentTypeError, lambda: papamu.Player("havannah", "uct", exploration=[])),
        (papamu.ArgumentTypeError, lambda: papamu.Player("havannah", seed="one")),
        (papamu.ArgumentError, lambda: papamu.Player("havannah", seed=-1)),
        (papamu.ArgumentTypeError, lambda: papamu.Player("havannah").think("a1")),
        (papamu.GameError, lambda: papamu.Player("havannah").think(papamu.Position("konane"))),
        (papamu.ArgumentError, lambda: think(seconds=-1)),
        (papamu.ArgumentError, lambda: think(seconds=float("nan"))),
        (papamu.ArgumentError, lambda: think(seconds=float("inf"))),
        (papamu.ArgumentError, lambda: think(seconds=1e300)),
        (papamu.ArgumentTypeError, lambda: think(seconds="1")),
        (papamu.ArgumentError, lambda: think(simulations=0)),
        (papamu.ArgumentTypeError, lambda: think(simulations=1.5)),
        (papamu.ArgumentError, lambda: think(simulations=2**64)),
        (papamu.ArgumentTypeError, lambda: think(progress=7)),
    ],
)
def test_wrong_arguments_raise_exceptions_of_the_package(error, call):
    with pytest.raises(error) as raised:
        call()
    assert isinstance(raised.value, papamu.Error) and str(raised.value)


def think(**limits):
    papamu.Player("havannah").think(papamu.Position("havannah"), **limits)


def test_a_game_that_is_over(start):
    position = start
    while not position.is_over:
        position = position.play(position.legal_actions()[0])
    found = papamu.Player(start.game).think(position, simulations=10)
    assert found.best is None and found.proven in ("win", "draw", "loss")
