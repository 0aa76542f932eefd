//! Reviews, where something is known about the moves without a search: by symmetry, or by solving.

use engine::{Assessment, BoardOptions, Playable, Resources, ReviewedMove, Reviewer, Task};
use game::{Game, Outcome, Relative, Score, Symmetric, random};
use havannah::{Dialect, Move, Position};
use search::{Limits, Progress, Report, StopReason};

fn start(size: &str) -> Position {
    Position::start(&BoardOptions::sized(size)).expect("a board")
}

/// The review of moves after a position.
fn review(start: &Position, moves: Vec<Move>, simulations: u64) -> Vec<ReviewedMove<Move>> {
    review_after(start, moves, 0, simulations)
}

/// The review of those moves that come after so many.
fn review_after(
    start: &Position,
    moves: Vec<Move>,
    after: usize,
    simulations: u64,
) -> Vec<ReviewedMove<Move>> {
    let player = Position::player(None).expect("a player");
    let mut engine = player.build(start.clone(), 1, &[]).expect("an engine");
    let limits = Limits {
        simulations: Some(simulations),
        ..Limits::default()
    };
    let mut reviewer = Reviewer::new(start.clone(), moves).expect("legal moves");
    reviewer.skip_to(after);
    std::iter::from_fn(|| reviewer.next(engine.as_mut(), &limits, &mut |_| {})).collect()
}

/// On the empty board the twelve images of the best move are as good as it is, whatever the search says of the
/// positions before and after: its value sags with every move.
#[test]
fn the_images_of_the_best_move_are_no_mistakes() {
    for size in ["4", "6"] {
        let start = start(size);
        let any = start.parse_list("a1").first().copied().expect("a move");
        let best = review(&start, vec![any], 500)[0].best.expect("a move");
        for symmetry in 0..start.symmetries() {
            let image = start.transformed_move(symmetry, best);
            let of = &review(&start, vec![image], 500)[0];
            assert_eq!(of.mark(), "", "size {size}, {of:?}");
        }
    }
}

trait Listed {
    fn parse_list(&self, text: &str) -> Vec<Move>;
}

impl Listed for Position {
    fn parse_list(&self, text: &str) -> Vec<Move> {
        let mut position = self.clone();
        let read = |text| {
            let mv = game::Notation::parse_move(&position, text, Dialect::Grid).expect("a move");
            position.play(mv);
            mv
        };
        text.split_whitespace().map(read).collect()
    }
}

#[test]
fn a_win_that_was_missed_is_called_so_with_the_lines_that_show_it() {
    // White has a1, a2, a3 of the edge of size 4 between the corners a1 and a4, and a4 makes the bridge. Black is as far
    // on the edge between g4 and g7.
    let start = start("4");
    let moves = start.parse_list("a1 g4 a2 g5 a3 g6 d4 g7");
    let reviewed = review(&start, moves, 2_000);
    let missed = &reviewed[6];
    assert_eq!(
        missed.mistake().map(engine::Mistake::name),
        Some("missed win")
    );
    assert_eq!(
        (missed.before, missed.best_proven),
        (Score(1.0), Some(Relative::Win))
    );
    let best = missed.best.expect("a move");
    assert_eq!(missed.line.first(), Some(&best));
    assert!(missed.loss() > 0.0 && missed.mark() != "");
    // What the engine would have played itself loses nothing.
    for of in &reviewed {
        assert!(of.best != Some(of.mv) || of.mistake().is_none());
        assert!((0.0..=1.0).contains(&of.loss()) && of.margin >= 0.0);
    }
}

/// What a search says that values a position for the side to move, and would play this move.
fn said(position: &Position, value: f64, best: Option<Move>) -> Assessment<Move> {
    let report = Report {
        progress: Progress {
            best,
            value: Score(value),
            principal_variation: best.into_iter().collect(),
            ..Progress::nothing()
        },
        stop: StopReason::Simulations,
        signature: 0,
    };
    Assessment::new(position.to_move(), report)
}

/// The share of 4,000 moves that are called mistakes, which lose as much as `loss` and seemed to lose as much as `seemed`,
/// by searches whose values have this standard deviation.
fn called_mistakes(loss: f64, seemed: f64, deviation: f64) -> f64 {
    let start = start("3");
    let [best, mv] = ["a1", "b2"].map(|text| start.parse_list(text)[0]);
    let after = |mv| {
        let mut next = start.clone();
        next.play(mv);
        next
    };
    let before = said(&start, 0.6, Some(best));
    let played = said(&after(mv), 1.0 - (0.6 - seemed), None);
    let wanted = after(best);
    let mut rng = random::seeded(1);
    let mut search = |position: &Position, _| {
        let truth = if *position == wanted { 0.6 } else { 0.6 - loss };
        // The sum of twelve is nearly normal.
        let sum: f64 = (0..12).map(|_| random::unit(&mut rng)).sum();
        let value = (truth + deviation * (sum - 6.0)).clamp(0.0, 1.0);
        Some(said(position, 1.0 - value, None))
    };
    let mut compare = || engine::compare(1, &start, mv, &before, &played, &mut search);
    let marked = (0..4_000).filter(|_| compare().expect("no stop").mark() != "");
    marked.count() as f64 / 4_000.0
}

/// With a probability of 95 % the margin holds what is true, so that of moves that lose nothing at most 2.5 % seem to lose
/// more, however noisy the searches are and however bad they made the moves look at first. (Of 4,000, half a per cent more
/// are within two standard deviations.)
#[test]
fn what_seems_a_mistake_by_chance_is_not_called_one() {
    for deviation in [0.005, 0.02, 0.05, 0.1, 0.2] {
        let share = called_mistakes(0.0, 0.4, deviation);
        assert!(share <= 0.03, "{share} with noise of {deviation}");
    }
}

#[test]
fn a_mistake_beyond_the_noise_is_called_one() {
    for (loss, deviation) in [(0.3, 0.02), (0.1, 0.005), (0.5, 0.03)] {
        let share = called_mistakes(loss, loss, deviation);
        assert!(
            share >= 0.98,
            "{share} of losses of {loss} with noise of {deviation}"
        );
    }
    // What does not seem to be one is not looked at.
    assert!(called_mistakes(0.3, 0.01, 0.02) < f64::EPSILON);
}

/// All moves that throw a win away, as the solver knows, are called mistakes.
#[test]
fn planted_blunders_are_found() {
    let start = start("4");
    let opening = start.parse_list("b1 d2 a2 e4 c2 b2 c3 b3");
    let mut position = start.clone();
    for &mv in &opening {
        position.play(mv);
    }
    let solver = Position::solver(None).expect("a solver");
    let outcome = |position: &Position| {
        let task = Task {
            position,
            resources: Resources {
                memory: 1 << 26,
                threads: 1,
            },
            settings: &[],
            limits: &Limits::default(),
        };
        let mut solving = solver.begin(&task).expect("a solver");
        let report = solving.go_on(&Limits::default(), &mut |_| {});
        report.expect("no other end").outcome.expect("a value")
    };
    let side = position.to_move();
    assert_eq!(outcome(&position), Outcome::Win(side));
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut blunders = 0;
    for mv in moves {
        let mut next = position.clone();
        next.play(mv);
        if outcome(&next) == Outcome::Win(side) {
            continue;
        }
        let game = [opening.as_slice(), &[mv]].concat();
        let reviewed = review_after(&start, game, opening.len(), 300);
        assert_ne!(reviewed[0].mark(), "", "{:?}", reviewed[0]);
        blunders += 1;
    }
    assert!(blunders > 10, "{blunders}");
}
