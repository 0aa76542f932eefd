import copy
import pickle
import random
import threading
import xml.dom.minidom

import numpy as np
import papamu
import pytest


def random_game(position, seed):
    """A game of random moves, position by position."""
    rng = random.Random(seed)
    positions = [position]
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves()))
        positions.append(position)
    return positions


def test_a_game_from_start_to_end(start):
    assert (start.ply, start.moves, start.outcome, start.is_over) == (0, [], None, False)
    last = random_game(start, 1)[-1]
    assert last.is_over and last.outcome in ("white", "black", "draw")
    assert last.legal_moves() == [] and last.legal_actions() == []
    assert last.ply == len(last.moves) > 0
    with pytest.raises(papamu.IllegalMoveError):
        last.play(start.legal_moves()[0])


def test_positions_never_change_and_can_be_taken_back(start):
    game = random_game(start, 2)
    for ply, position in enumerate(game):
        assert position.ply == ply
        assert game[-1].undo(len(game) - 1 - ply) == position
    assert game[5].undo() == game[4]
    assert game[-1].undo(0) == game[-1]
    with pytest.raises(papamu.ArgumentError, match="6 moves cannot be taken back: 5 have been played"):
        game[5].undo(6)


def test_moves_and_actions_are_the_same(start):
    position = random_game(start, 3)[4]
    moves, actions = position.legal_moves(), position.legal_actions()
    assert actions == sorted(position.action(move) for move in moves)
    assert sorted(position.action_to_move(action) for action in actions) == sorted(moves)
    for action in actions:
        assert position.is_legal(action)
        assert position.play(action) == position.play(position.action_to_move(action))
    mask = position.action_mask()
    assert mask.dtype == np.int8 and mask.shape == (position.num_actions,)
    assert np.flatnonzero(mask).tolist() == actions
    illegal = next(action for action in range(position.num_actions) if not mask[action])
    with pytest.raises(papamu.IllegalMoveError):
        position.play(illegal)
    with pytest.raises(papamu.IllegalMoveError, match="there is no action"):
        position.play(position.num_actions)


def test_equal_positions_have_equal_hashes(start):
    one, other = random_game(start, 4), random_game(start, 4)
    for position, again in zip(one, other):
        assert position == again and hash(position) == hash(again)
    assert len(set(one + other)) == len(one)
    assert one[0] != one[1]
    assert start not in ("a text", None, 7)


def test_positions_of_other_games_are_other_positions():
    starts = {papamu.Position(game.name, size=game.first_size) for game in papamu.games()}
    assert len(starts) == len(papamu.games())


def test_transpositions_are_equal():
    one = papamu.Position("havannah", size=4, moves="a1 b2 c3")
    other = papamu.Position("havannah", size=4, moves="c3 b2 a1")
    assert one == other and hash(one) == hash(other) and one.moves != other.moves


def test_copies_and_pickles(start):
    position = random_game(start, 5)[3]
    for again in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert again == position and again.moves == position.moves
        assert again.options == position.options and again.dialect == position.dialect


def test_repr_makes_the_position_again(start):
    position = random_game(start, 6)[4]
    again = eval(repr(position), {"Position": papamu.Position})
    assert again == position and again.options == position.options


def test_arrays(start):
    for position in random_game(start, 7)[::3]:
        rows, cols = position.shape
        board, planes = position.board(), position.planes()
        assert board.dtype == np.int8 and board.shape == (rows, cols)
        assert planes.dtype == np.float32 and planes.shape == (5, rows, cols)
        own, other = (1, -1) if position.turn == "white" else (-1, 1)
        assert np.array_equal(planes[0], board == own)
        assert np.array_equal(planes[1], board == other)
        on_board = np.zeros((rows, cols))
        for row, col in position.cells.values():
            on_board[row, col] += 1
        # Each cell has a place of its own.
        assert np.array_equal(planes[2], on_board)
        assert planes[3].sum() == (position.ply > 0)
        assert (planes[4] == (position.turn == "white")).all()
        planes[:] = 7  # They belong to whoever asked.


def test_hexagons_that_touch_are_neighbours_in_the_array():
    """Whoever reads rows and columns finds the six neighbours at the same six steps everywhere."""
    position = papamu.Position("havannah", size=5)
    assert position.shape == (9, 9) and len(position.cells) == 61
    centre = position.cells["e5"]
    steps = {
        (position.cells[name][0] - centre[0], position.cells[name][1] - centre[1])
        for name in ("e4", "e6", "d4", "d5", "f5", "f6")
    }
    assert steps == {(0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1)}


def test_the_arrays_show_the_stones_of_the_moves():
    position = papamu.Position("havannah", size=4, moves="a1 g7 d4")
    stones = {name: position.board()[place] for name, place in position.cells.items()}
    assert {name: stone for name, stone in stones.items() if stone} == {"a1": 1, "g7": -1, "d4": 1}
    assert position.planes()[3][position.cells["d4"]] == 1


