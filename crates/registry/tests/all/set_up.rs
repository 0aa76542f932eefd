//! Positions that are set up: they go on like those that were played, and what is solved of them is what a search
//! through all lines of play finds.

use certificate::{Header, Writer};
use engine::{
    BoardError, BoardOptions, Certified, Playable, Prover, Resources, SetUp, Task,
    certificate_header,
};
use game::random;
use game::{Game, Outcome, Side};
use search::{Limits, StopReason};

/// The options that set up what is on the board of a position.
fn options_of<G: Playable>(options: &BoardOptions, position: &G) -> BoardOptions {
    let tiles = position.scene(G::Dialect::default()).tiles.into_iter();
    let stones = tiles.filter_map(|tile| Some((tile.stone?, tile.name)));
    let set_up = SetUp {
        stones: stones.collect(),
        turn: Some(position.to_move()),
    };
    set_up.into_options(options.clone())
}

/// Plays random games and sets each of their positions up.
fn played_and_set_up<G: Playable>(board: &BoardOptions, start: &BoardOptions, opening: usize) {
    let mut rng = random::seeded(7);
    for _ in 0..20 {
        let mut position = G::start(start).expect("a board");
        for ply in 0.. {
            let options = options_of(board, &position);
            if position.outcome().is_some() {
                assert!(G::start(&options).is_err(), "{position:?} is over");
                break;
            }
            if ply >= opening {
                let set_up = G::start(&options).expect("a position");
                assert!(set_up == position, "{set_up:?} and {position:?}");
                assert_eq!(set_up.key(), position.key());
                assert_eq!(set_up.hash(), position.hash());
                assert_eq!(set_up.hash(), set_up.recomputed_hash());
                assert_eq!(legal(&set_up), legal(&position));
                assert_eq!(set_up.to_move(), position.to_move());
            }
            let mv = position.random_move(&mut rng).expect("a move");
            position.play(mv);
        }
    }
}

fn legal<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

#[test]
fn a_position_that_is_set_up_goes_on_like_one_that_was_played() {
    let sized = |size| BoardOptions::sized(size);
    played_and_set_up::<havannah::Position>(&sized("4"), &sized("4"), 0);
    played_and_set_up::<havannah::Position>(&sized("2x3x4"), &sized("2x3x4"), 0);
    played_and_set_up::<hex::Position>(&sized("5"), &sized("5"), 0);
    let corner = sized("5x6").with("setup", "corner");
    played_and_set_up::<konane::Position>(&sized("5x6"), &corner, 0);
    played_and_set_up::<konane::Position>(&sized("6"), &sized("6"), 2);
    played_and_set_up::<konane::Position>(&sized("10"), &sized("10"), 2);
}

/// The value of a position by a search through all lines of play.
fn exhaustive<G: Game>(position: &G) -> Outcome {
    if let Some(outcome) = position.outcome() {
        return outcome;
    }
    let side = position.to_move();
    let mut best = Outcome::Win(!side);
    for mv in legal(position) {
        let mut after = position.clone();
        after.play(mv);
        let outcome = exhaustive(&after);
        if outcome == Outcome::Win(side) {
            return outcome;
        }
        if outcome == Outcome::Draw {
            best = outcome;
        }
    }
    best
}

/// Boards with random stones of both sides, as many of either as chance will have it, and both turns.
fn random_positions<G: Playable>(
    board: &BoardOptions,
    least: usize,
    seed: u64,
) -> Vec<(BoardOptions, G)> {
    let mut rng = random::seeded(seed);
    let empty = G::start(board).expect("a board");
    let tiles = empty.scene(G::Dialect::default()).tiles;
    let is_full = tiles.iter().all(|tile| tile.stone.is_some());
    let mut below = |most: usize| random::below(most as u32, &mut rng) as usize;
    let mut found = Vec::new();
    while found.len() < 60 {
        let mut stones = Vec::new();
        for tile in &tiles {
            let side = Side::BOTH[below(2)];
            if below(tiles.len()) >= least {
                stones.push((tile.stone.unwrap_or(side), tile.name.clone()));
            }
        }
        for turn in Side::BOTH {
            let set_up = SetUp {
                stones: stones.clone(),
                turn: Some(turn),
            };
            let options = set_up.into_options(board.clone());
            if let Ok(position) = G::start(&options) {
                assert_eq!(position.to_move(), turn);
                found.push((options, position));
            }
        }
    }
    assert!(is_full || found.iter().any(|(_, position)| position.ply() % 2 == 1));
    found
}

/// Every solver finds the values of random positions, and the certificates of the prover are valid.
fn solved<G: Playable>(board: &BoardOptions, least: usize) {
    for (options, position) in random_positions::<G>(board, least, 3) {
        let expected = exhaustive(&position);
        for solver in G::solvers() {
            let solving = solver.begin(&Task {
                position: &position,
                resources: Resources {
                    memory: 1 << 24,
                    threads: 1,
                },
                settings: &[],
                limits: &Limits::default(),
            });
            // Some are for other boards.
            let Ok(mut solving) = solving else { continue };
            let report = solving
                .go_on(&Limits::default(), &mut |_| {})
                .expect("an answer");
            assert_eq!(report.stop, StopReason::Proven, "{}", solver.name);
            assert_eq!(
                report.outcome,
                Some(expected),
                "{} of {position:?}",
                solver.name
            );
        }
        if G::PROVES {
            certified(&options, &position, expected);
        }
    }
}

