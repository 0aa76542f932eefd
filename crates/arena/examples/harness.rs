//! What the arena costs: games a second of players that do nothing, the time of moves that is not the
//! players', and the processor's time of a game. Two runs, with one thread and with two, tell what a second
//! core gives: where other programs take processors away, games by the processor's seconds.
//!
//! ```sh
//! cargo run --release --package papamu-arena --example harness -- PLACE [THREADS]
//! ```
//!
//! PLACE is a store: a file that is not there yet, or `postgres://…`.

use arena::{Experiment, Ledger, Loaded, Notes, Options, Role, Scale, Stop, Store, publish, work};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// The seconds of processors that this process has used.
fn processor() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Random moves on the smallest board: claiming and storing is all there is.
const NOTHING: &str = r#"
name = "nothing"
game = "havannah"
games = 10000
[board]
size = 2
[budget]
[players.a]
player = "random"
[players.b]
player = "random"
[[match]]
player = "a"
against = "b"
"#;

/// Moves of a fixed number of simulations, or of 10 ms.
const MOVES: &str = r#"
name = "moves"
game = "havannah"
games = 40
[board]
size = 4
[grid]
budget = [{ simulations = 1000, seconds = 100 }, { simulations = 1000000000, seconds = 0.01 }]
[budget]
simulations = "{simulations}"
seconds = "{seconds}"
[players.a]
player = "uct"
[players.b]
player = "uct"
[[match]]
player = "a"
against = "b"
"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let place = arguments.next().ok_or("expected a store")?;
    let threads = arguments.next().map_or(Ok(2), |threads| threads.parse())?;
    let store = Store::open(&place).await?;
    for text in [NOTHING, MOVES] {
        let loaded = Arc::new(Loaded::new(Experiment::read(text, Scale::Full)?, threads)?);
        publish(&store, &loaded).await?;
        let id = loaded.experiment.id.clone();
        let options = Options {
            threads,
            only: Some(id.clone()),
            ..Options::default()
        };
        let (started, used) = (Instant::now(), processor());
        work(
            &store,
            &options,
            vec![loaded.clone()],
            &Stop::default(),
            &Ledger::default(),
            &|_| {},
        )
        .await?;
        let (wall, used) = (started.elapsed().as_secs_f64(), processor() - used);
        let games = store.games(&id, (-1, 1), usize::MAX >> 1).await?;
        println!(
            "{}: {} games, {:.1} games/s, {:.1} games for each of {used:.2} s of processors",
            loaded.experiment.name,
            games.len(),
            games.len() as f64 / wall,
            games.len() as f64 / used
        );
        for (place, point) in loaded.experiment.points.iter().enumerate() {
            let (mut moves, mut thought, mut took) = (0, 0.0, 0.0);
            for game in games.iter().filter(|game| game.point == place as u64) {
                let turns: Vec<(Role, Notes)> = serde_json::from_str(&game.turns)?;
                moves += turns.len();
                thought += turns.iter().map(|(_, notes)| notes.seconds).sum::<f64>();
                took += game.seconds;
            }
            let cost = took - thought;
            println!(
                "  {point}: {moves} moves, {:.3} ms a move besides thinking, {:.3} % of the time",
                1000.0 * cost / moves as f64,
                100.0 * cost / took
            );
        }
    }
    store.close().await;
    Ok(())
}
