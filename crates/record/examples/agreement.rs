//! How often the moves of games are those that Havannah's network expects before any search.
//!
//! ```text
//! cargo run --release -p papamu-record --example agreement -- FOLDER [FILE.weights]
//! ```
//!
//! The network is that of the program for the size, or of a file. First stones are left out, since the swap rule makes of them what no
//! network learns.

use game::Game;
use havannah::knowledge::network::{Network, Shipped, Weights};
use havannah::{Move, Position};
use record::Record;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::{env, fs, io};

/// The moves of the games of one size.
#[derive(Default)]
struct Agreement {
    games: u32,
    moves: u32,
    first: u32,
    first_five: u32,
    /// The sum of -ln of their probabilities.
    surprise: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().ok_or("which folder of games?")?;
    let weights = match arguments.next() {
        None => None,
        Some(file) => Some(Arc::new(Weights::load(Path::new(&file))?.0)),
    };
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, io::Error>>()?;
    files.sort();
    let mut sizes = BTreeMap::<usize, Agreement>::new();
    for file in files {
        for raw in record::read(&fs::read(&file)?)? {
            if raw.game().is_none_or(|game| game == Position::NAME) {
                let game: Record<Position> = raw.replay(None)?;
                let size = game.start.geometry().shape().size();
                let weights = weights.clone();
                let weights = weights.unwrap_or_else(|| Shipped::for_size(size).weights());
                let mut network = Network::new(game.start.geometry(), weights);
                compare(
                    &mut network,
                    game.start,
                    &game.moves,
                    sizes.entry(size).or_default(),
                );
            }
        }
    }
    println!("| size | games | moves | first | first five | nats |");
    println!("|---:|---:|---:|---:|---:|---:|");
    for (size, found) in sizes {
        let moves = f64::from(found.moves.max(1));
        println!(
            "| {size} | {} | {} | {:.1} % | {:.1} % | {:.3} |",
            found.games,
            found.moves,
            100.0 * f64::from(found.first) / moves,
            100.0 * f64::from(found.first_five) / moves,
            found.surprise / moves,
        );
    }
    Ok(())
}

fn compare(network: &mut Network, mut position: Position, moves: &[Move], found: &mut Agreement) {
    let mut probabilities = vec![0.0; position.geometry().grid()];
    found.games += 1;
    for (ply, &mv) in moves.iter().enumerate() {
        if position.outcome().is_some() {
            return;
        }
        if let (Move::Place(made), 1..) = (mv, ply) {
            network.judge(&position, &mut probabilities);
            let of_made = probabilities[made.index()];
            let cells = position.geometry().cells().iter();
            let empty = cells.filter(|&&cell| position.board().is_empty(cell));
            let likelier = empty.filter(|&&cell| probabilities[cell.index()] > of_made);
            let rank = likelier.count();
            found.moves += 1;
            found.first += u32::from(rank == 0);
            found.first_five += u32::from(rank < 5);
            found.surprise -= f64::from(of_made.max(f32::MIN_POSITIVE)).ln();
        }
        position.play(mv);
    }
}
