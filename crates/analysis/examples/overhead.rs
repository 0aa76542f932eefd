//! What the analysis engine costs beside its searches, in processor time of one run, for queries that report nothing and for
//! reviews: `cargo run --profile quick --package papamu-analysis --example overhead -- 200 games/*.hgf` for 200 simulations a
//! position. The searches that compare a possible mistake with the best move are searches of a review.

use analysis::{Defaults, serve};
use engine::{Assessment, Playable, compare};
use game::Game;
use havannah::Position;
use record::Record;
use rustix::time::{ClockId, clock_gettime};
use search::Limits;
use serde_json::{Value, json};
use std::error::Error;
use std::{env, fs, io};

/// As many as a machine of this size has cores.
const POSITIONS: usize = 2;

/// Seconds that all threads of this process have taken.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// What a function gives, and the processor time that it has taken.
fn timed<T>(function: impl FnOnce() -> T) -> (T, f64) {
    let before = processor_time();
    let value = function();
    (value, processor_time() - before)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let simulations = arguments.next().ok_or("how many simulations?")?.parse()?;
    let mut games: Vec<Record<Position>> = Vec::new();
    for file in arguments {
        for game in record::read(&fs::read(file)?)? {
            games.push(game.replay(None)?);
        }
    }
    let limits = Limits {
        simulations: Some(simulations),
        ..Limits::default()
    };
    let positions: usize = games.iter().map(|game| game.moves.len() + 1).sum();
    for (report, reviews) in [(json!([]), false), (json!(["review"]), true)] {
        let alone: f64 = games
            .iter()
            .map(|game| searches(game, &limits, reviews))
            .sum();
        let lines = games.iter().enumerate();
        let lines = lines.map(|(id, game)| line(id, game, simulations, &report).to_string());
        let input = io::Cursor::new(lines.collect::<Vec<_>>().join("\n"));
        let mut output = Vec::new();
        let (served, together) =
            timed(|| serve(input, &mut output, POSITIONS, &Defaults::default()));
        served?;
        let answered = String::from_utf8(output)?
            .matches("\"type\":\"result\"")
            .count();
        println!(
            "report {report}: {} games, {answered} of {positions} positions: {alone:.1} s of searches alone, {together:.1} s of queries, {:+.1} %",
            games.len(),
            100.0 * (together / alone - 1.0),
        );
    }
    Ok(())
}

/// The processor time of the searches of a game, each of which a query makes too.
fn searches(game: &Record<Position>, limits: &Limits, reviews: bool) -> f64 {
    let player = Position::player(None).expect("the default player");
    let mut position = game.start.clone();
    let mut engine = player
        .build(position.clone(), 1, &[])
        .expect("its own parameters");
    let mut taken = 0.0;
    let mut before = None;
    for ply in 0..=game.moves.len() {
        engine.set_position(position.clone());
        let (report, seconds) = timed(|| engine.search(limits, &mut |_| {}));
        taken += seconds;
        let after = Assessment::new(position.to_move(), report);
        if let Some((earlier, assessment)) = before.take()
            && reviews
        {
            let mut search = |position: &Position, times| {
                let engine = engine.as_mut();
                let search = || Assessment::of(engine, position, limits, times, &mut |_| {});
                let (found, seconds) = timed(search);
                taken += seconds;
                found
            };
            let mv = game.moves[ply - 1];
            compare(ply, &earlier, mv, &assessment, &after, &mut search);
        }
        before = Some((position.clone(), after));
        if let Some(&mv) = game.moves.get(ply) {
            position.play(mv);
        }
    }
    taken
}

fn line(id: usize, game: &Record<Position>, simulations: u64, report: &Value) -> Value {
    let mut line = json!({
        "id": id.to_string(), "game": "havannah", "moves": game.moves_in(game.dialect), "turns": "all", "report": report,
        "dialect": Position::dialect_name(game.dialect), "simulations": simulations,
    });
    for (name, value) in game.options.iter() {
        line[name] = value.into();
    }
    line
}