fn prover<G: Playable>(position: &G) -> Box<dyn Prover<G>> {
    let resources = Resources {
        memory: 1 << 24,
        threads: 1,
    };
    position.prover(resources).expect("a prover")
}

/// The certificate of a value names the position that was set up, and is valid of it alone.
fn certified<G: Playable>(options: &BoardOptions, position: &G, outcome: Outcome) {
    let header = certificate_header(position, options, Vec::new(), outcome).expect("a header");
    let bytes = bytes_of(position, &header);
    let verdict = registry::verify(&bytes[..]).expect("a valid certificate");
    assert_eq!(verdict.header.board, header.board);
    let named = G::options_of_certified(&header.board).expect("a board");
    assert!(G::start(&named).expect("a position") == *position);
}

fn bytes_of<G: Playable>(position: &G, header: &Header) -> Vec<u8> {
    let (mut prover, limits) = (prover(position), Limits::default());
    prover.value(position, &limits, &mut |_| {});
    let mut bytes = Vec::new();
    let value = Certified {
        writer: &Writer::default(),
        header,
        position,
    };
    let written = prover.certify(&value, &mut bytes, None, &limits, &mut || true);
    written.expect("a proof");
    bytes
}

#[test]
fn what_is_solved_of_random_positions_is_what_all_lines_of_play_give() {
    solved::<havannah::Position>(&BoardOptions::sized("2"), 4);
    solved::<havannah::Position>(&BoardOptions::sized("3"), 7);
    solved::<havannah::Position>(&BoardOptions::sized("2x3x4"), 6);
    solved::<konane::Position>(&BoardOptions::sized("4x5"), 6);
    solved::<konane::Position>(&BoardOptions::sized("5"), 9);
}

/// What a prover has learnt of a position does not answer for the same stones with the other side to move.
#[test]
fn one_prover_tells_the_turns_of_the_same_stones_apart() {
    fn both_turns<G: Playable>(board: &BoardOptions, least: usize) {
        let (mut known, mut different) = (None, 0);
        for (options, position) in random_positions::<G>(board, least, 5) {
            let prover = known.get_or_insert_with(|| prover(&position));
            let report = prover.value(&position, &Limits::default(), &mut |_| {});
            assert_eq!(report.outcome, Some(exhaustive(&position)), "{options:?}");
            let turned = options.with("turn", !position.to_move());
            if let Ok(turned) = G::start(&turned) {
                different += usize::from(exhaustive(&turned) != exhaustive(&position));
            }
        }
        assert!(different > 0);
    }
    both_turns::<havannah::Position>(&BoardOptions::sized("3"), 7);
    both_turns::<konane::Position>(&BoardOptions::sized("4x5"), 6);
}

fn refusal<G: Playable>(options: &BoardOptions) -> String {
    let refused: Result<G, BoardError> = G::start(options);
    refused.expect_err("no position").to_string()
}

#[test]
fn what_is_no_position_is_refused_with_the_reason() {
    let four = BoardOptions::sized("4");
    let of = |stones: &str| four.clone().with("stones", stones);
    let said = refusal::<havannah::Position>(&of("white a1 a2 a3 a4"));
    assert!(said.contains("white has a bridge already"), "{said}");
    let said = refusal::<havannah::Position>(&of("white a1 black a1"));
    assert!(said.contains("two stones on a1"), "{said}");
    assert!(refusal::<havannah::Position>(&of("white z9")).contains("z9"));
    assert!(refusal::<havannah::Position>(&of("white swap")).contains("not a cell"));
    assert!(refusal::<havannah::Position>(&of("a1 b2")).contains("expected white or black before"));
    assert!(
        refusal::<havannah::Position>(&of("white a1").with("swap", "yes")).contains("no swap rule")
    );
    assert!(
        refusal::<havannah::Position>(&of("white a1").with("turn", "red"))
            .contains("expected white or black")
    );
    let alone = four.clone().with("turn", "black");
    assert!(refusal::<havannah::Position>(&alone).contains("stones are missing"));

    let of = |stones: &str| BoardOptions::sized("4").with("stones", stones);
    let said = refusal::<konane::Position>(&of("white a1"));
    assert!(said.contains("a1 is a cell of black"), "{said}");
    assert!(refusal::<konane::Position>(&of("black e5")).contains("e5 is not on a"));
    assert!(
        refusal::<konane::Position>(&of("black a1 white a2").with("turn", "white"))
            .contains("game is over")
    );
    assert!(
        refusal::<konane::Position>(&of("black a1").with("setup", "corner")).contains("no opening")
    );

    let of = |stones: &str| BoardOptions::sized("3").with("stones", stones);
    assert!(refusal::<hex::Position>(&of("black a1 a2 a3")).contains("black has joined its edges"));
    assert!(refusal::<hex::Position>(&of("black a1 white a1")).contains("two stones on a1"));
}
