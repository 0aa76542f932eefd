//! What the review of many games costs beside its searches, in processor time of one run: `cargo run --profile quick
//! --package papamu-analysis --example overhead -- 200 games/*.hgf` for 200 simulations a position.

use analysis::{Defaults, Item, Query, serve};
use engine::Playable;
use havannah::Position;
use record::Record;
use registry::GameName;
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
    let alone: f64 = games.iter().map(|game| searches(game, &limits)).sum();

    let queries = games.iter().enumerate().map(|(id, game)| {
        let moves = game.moves_in(game.dialect);
        let dialect = Position::dialect_name(game.dialect).map(str::to_owned);
        let query = Query {
            report: vec![Item::Review],
            ..Query::of_game(
                &id.to_string(),
                GameName::Havannah,
                &game.options,
                moves,
                dialect,
            )
        };
        line(&query, simulations)
    });
    let input = queries.collect::<Vec<_>>().join("\n");
    let mut output = Vec::new();
    let before = processor_time();
    serve(
        io::Cursor::new(input),
        &mut output,
        POSITIONS,
        &Defaults::default(),
    )?;
    let reviews = processor_time() - before;
    let results = String::from_utf8(output)?;
    let positions: usize = games.iter().map(|game| game.moves.len() + 1).sum();
    let answered = results.matches("\"type\":\"result\"").count();
    println!(
        "{} games, {answered} of {positions} positions: {alone:.1} s of searches, {reviews:.1} s of reviews, {:+.1} %",
        games.len(),
        100.0 * (reviews / alone - 1.0),
    );
    Ok(())
}

/// The processor time of the searches of a game, as a review has them.
fn searches(game: &Record<Position>, limits: &Limits) -> f64 {
    let player = Position::player(None).expect("the default player");
    let mut position = game.start.clone();
    let mut engine = player
        .build(position.clone(), 1, &[])
        .expect("its own parameters");
    let mut taken = 0.0;
    for mv in game.moves.iter().map(Some).chain([None]) {
        engine.set_position(position.clone());
        let before = processor_time();
        engine.search(limits, &mut |_| {});
        taken += processor_time() - before;
        if let Some(&mv) = mv {
            game::Game::play(&mut position, mv);
        }
    }
    taken
}

fn line(query: &Query, simulations: u64) -> String {
    let moves = query.moves().join(" ");
    let mut line = json!({
        "id": query.id, "game": "havannah", "moves": moves, "turns": "all", "report": ["review"],
        "dialect": query.dialect, "simulations": simulations,
    });
    for (name, value) in &query.options {
        line[name] = value.clone();
    }
    Value::to_string(&line)
}
