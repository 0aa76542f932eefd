//! A limit of memory holds for all that a search allocates. A program of its own, whose allocator counts: what other
//! tests allocate at the same time must not count.

use engine::{BoardOptions, Playable, Resources, Setting, SolveError, Task};
use search::Limits;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The system's allocator, which counts bytes. What grows is counted as if it grew in its place, which costs as much:
/// of the new memory only what the old one filled is written before that is given back.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that are allocated and not given back.
static NOW: AtomicIsize = AtomicIsize::new(0);
/// The most that there were.
static MOST: AtomicIsize = AtomicIsize::new(0);

fn add(bytes: isize) {
    let now = NOW.fetch_add(bytes, Relaxed) + bytes;
    MOST.fetch_max(now, Relaxed);
}

// SAFETY: all is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        add(-(layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size as isize - layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Limits in MiB, with the simulations of a search. Of the smallest the searches fill what they have, and drop some of
/// it; with the others they take much at once.
const LIMITS: [(usize, u64); 4] = [(4, 4_000), (16, 500), (32, 500), (128, 500)];

/// The tests of this program take turns.
static TURN: Mutex<()> = Mutex::new(());

/// The most bytes that were allocated at a time during a search, beyond those before.
fn most_during(search: impl FnOnce()) -> isize {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    search();
    MOST.load(Relaxed) - before
}

/// A search keeps its limit, and makes use of it.
fn check(name: &str, limit: usize, most: isize) {
    let share = most as f64 / limit as f64;
    eprintln!(
        "{name}: {:.1} of {} MiB",
        share * (limit >> 20) as f64,
        limit >> 20
    );
    assert!(share <= 1.0, "{name} takes {most} bytes of {limit}");
}

fn setting(name: &str, value: &dyn ToString) -> Setting {
    format!("{name}={}", value.to_string())
        .parse()
        .expect("a setting")
}

/// All players of a game that can be given a limit, on the positions of a game: a tree that is full is collected, and
/// its nodes are probed.
fn players<G: Playable>(board: &BoardOptions, mib: usize, work: u64) {
    let position = G::start(board).expect("a board");
    for player in G::players() {
        let has = |name| player.parameters.iter().any(|known| known.name == name);
        if !has("memory") {
            continue;
        }
        for threads in if has("threads") { 1..=2 } else { 1..=1 } {
            let mut settings = vec![setting("memory", &mib)];
            if has("threads") {
                settings.push(setting("threads", &threads));
            }
            if has("solve-after") {
                settings.push(setting("solve-after", &50));
                settings.push(setting("solve-effort", &1));
            }
            let play = |work| {
                let limits = Limits {
                    simulations: Some(work),
                    nodes: Some(50 * work),
                    ..Limits::default()
                };
                let engine = player.build(position.clone(), 1, &settings);
                let mut engine = engine.expect("an engine");
                for _ in 0..2 {
                    let best = engine.search(&limits, &mut |_| {}).best.expect("a move");
                    engine.advance(best).expect("a legal move");
                }
            };
            // What the program reads once, such as the weights of patterns, stays.
            play(1);
            let most = most_during(|| play(work));
            check(
                &format!("{} with {threads} threads", player.name),
                mib << 20,
                most,
            );
        }
    }
}

/// All solvers of a game.
fn solvers<G: Playable>(board: &BoardOptions, mib: usize, nodes: u64) {
    let position = G::start(board).expect("a board");
    for solver in G::solvers() {
        for threads in 1..=(if solver.has_threads { 2 } else { 1 }) {
            let limits = Limits {
                simulations: Some(nodes),
                nodes: Some(nodes),
                ..Limits::default()
            };
            let most = most_during(|| {
                let begun = solver.begin(&Task {
                    position: &position,
                    resources: Resources {
                        memory: mib << 20,
                        threads,
                    },
                    settings: &[],
                    limits: &limits,
                });
                match begun {
                    Err(SolveError::TooLarge(_)) => {}
                    begun => {
                        let report = begun.expect("a solver").go_on(&limits, &mut |_| {});
                        report.expect("a report");
                    }
                }
            });
            check(
                &format!("{} with {threads} threads", solver.name),
                mib << 20,
                most,
            );
        }
    }
}

#[test]
fn havannah_keeps_its_memory() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for (mib, work) in LIMITS {
        // What the solver has for each ply of a large board is more than a small limit.
        let size = if mib < 16 { "5" } else { "8" };
        players::<havannah::Position>(&BoardOptions::sized(size), mib, work);
        solvers::<havannah::Position>(&BoardOptions::sized("5"), mib, 10 * work);
    }
}

#[test]
fn konane_keeps_its_memory() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for (mib, work) in LIMITS {
        players::<konane::Position>(&BoardOptions::sized("8"), mib, work);
        solvers::<konane::Position>(&BoardOptions::sized("7"), mib, 10 * work);
    }
}

#[test]
fn hex_keeps_its_memory() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for (mib, work) in LIMITS {
        players::<hex::Position>(&BoardOptions::sized("11"), mib, work);
        solvers::<hex::Position>(&BoardOptions::sized("5"), mib, work);
    }
}
