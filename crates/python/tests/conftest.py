import papamu
import pytest


@pytest.fixture(params=[game.name for game in papamu.games()])
def start(request):
    """The start of each game, on its board for a first game."""
    game = next(game for game in papamu.games() if game.name == request.param)
    return papamu.Position(game.name, size=game.first_size)