def test_diagrams(start):
    position = random_game(start, 8)[6]
    assert position._repr_svg_() == position.svg()
    cells = list(position.cells)[:2]
    marked = position.svg(
        title="A <title>",
        coordinates=False,
        last_move=False,
        highlight=cells,
        labels={cells[0]: 1},
        arrows=[tuple(cells)],
    )
    for svg in (position.svg(), marked):
        assert xml.dom.minidom.parseString(svg).documentElement.tagName == "svg"
    assert "A &lt;title&gt;" in marked
    assert str(position).count("\n") >= position.shape[0]
    with pytest.raises(papamu.ArgumentError, match='no cell "z99"'):
        position.svg(highlight=["z99"])


def test_games_are_written_and_read(start):
    last = random_game(start, 9)[-1]
    for source in (last.sgf(), last.sgf().encode()):
        (record,) = papamu.read_games(source)
        assert record.position == last and record.position.moves == last.moves
        assert record.game == last.game and record.winner == record.claimed == last.outcome
        assert record.fault is None


def test_records_tell_what_is_wrong(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4]GM[havannah]SZ[4];W[a1];B[a1])")
    (record,) = papamu.read_games(path)
    assert record.end == "error" and "a1" in record.fault and record.position.moves == ["a1"]
    for nonsense in ("", "nonsense", b"\xff\x00", "(;GM[havannah]SZ[99])"):
        with pytest.raises(papamu.RecordError):
            papamu.read_games(nonsense)
    with pytest.raises(FileNotFoundError):
        papamu.read_games(tmp_path / "missing.sgf")


def test_dialects():
    grid = papamu.Position("havannah", size=4, moves="g7")
    row = papamu.Position("havannah", size=4, moves="g4", dialect="row")
    assert grid == row and row.moves == ["g4"] and grid.moves == ["g7"]
    with pytest.raises(papamu.GameError, match="no dialect"):
        papamu.Position("havannah", dialect="klingon")
    with pytest.raises(papamu.GameError, match="one notation only"):
        papamu.Position("konane", dialect="grid")


def test_the_swap_rule():
    position = papamu.Position("havannah", size=4, swap=True, moves="a1")
    assert "swap" in position.legal_moves()
    swapped = position.play("swap")
    assert swapped.turn == "white" and swapped.ply == 2
    # A second move that is a swap shows that the game is played under the rule.
    assert papamu.Position("havannah", size=4, moves="a1 swap") == swapped


def test_what_a_structure_is():
    moves = "a1 c3 a2 c2 a3"
    position = papamu.Position("havannah", size=3, moves=moves)
    assert (position.outcome, position.structure) == ("white", "bridge")


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (papamu.GameError, lambda: papamu.Position("chess")),
        (papamu.GameError, lambda: papamu.Position("havannah", size=99)),
        (papamu.GameError, lambda: papamu.Position("havannah", size=-1)),
        (papamu.GameError, lambda: papamu.Position("havannah", size=10**30)),
        (papamu.GameError, lambda: papamu.Position("havannah", colour="red")),
        (papamu.GameError, lambda: papamu.Position("konane", setup="z9,z8")),
        (papamu.ArgumentTypeError, lambda: papamu.Position(7)),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah", size=[])),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah", moves=7)),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah", moves=[7])),
        (papamu.ArgumentError, lambda: papamu.Position("\udc80")),
        (papamu.IllegalMoveError, lambda: papamu.Position("havannah", moves="a1 a1")),
        (papamu.IllegalMoveError, lambda: papamu.Position("havannah").play("nonsense")),
        (papamu.IllegalMoveError, lambda: papamu.Position("havannah").play("a" * 10**6)),
        (papamu.IllegalMoveError, lambda: papamu.Position("havannah").play(10**9)),
        (papamu.ArgumentError, lambda: papamu.Position("havannah").play(-1)),
        (papamu.ArgumentError, lambda: papamu.Position("havannah").play(2**70)),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah").play(None)),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah").play(True)),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah").play(1.0)),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah").action(1)),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah").undo("one")),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah").svg(labels=7)),
        (papamu.ArgumentTypeError, lambda: papamu.Position("havannah").svg(arrows=["a1"])),
        (papamu.ArgumentTypeError, lambda: papamu.read_games(7)),
    ],
)
def test_wrong_arguments_raise_exceptions_of_the_package(error, call):
    with pytest.raises(error) as raised:
        call()
    assert isinstance(raised.value, papamu.Error) and str(raised.value)
    if error is not papamu.ArgumentTypeError:
        assert isinstance(raised.value, ValueError)
    else:
        assert isinstance(raised.value, TypeError)


def test_an_illegal_move_says_why():
    with pytest.raises(papamu.IllegalMoveError, match=r"move 2 \(a1\): the cell holds a white stone already"):
        papamu.Position("havannah", moves="a1").play("a1")


def test_numpy_integers_are_actions(start):
    action = np.int64(start.legal_actions()[0])
    assert start.play(action) == start.play(int(action))


def test_threads_may_share_a_position(start):
    seen = []
    threads = [threading.Thread(target=lambda: seen.append(random_game(start, 1)[-1])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(seen)) == 1 and len(seen) == 4


def test_games_describe_themselves():
    for game in papamu.games():
        assert game.title and game.players and game.sizes and game.levels
        assert "size" in [option.name for option in game.options]
        assert all(player.summary for player in game.players)
        assert {level.player for level in game.levels} <= {player.name for player in game.players}
