//! Every player and solver on every size of board, called from a thread with a small stack: what a search needs
//! of the stack must not depend on the thread that calls it. Each tells of its progress while it searches, and there
//! it is seen what stack it has: few searches come so deep that they would overflow a small one.

use engine::{BoardOptions, Playable, Resources, Setting, SolveError, Task};
use game::random::{self, Rng};
use search::{Every, Limits};
use std::cell::Cell;
use std::thread;

const STACK: usize = 512 << 10;

/// Positions of a random game on a board: its start, its middle, and its last position that is not over.
fn positions<G: Playable>(options: &BoardOptions, rng: &mut Rng) -> [G; 3] {
    let start = G::start(options).expect("a board");
    let mut game = vec![start];
    while let Some(position) = game.last()
        && position.outcome().is_none()
    {
        let mut after = position.clone();
        let mv = after.random_move(rng).expect("a move");
        after.play_unchecked(mv);
        game.push(after);
    }
    game.pop();
    let last = game.len() - 1;
    [0, last / 2, last].map(|ply| game[ply].clone())
}

/// Searches that do not recurse: the way through the tree is a list.
const FLAT: [&str; 1] = ["imcts"];

/// A search tells of its progress: it must not be on the stack of its caller.
fn look(name: &str, told: &Cell<u64>) {
    told.set(told.get() + 1);
    // Where the system does not say how much is left, only an overflow can tell.
    let left = stacker::remaining_stack().unwrap_or(usize::MAX);
    let is_deep = left > STACK || FLAT.contains(&name);
    assert!(is_deep, "{name} searches on the stack of its caller");
}

fn setting(name: &str, value: &str) -> Setting {
    format!("{name}={value}").parse().expect("a setting")
}

fn play<G: Playable>(position: &G, limits: &Limits, told: &Cell<u64>) {
    for player in G::players() {
        let has = |name| player.parameters.iter().any(|known| known.name == name);
        let threads = if has("threads") { 1..=2 } else { 1..=1 };
        for threads in threads {
            let mut settings = Vec::new();
            if has("threads") {
                settings.push(setting("threads", &threads.to_string()));
            }
            for (name, value) in [
                ("memory", "16"),
                ("solve-after", "4"),
                ("solve-effort", "20"),
            ] {
                if has(name) {
                    settings.push(setting(name, value));
                }
            }
            let engine = player.build(position.clone(), 1, &settings);
            let mut engine = engine.expect("an engine");
            let report = engine.search(limits, &mut |_| look(player.name, told));
            assert!(report.best.is_some(), "{}", player.name);
        }
    }
}

fn solve<G: Playable>(position: &G, limits: &Limits, told: &Cell<u64>) {
    for solver in G::solvers() {
        for threads in 1..=(if solver.has_threads { 2 } else { 1 }) {
            let begun = solver.begin(&Task {
                position,
                resources: Resources {
                    memory: 16 << 20,
                    threads,
                },
                settings: &[],
                limits,
            });
            match begun {
                Err(SolveError::TooLarge(_)) => {}
                begun => {
                    let mut begun = begun.expect("a solver");
                    let report = begun.go_on(limits, &mut |_| look(solver.name, told));
                    report.expect("a report");
                }
            }
        }
    }
}

fn on_a_small_stack<G: Playable>(nodes: u64, boards: impl IntoIterator<Item = BoardOptions>) {
    let boards: Vec<BoardOptions> = boards.into_iter().collect();
    let run = move || {
        let mut rng = random::seeded(1);
        let told = Cell::new(0);
        for board in boards {
            for position in positions::<G>(&board, &mut rng) {
                let limits = Limits {
                    simulations: Some(20),
                    nodes: Some(nodes),
                    progress: Every::Work(1),
                    ..Limits::default()
                };
                play(&position, &limits, &told);
                solve(&position, &limits, &told);
            }
        }
        assert!(told.get() > 100, "{told:?} looks test nothing");
    };
    let small = thread::Builder::new().stack_size(STACK).spawn(run);
    small.expect("a thread").join().expect("no panic");
}

#[test]
fn havannah_needs_no_stack_of_its_caller() {
    on_a_small_stack::<havannah::Position>(600, (2..=20).map(BoardOptions::sized));
}

fn konane(sizes: &[&str]) -> impl Iterator<Item = BoardOptions> {
    sizes.iter().map(BoardOptions::sized)
}

#[test]
fn small_konane_needs_no_stack_of_its_caller() {
    on_a_small_stack::<konane::Position>(600, konane(&["4", "6", "5x8", "8", "3x20"]));
}

#[test]
fn large_konane_needs_no_stack_of_its_caller() {
    on_a_small_stack::<konane::Position>(40, konane(&["9", "12", "16", "20"]));
}
