//! The players of Kōnane, by name and through their parameters.

use engine::{BoardOptions, Engine, Playable, Setting, TurnStatistics};
use game::{Game, Relative};
use search::{Limits, Report, StopReason};

type Board = konane::Position;

fn start(rows: u32, cols: u32, setup: Option<&str>) -> Board {
    let options = BoardOptions::default()
        .with("rows", rows)
        .with("cols", cols);
    let options = match setup {
        Some(setup) => options.with("setup", setup),
        None => options,
    };
    Board::start(&options).expect("a board")
}

fn settings(text: &str) -> Vec<Setting> {
    text.split_whitespace()
        .map(|setting| setting.parse().expect("a setting"))
        .collect()
}

fn build(name: &str, position: Board, seed: u64, set: &str) -> Box<dyn Engine<Board>> {
    let player = Board::player(Some(name)).expect("a player");
    let engine = player.build(position, seed, &settings(set));
    engine.unwrap_or_else(|why| panic!("{name} {set}: {why}"))
}

fn quick() -> Limits {
    Limits {
        simulations: Some(40),
        depth: Some(2),
        ..Limits::default()
    }
}

fn think(engine: &mut dyn Engine<Board>, limits: &Limits) -> Report<<Board as Game>::Move> {
    engine.search(limits, &mut |_| {})
}

#[test]
fn every_player_plays_whole_games_the_same_way_each_time() {
    for player in Board::players() {
        for (rows, cols) in [(6, 6), (1, 7), (9, 8), (14, 17)] {
            let game = || {
                let mut engine = player
                    .build(start(rows, cols, None), 7, &[])
                    .expect("an engine");
                let mut position = engine.position().clone();
                let mut played = Vec::new();
                while position.outcome().is_none() && played.len() < 24 {
                    let report = think(engine.as_mut(), &quick());
                    let best = report.best.expect("a move");
                    assert!(position.is_legal(best), "{} {best:?}", player.name);
                    engine.advance(best).expect("a legal move");
                    position.play(best);
                    assert!(*engine.position() == position);
                    played.push(best);
                }
                if position.outcome().is_some() {
                    assert_eq!(think(engine.as_mut(), &quick()).best, None);
                }
                assert!(engine.advance(played[0]).is_err());
                played
            };
            assert_eq!(game(), game(), "{} on {rows}×{cols}", player.name);
        }
    }
}

#[test]
fn a_player_goes_to_any_board() {
    for player in Board::players() {
        let mut engine = player.build(start(6, 6, None), 7, &[]).expect("an engine");
        for position in [start(14, 17, Some("centre")), start(4, 5, Some("corner"))] {
            engine.set_position(position.clone());
            let best = think(engine.as_mut(), &quick()).best.expect("a move");
            assert!(position.is_legal(best), "{}", player.name);
        }
    }
}

