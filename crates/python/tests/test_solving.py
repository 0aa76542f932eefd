import papamu
import pytest


def test_the_value_of_a_position():
    position = papamu.Position("havannah", size=3)
    found = papamu.solve(position)
    assert found.outcome == "white" and found.stop == "proven"
    assert found.best in position.legal_moves()
    assert found.nodes > 0 and found.seconds >= 0


def test_every_solver_agrees(start):
    game = next(game for game in papamu.games() if game.name == start.game)
    if not game.solvers:
        with pytest.raises(papamu.SolveError):
            papamu.solve(start)
        return
    small = papamu.Position(game.name, size=4 if game.name == "konane" else 2)
    outcomes = {papamu.solve(small, solver=solver.name, memory=64).outcome for solver in game.solvers}
    assert len(outcomes) == 1 and None not in outcomes


def test_limits_leave_the_value_open():
    found = papamu.solve(papamu.Position("havannah", size=5), nodes=100)
    assert found.outcome is None and found.stop == "nodes"


def test_progress_is_heard_and_can_end_the_search():
    heard = []
    found = papamu.solve(
        papamu.Position("havannah", size=6),
        every=0.01,
        memory=64,
        progress=lambda known: bool(heard.append(known)),
    )
    assert len(heard) == 1 and found.stop == "stopped" and found.outcome is None


def test_a_proof_tells_of_its_progress_which_can_end_it():
    heard = []
    with pytest.raises(papamu.LimitError):
        papamu.prove(
            papamu.Position("havannah", size=6), every=0.01, progress=lambda known: bool(heard.append(known))
        )
    assert len(heard) == 1 and heard[0].nodes > 0


def test_a_certificate_is_written_and_checked(tmp_path):
    position = papamu.Position("havannah", size=3, moves="b2")
    proof = papamu.prove(position)
    assert proof.outcome == "black"
    verdict = papamu.verify(proof.certificate)
    assert (verdict.game, verdict.moves, verdict.claim) == ("havannah", ["b2"], "black wins")
    path = tmp_path / "proof"
    proof.save(path)
    assert papamu.verify(path) == papamu.verify(str(path)) == verdict
    broken = proof.certificate[:-20] + b"x" * 20
    with pytest.raises(papamu.CertificateError):
        papamu.verify(broken)
    claims_more = proof.certificate.replace(b"claim black wins", b"claim white wins")
    with pytest.raises(papamu.CertificateError):
        papamu.verify(claims_more)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (papamu.LimitError, lambda: papamu.prove(papamu.Position("havannah", size=5), nodes=10)),
        (papamu.ArgumentTypeError, lambda: papamu.prove(papamu.Position("havannah", size=3), progress=7)),
        (papamu.ArgumentError, lambda: papamu.prove(papamu.Position("havannah", size=3), every=-1)),
        (papamu.SolveError, lambda: papamu.solve(papamu.Position("havannah", size=3), solver="nobody")),
        (papamu.SolveError, lambda: papamu.solve(papamu.Position("havannah", size=3), colour="red")),
        (papamu.ArgumentError, lambda: papamu.solve(papamu.Position("havannah", size=3), memory=2**60)),
        (papamu.ArgumentError, lambda: papamu.solve(papamu.Position("havannah", size=3), threads=0)),
        (papamu.ArgumentTypeError, lambda: papamu.solve("a1")),
        (papamu.CertificateError, lambda: papamu.verify(b"")),
        (papamu.CertificateError, lambda: papamu.verify(b"nonsense\n" * 1000)),
        (papamu.ArgumentTypeError, lambda: papamu.verify(7)),
    ],
)
def test_wrong_arguments_raise_exceptions_of_the_package(error, call):
    with pytest.raises(error) as raised:
        call()
    assert isinstance(raised.value, papamu.Error) and str(raised.value)


def test_more_memory_than_there_is_does_not_end_the_interpreter():
    try:
        papamu.solve(papamu.Position("havannah", size=4), memory=2**20, nodes=1000)
    except papamu.Error:
        pass
