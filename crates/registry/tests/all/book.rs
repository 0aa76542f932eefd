//! The opening books of the default players: what they say is so, and the players say it.

use engine::{Book, Playable, Resources, Setting};
use game::random;
use game::{Game, Notation, Outcome, Relative};
use search::{Limits, StopReason};

const HAVANNAH: &str = include_str!("../../../games/havannah/src/players/book.txt");
const KONANE: &str = include_str!("../../../games/konane/src/players/book.txt");

/// The boards and moves of a book.
fn lines(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parts = lines.map(|line| line.split_once(": ").expect("a board and moves"));
    parts.collect()
}

fn after<G: Playable>(board: &str, moves: &str) -> G {
    let options = G::options_of_certified(board).expect("a board");
    let start = G::start(&options).expect("a board");
    start
        .play_list(moves, G::Dialect::default())
        .expect("moves")
}

/// The player of a setting that looks into its book, or does not.
fn search<G: Playable>(position: &G, settings: &[Setting]) -> search::Report<G::Move> {
    let player = G::player(None).expect("the default player");
    let engine = player.build(position.clone(), 1, settings);
    let limits = Limits {
        simulations: Some(20),
        nodes: Some(500),
        ..Limits::default()
    };
    engine.expect("an engine").choose(&limits, &mut |_| {})
}

/// Every line can be played, and ends with the move that the player makes there.
fn are_played<G: Playable>(text: &str) {
    let lines = lines(text);
    assert!(lines.len() > 50);
    let mut board = None;
    for (name, moves) in lines {
        let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
        let position: G = after(name, before);
        if board.as_ref().is_none_or(|(known, _)| *known != name) {
            board = Some((name, Book::of(text, &position)));
        }
        let (_, book) = board.as_ref().expect("a book");
        let answer = book.answer(&position).expect("an answer");
        let mut won = position.clone();
        won.play(answer);
        // Of symmetric moves another may be named.
        let named: G = after(name, moves);
        assert!(won.key() == named.key(), "{name}: {before} {last}");
    }
}

/// What can be solved in so many nodes is won for the side that made the last move.
fn are_won<G: Playable>(text: &str, lines_tried: usize, nodes: u64) {
    let mut lines = lines(text);
    random::shuffle(&mut lines, &mut random::seeded(3));
    let mut solved = 0;
    for (name, moves) in lines.into_iter().take(lines_tried) {
        let position: G = after(name, moves);
        let winner = position.to_move().other();
        let resources = Resources {
            memory: 64 << 20,
            threads: 1,
        };
        let mut prover = position.prover(resources).expect("a prover");
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        if let Some(outcome) = prover.value(&position, &limits, &mut |_| {}).outcome {
            assert_eq!(outcome, Outcome::Win(winner), "{name}: {moves}");
            solved += 1;
        }
    }
    assert!(2 * solved > lines_tried, "{solved} of {lines_tried}");
}

#[test]
fn the_books_are_played_as_they_are_written() {
    are_played::<havannah::Position>(HAVANNAH);
    are_played::<konane::Position>(KONANE);
}

#[test]
fn what_the_books_say_is_what_a_solver_says() {
    are_won::<havannah::Position>(HAVANNAH, 60, 20_000);
    are_won::<konane::Position>(KONANE, 60, 20_000);
}

#[test]
fn the_default_player_plays_from_its_book_on_every_side_of_the_board() {
    let (name, moves) = lines(HAVANNAH)
        .into_iter()
        .find(|(name, moves)| *name == "4" && moves.split(' ').count() == 5)
        .expect("a line of size 4");
    let (before, _) = moves.rsplit_once(' ').expect("several moves");
    let position: havannah::Position = after(name, before);
    for view in 0..game::Symmetric::symmetries(&position) {
        let position = game::Symmetric::transformed(&position, view);
        let report = search(&position, &[]);
        assert_eq!(report.proven, Some(Relative::Win));
        assert_eq!((report.stop, report.simulations), (StopReason::Proven, 0));
        let mut won = position.clone();
        won.play(report.best.expect("a move"));
        assert!(
            certificate::Provable::key(&won)
                == certificate::Provable::key(&after::<havannah::Position>(name, moves))
        );
        let without = search(&position, &["book=no".parse().expect("a setting")]);
        assert!(without.simulations > 0);
    }
}

#[test]
fn there_is_no_book_where_the_first_stone_may_be_taken_over() {
    let start = havannah::Position::new(havannah::Shape::regular(4).expect("a size"));
    let book = Book::of(HAVANNAH, &start);
    assert!(book.answer(&start).is_some());
    let swapping = start.under_swap_rule();
    assert_eq!(book.answer(&swapping), None);
    assert!(search(&swapping, &[]).simulations > 0);
}

#[test]
fn lines_that_make_no_sense_are_passed_over() {
    let start: konane::Position = after("4x4 centre", "");
    let text = "# a comment\n4x4 centre: c1-c3 # as here\n4x4 centre: z9\n9: a1\nnonsense\n4x4 centre: c1-c3 b1-b3 c1-c3\n\n";
    let book = Book::of(text, &start);
    let mv = book.answer(&start).map(|mv| start.write_move(mv, ()));
    assert_eq!(mv.as_deref(), Some("c1-c3"));
    let later = after("4x4 centre", "c1-c3 b1-b3");
    assert_eq!(book.answer(&later), None);
    assert_eq!(Book::of("", &start).answer(&start), None);
}