#[test]
fn ab_dab_and_dabs_find_the_same_values_throughout_a_game() {
    for set in ["depth=5", "depth=4 heuristic=moves-difference"] {
        let mut position = start(8, 8, Some("centre"));
        let names = ["ab", "dab", "dabs", "dabs"];
        let sets = [set, set, set, &format!("{set} ordering=best-three")];
        let mut engines: Vec<_> = names
            .iter()
            .zip(sets)
            .map(|(name, set)| build(name, position.clone(), 1, set))
            .collect();
        while position.outcome().is_none() {
            let reports: Vec<_> = engines
                .iter_mut()
                .map(|engine| think(engine.as_mut(), &Limits::default()))
                .collect();
            for report in &reports {
                assert_eq!(report.evaluation, reports[0].evaluation, "{position:?}");
            }
            let best = reports[2].best.expect("a move");
            position.play(best);
            for engine in &mut engines {
                engine.advance(best).expect("a legal move");
            }
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused_in_words() {
    for (name, set, expected) in [
        (
            "dabs",
            "depth=0",
            "depth = \"0\": expected a whole number from 1 to 400",
        ),
        (
            "ab",
            "depth=401",
            "depth = \"401\": expected a whole number from 1 to 400",
        ),
        (
            "wdabs",
            "padding=25",
            "padding = \"25\": expected a whole number from 0 to 24",
        ),
        (
            "wdabs",
            "padding=-1",
            "padding = \"-1\": expected a whole number from 0 to 24",
        ),
        (
            "wdabs",
            "evaluated=here",
            "evaluated = \"here\": expected board or window",
        ),
        (
            "dabs",
            "ordering=none",
            "ordering = \"none\": expected all, kept or best-three",
        ),
        (
            "dab",
            "heuristic=s",
            "heuristic = \"s\": expected one of the eighteen heuristics, such as movables-ratio, or its letter from a to r",
        ),
        (
            "dab",
            "padding=3",
            "no parameter \"padding\"; there are: depth, heuristic",
        ),
        (
            "greedy-captures",
            "depth=1",
            "no parameter \"depth\"; there are: none",
        ),
    ] {
        let player = Board::player(Some(name)).expect("a player");
        let Err(why) = player.build(start(8, 8, None), 1, &settings(set)) else {
            panic!("{name} takes {set}");
        };
        assert_eq!(why.to_string(), expected);
    }
}

#[test]
fn greedy_players_take_the_most_at_once() {
    let mut position = start(8, 8, Some("corner"));
    let mut rng = game::random::seeded(3);
    while position.outcome().is_none() {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let own = position.to_move();
        let captures = |mv: &konane::Move| mv.captured().count() as i32;
        let mobility = |mv: &konane::Move| {
            let mut after = position.clone();
            after.play(*mv);
            let mut own_moves = 0;
            konane::Board::for_each_jump(after.board(), own, |_, _| own_moves += 1);
            own_moves
        };
        for (name, most) in [
            ("greedy-captures", moves.iter().map(captures).max()),
            ("greedy-mobility", moves.iter().map(mobility).max()),
        ] {
            let mut engine = build(name, position.clone(), 5, "");
            let report = think(engine.as_mut(), &quick());
            assert_eq!(report.evaluation, most, "{name} in {position:?}");
            let best = report.best.expect("a move");
            let gain = match name {
                "greedy-captures" => captures(&best),
                _ => mobility(&best),
            };
            assert_eq!(Some(gain), most);
        }
        position.play(position.random_move(&mut rng).expect("a move"));
    }
}

#[test]
fn monte_carlo_stops_at_a_direct_win_and_inherits_its_tree() {
    for name in ["mcts", "dmcts"] {
        let mut engine = build(name, start(8, 8, Some("centre")), 3, "");
        let limits = Limits {
            simulations: Some(3_000),
            ..Limits::default()
        };
        let mut inherited = 0;
        let mut direct_wins = 0;
        while engine.position().outcome().is_none() {
            let report = think(engine.as_mut(), &limits);
            let best = report.best.expect("a move");
            let statistics = TurnStatistics::of(&report);
            inherited += statistics.inherited_visits;
            let mut after = engine.position().clone();
            after.play(best);
            if report.stop == StopReason::Proven {
                assert!(after.outcome().is_some(), "{name} claims a direct win");
                assert_eq!(report.proven, Some(Relative::Win));
                direct_wins += 1;
            } else {
                assert_eq!(statistics.iterations, 3_000);
                let best_mean = report.moves.iter().map(|stats| stats.value.0);
                let highest = best_mean.fold(0.0, f64::max);
                assert_eq!(statistics.win_rate, Some(highest));
            }
            engine.advance(best).expect("a legal move");
        }
        assert!(inherited > 1_000 && direct_wins == 1, "{name} {inherited}");
    }
}

#[test]
fn statistics_of_a_turn_are_json() {
    let mut engine = build("wdabs", start(8, 8, Some("centre")), 1, "depth=4 padding=1");
    for mv in ["e3-e5", "e6-e4"] {
        let mv = mv.parse().expect("a move");
        if engine.advance(mv).is_err() {
            let best = think(engine.as_mut(), &quick()).best.expect("a move");
            engine.advance(best).expect("a legal move");
        }
    }
    let report = think(engine.as_mut(), &Limits::default());
    let json = serde_json::to_value(TurnStatistics::of(&report)).expect("JSON");
    let keys: Vec<&str> = json
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "branching",
            "nodes",
            "best_index",
            "cutoffs",
            "window_cutoffs",
            "evaluation",
            "iterations",
            "win_rate",
            "inherited_visits"
        ]
    );
    assert!(json["nodes"].as_u64() > Some(0) && json["cutoffs"].as_u64() > Some(0));
    assert!(json["window_cutoffs"].as_u64() > Some(0));
    assert!(json["best_index"].is_u64() && json["win_rate"].is_null());
}
