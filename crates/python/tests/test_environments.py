import warnings

import papamu
import pytest


def test_pettingzoo_conforms(start):
    pytest.importorskip("pettingzoo")
    from papamu.pettingzoo import env
    from pettingzoo.test import api_test, seed_test

    def make():
        return env(start.game, size=start.size)

    api_test(make(), num_cycles=200)
    seed_test(make, num_cycles=50)


def test_pettingzoo_gives_rewards(start):
    pytest.importorskip("pettingzoo")
    from papamu.pettingzoo import raw_env

    game = raw_env(start.game, render_mode="ansi", size=start.size)
    game.reset()
    assert game.agent_selection == "player_0"
    for agent in game.agent_iter():
        observation, _, termination, truncation, _ = game.last()
        if termination or truncation:
            game.step(None)
            continue
        assert observation["action_mask"].sum() == len(game.position.legal_actions())
        assert not game.observe({"player_0": "player_1", "player_1": "player_0"}[agent])["action_mask"].any()
        game.step(int(observation["action_mask"].argmax()))
    outcome = game.position.outcome
    first = {"draw": 0, start.turn: 1}.get(outcome, -1)
    assert game.rewards == {} and game.render() == str(game.position)
    # Play it again, and look at the rewards before the agents leave.
    game.reset()
    while not game.position.is_over:
        game.step(game.position.legal_actions()[0])
    assert game.rewards == {"player_0": first, "player_1": -first}


def test_whoever_moves_illegally_loses():
    pytest.importorskip("pettingzoo")
    from papamu.pettingzoo import env

    game = env("havannah", size=3)
    game.reset()
    game.step(0)
    game.step(0)
    assert game.terminations == {"player_0": True, "player_1": True}
    assert game.rewards["player_1"] == -1


def test_gymnasium_conforms(start):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    name = "papamu.gymnasium:papamu/Game-v0"
    for side in ("first", "second", "random"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(gymnasium.make(name, game=start.game, size=start.size, side=side).unwrapped)


def test_gymnasium_plays_whole_games(start):
    pytest.importorskip("gymnasium")
    from papamu.gymnasium import GameEnv

    player = papamu.Player(start.game)
    opponents = ("random", player, lambda position: position.legal_moves()[0])
    for opponent in opponents:
        game = GameEnv(start.game, opponent, side="second", opponent_limits={"simulations": 5}, size=start.size)
        _, info = game.reset(seed=3)
        assert len(info["moves"]) > 0
        over = False
        while not over:
            mask = game.action_masks()
            observation, reward, over, _, info = game.step(int(mask.argmax()))
            assert observation in game.observation_space
            assert reward == 0 or over
        assert reward == {"draw": 0, game.own: 1}.get(game.position.outcome, -1)


def test_gymnasium_refuses_nonsense():
    pytest.importorskip("gymnasium")
    from papamu.gymnasium import GameEnv

    with pytest.raises(papamu.ArgumentError):
        GameEnv("havannah", side="third")
    with pytest.raises(papamu.ArgumentTypeError):
        GameEnv("havannah", opponent=7)
    game = GameEnv("havannah", size=3)
    game.reset(seed=1)
    _, reward, over, _, info = game.step(game.position.action(game.position.moves[0]) if game.position.moves else 10**6)
    assert (reward, over, info["illegal"]) == (-1, True, True)
