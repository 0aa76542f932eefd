import json
import os
import signal
import subprocess
import sys

import papamu
import papamu.arena
import pytest


def test_stores_that_cannot_be_read(tmp_path):
    with pytest.raises(papamu.StoreError, match="there is no store"):
        papamu.arena.experiments(tmp_path / "missing.db")
    nonsense = tmp_path / "nonsense.db"
    nonsense.write_text("nonsense" * 1000)
    with pytest.raises(papamu.StoreError):
        papamu.arena.report(nonsense)
    with pytest.raises(papamu.ArgumentTypeError):
        papamu.arena.games(7)


EXPERIMENT = """
name = "rave-vs-uct"
game = "havannah"
games = 6

[grid]
size = [3]

[budget]
simulations = 20

[players.rave]
player = "rave"

[players.uct]
player = "uct"

[[match]]
player = "rave"
against = "uct"
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arena")
    file = folder / "rave-vs-uct.toml"
    file.write_text(EXPERIMENT)
    store = folder / "arena.db"
    identifier = papamu.arena.run(file, store, concurrency=1)
    # What is done is done: the same call continues.
    assert papamu.arena.run(file, store, concurrency=1) == identifier
    (experiment,) = papamu.arena.experiments(store)
    assert (experiment.id, experiment.name) == (identifier, "rave-vs-uct")
    return store


def test_results_are_data_frames(store):
    pandas = pytest.importorskip("pandas")
    report = papamu.arena.report(store)
    assert report == papamu.arena.report(store, "rave-vs-uct")
    for name in report.names:
        assert isinstance(report.frame(name), pandas.DataFrame)
    points = report.frame("rave-vs-uct-points")
    assert points["Games"].tolist() == [6]
    with pytest.raises(papamu.StoreError, match="no figure or table"):
        report.frame("nothing")


def test_games_are_data_frames(store):
    pytest.importorskip("pandas")
    games = papamu.arena.games(store)
    assert len(games) == 6 and set(games["player"]) == {"rave"} and set(games["against"]) == {"uct"}
    assert games["score"].isin([0, 0.5, 1]).all()
    (record,) = papamu.read_games(games["sgf"][0])
    assert record.position.is_over and record.position.ply == games["plies"][0]
    with pytest.raises(papamu.StoreError, match='no experiment "other"'):
        papamu.arena.games(store, "other")


def test_files_that_are_no_experiments(tmp_path):
    file = tmp_path / "wrong.toml"
    file.write_text("name = 7")
    with pytest.raises(papamu.ExperimentError):
        papamu.arena.run(file, tmp_path / "arena.db")
    with pytest.raises(papamu.ArgumentError):
        papamu.arena.run(file, tmp_path / "arena.db", scale="enormous")
    with pytest.raises(FileNotFoundError):
        papamu.arena.run(tmp_path / "missing.toml", tmp_path / "arena.db")


INTERRUPTED = """
import papamu.arena, signal, sys
# A process of a shell's background ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
many, few, store = sys.argv[1:]
try:
    papamu.arena.run(many, store, concurrency=1)
except KeyboardInterrupt:
    # The interpreter goes on, and plays another experiment to its end in the same store.
    papamu.arena.run(few, store, concurrency=1)
    sys.exit(7)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_ctrl_c_ends_an_experiment_and_keeps_its_games(tmp_path):
    def played(experiment):
        # Another process may be making the store.
        try:
            return len(json.loads(papamu._native.arena_games(store, experiment)))
        except papamu.StoreError:
            return 0

    store = tmp_path / "arena.db"
    many, few = tmp_path / "many.toml", tmp_path / "few.toml"
    # Games that take long enough not to be over before they are seen, however busy the machine is: hours of them.
    slow = EXPERIMENT.replace("size = [3]", "size = [6]").replace("simulations = 20", "simulations = 2000")
    many.write_text(slow.replace("rave-vs-uct", "many").replace("games = 6", "games = 20000"))
    # The same games under another name are the same experiment.
    few.write_text(EXPERIMENT.replace("rave-vs-uct", "few").replace("simulations = 20", "simulations = 10"))
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED, many, few, store])
    while not played("many"):
        assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=300) == 7
    assert 0 < played("many") < 20_000 and played("few") == 6
