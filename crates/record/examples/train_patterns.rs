//! Learns the weights of `havannah::knowledge::patterns` from games.
//!
//! ```text
//! cargo run --release -p papamu-record --example train_patterns -- FOLDER OUT.tsv [PASSES]
//! ```
//!
//! Each move of a game is one choice among the empty cells. Stochastic gradient ascent with step sizes of
//! Adagrad makes the choices of the games more likely. A tenth of the games is kept out, to report how
//! well choices never seen are predicted. The weights that the program comes with were made from the games
//! of Little Golem with 5 passes.

use game::Game;
use havannah::knowledge::patterns::{
    Features, NEAR, NEAREST, PLAIN, PLAIN_COUNT, ShapeCode, canonical,
};
use havannah::{Cell, Move, Position};
use std::collections::HashMap;
use std::error::Error;
use std::io::{BufWriter, Write};
use std::{env, fs, io};

/// The parts of a shape: the number of cells, the bits, and how often one must have been there and chosen
/// to have a weight of its own.
const PARTS: [(u8, ShapeCode, u32, u32); 3] = [
    (6, NEAREST, 0, 0),
    (12, NEAR, 25, 3),
    (18, ShapeCode::MAX, 40, 3),
];

const RATE: f32 = 0.1;
/// How much weights shrink towards 0.
const SHRINK: f32 = 2e-5;

/// A position of a game: what the features of its moves are, and which move was made.
struct Choice<'a> {
    features: &'a Features,
    position: &'a Position,
    empty: &'a [Cell],
    made: Cell,
}

/// A game: the start and the moves.
struct Played(Position, Vec<Move>);

impl Played {
    /// Tells of every choice, but the first.
    fn replay(&self, mut visit: impl FnMut(&Choice)) {
        let mut position = self.0.clone();
        let mut features = Features::new(position.geometry());
        for (ply, &mv) in self.1.iter().enumerate() {
            if position.outcome().is_some() {
                return;
            }
            if let (Move::Place(made), 1..) = (mv, ply) {
                features.prepare(&position);
                let cells = position.geometry().cells().iter().copied();
                let empty: Vec<Cell> = cells
                    .filter(|&cell| position.board().is_empty(cell))
                    .collect();
                visit(&Choice {
                    features: &features,
                    position: &position,
                    empty: &empty,
                    made,
                });
            }
            position.play(mv);
        }
    }
}

fn read(folder: &str) -> Result<Vec<Played>, Box<dyn Error>> {
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, io::Error>>()?;
    files.sort();
    let mut games = Vec::new();
    for file in files {
        for raw in record::read(&fs::read(&file)?)? {
            if raw.game().is_none_or(|game| game == Position::NAME) {
                let record = raw.replay(None)?;
                games.push(Played(record.start, record.moves));
            }
        }
    }
    Ok(games)
}

/// The numbers of the shapes that have a weight, after those of the plain features.
struct Numbers {
    canonical: HashMap<ShapeCode, ShapeCode>,
    known: HashMap<(u8, ShapeCode), usize>,
}

impl Numbers {
    fn of(games: &[Played]) -> Numbers {
        let mut numbers = Numbers {
            canonical: HashMap::new(),
            known: HashMap::new(),
        };
        // How often each was there, and how often chosen.
        let mut seen: HashMap<(u8, ShapeCode), (u32, u32)> = HashMap::new();
        for game in games {
            game.replay(|choice| {
                for &cell in choice.empty {
                    let shape = choice.features.shape(cell);
                    for (kind, bits, _, _) in PARTS {
                        let code = numbers.canonical.entry(shape & bits);
                        let code = *code.or_insert_with(|| canonical(shape & bits));
                        let (there, chosen) = seen.entry((kind, code)).or_default();
                        *there += 1;
                        *chosen += u32::from(cell == choice.made);
                    }
                }
            });
        }
        let is_frequent = |&(&(kind, _), &(there, chosen)): &(&(u8, ShapeCode), &(u32, u32))| {
            let part = PARTS.iter().find(|part| part.0 == kind);
            part.is_some_and(|&(_, _, least, least_chosen)| {
                there >= least && chosen >= least_chosen
            })
        };
        let mut frequent: Vec<_> = seen
            .iter()
            .filter(is_frequent)
            .map(|(&key, _)| key)
            .collect();
        frequent.sort_unstable();
        let number = |(place, key)| (key, PLAIN_COUNT + place);
        numbers.known = frequent.into_iter().enumerate().map(number).collect();
        numbers
    }

    /// The features of a move that have weights.
    fn features(&self, choice: &Choice, cell: Cell) -> Vec<usize> {
        let mut numbers = Vec::with_capacity(PLAIN + PARTS.len());
        let plain = choice.features.plain(choice.position, cell);
        numbers.extend(plain.map(usize::from));
        let shape = choice.features.shape(cell);
        numbers.extend(PARTS.iter().filter_map(|&(kind, bits, _, _)| {
            let code = self.canonical.get(&(shape & bits))?;
            self.known.get(&(kind, *code)).copied()
        }));
        numbers
    }
}

/// How well choices were predicted.
#[derive(Default)]
struct Tested {
    loss: f64,
    choices: u32,
    first: u32,
    among_five: u32,
}

struct Model {
    weights: Vec<f32>,
    /// By weight: the sum of the squares of its slopes.
    squares: Vec<f32>,
}

impl Model {
    /// The probabilities of moves with these features.
    fn probabilities(&self, moves: &[Vec<usize>]) -> Vec<f32> {
        let sum = |numbers: &Vec<usize>| numbers.iter().map(|&number| self.weights[number]).sum();
        let logits: Vec<f32> = moves.iter().map(sum).collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let total: f32 = powers.iter().sum();
        powers.into_iter().map(|power| power / total).collect()
    }

    fn learn(&mut self, moves: &[Vec<usize>], made: usize) {
        let probabilities = self.probabilities(moves);
        let mut slopes: HashMap<usize, f32> = HashMap::new();
        for (place, numbers) in moves.iter().enumerate() {
            let error = probabilities[place] - f32::from(u8::from(place == made));
            for &number in numbers {
                *slopes.entry(number).or_default() += error;
            }
        }
        for (number, slope) in slopes {
            let slope = slope + SHRINK * self.weights[number];
            self.squares[number] += slope * slope;
            self.weights[number] -= RATE * slope / self.squares[number].sqrt();
        }
    }

    fn test(&self, moves: &[Vec<usize>], made: usize, tested: &mut Tested) {
        let probabilities = self.probabilities(moves);
        let better = |&&other: &&f32| other > probabilities[made];
        let better = probabilities.iter().filter(better).count();
        tested.loss -= f64::from(probabilities[made].ln());
        tested.choices += 1;
        tested.first += u32::from(better == 0);
        tested.among_five += u32::from(better < 5);
    }

    /// A tenth of the games is tested, the others are learned.
    fn pass(&mut self, games: &[Played], numbers: &Numbers) -> Tested {
        let mut tested = Tested::default();
        for (index, game) in games.iter().enumerate() {
            game.replay(|choice| {
                let moves: Vec<Vec<usize>> = choice
                    .empty
                    .iter()
                    .map(|&cell| numbers.features(choice, cell))
                    .collect();
                let made = choice.empty.iter().position(|&cell| cell == choice.made);
                match made {
                    Some(made) if index % 10 == 7 => self.test(&moves, made, &mut tested),
                    Some(made) => self.learn(&moves, made),
                    None => {}
                }
            });
        }
        tested
    }

    fn write(&self, numbers: &Numbers, out: &str) -> Result<(), io::Error> {
        let mut file = BufWriter::new(fs::File::create(out)?);
        let mut line = |kind: &str, code: ShapeCode, weight: f32| {
            let thousandths = (1000.0 * weight).round();
            if thousandths == 0.0 {
                return Ok(());
            }
            writeln!(file, "{kind}\t{code:x}\t{thousandths}")
        };
        for (plain, &weight) in self.weights[..PLAIN_COUNT].iter().enumerate() {
            line("plain", plain as ShapeCode, weight)?;
        }
        let mut shapes: Vec<_> = numbers.known.iter().collect();
        shapes.sort_unstable();
        for (&(kind, code), &number) in shapes {
            line(&kind.to_string(), code, self.weights[number])?;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (Some(folder), Some(out)) = (arguments.first(), arguments.get(1)) else {
        return Err("usage: train_patterns FOLDER OUT.tsv [PASSES]".into());
    };
    let passes: usize = arguments.get(2).map_or(Ok(5), |text| text.parse())?;
    let games = read(folder)?;
    let numbers = Numbers::of(&games);
    let count = PLAIN_COUNT + numbers.known.len();
    println!("{} games, {} shapes", games.len(), numbers.known.len());
    let mut model = Model {
        weights: vec![0.0; count],
        squares: vec![1e-6; count],
    };
    for pass in 1..=passes {
        let tested = model.pass(&games, &numbers);
        let share = |count: u32| 100.0 * f64::from(count) / f64::from(tested.choices);
        println!(
            "pass {pass}: loss {:.4}, first {:.1} %, among five {:.1} % of {} moves",
            tested.loss / f64::from(tested.choices),
            share(tested.first),
            share(tested.among_five),
            tested.choices
        );
    }
    model.write(&numbers, out)?;
    Ok(())
}
