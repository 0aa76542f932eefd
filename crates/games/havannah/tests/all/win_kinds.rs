//! How uniformly random games end, against the tables of the Castro thesis (2012).
//!
//! `cargo test -p papamu-havannah --test all win_kinds -- --nocapture` prints both side by side.

use game::{Side, random};
use havannah::playout::UniformPlayout;
use havannah::{Board, Geometry, Shape, Structure};

const KINDS: [Structure; 3] = [Structure::Fork, Structure::Bridge, Structure::Ring];

/// Table "Number of Wins of Each Type by Board Size Given 10000 Simulations": size, then wins by fork,
/// bridge and ring.
const WINS: [(u32, [f64; 3]); 7] = [
    (4, [4267.0, 5177.0, 543.0]),
    (5, [5111.0, 2962.0, 1926.0]),
    (6, [4471.0, 1691.0, 3838.0]),
    (7, [3536.0, 1007.0, 5457.0]),
    (8, [2266.0, 460.0, 7274.0]),
    (9, [1365.0, 229.0, 8406.0]),
    (10, [796.0, 126.0, 9078.0]),
];

/// Table "Average Number of Moves in a Rollout Before Each Victory Type", likewise.
const LENGTHS: [(u32, [f64; 3]); 7] = [
    (4, [29.56, 26.34, 28.00]),
    (5, [48.13, 44.77, 44.36]),
    (6, [71.66, 68.01, 65.07]),
    (7, [98.91, 93.74, 89.14]),
    (8, [131.29, 126.29, 116.38]),
    (9, [167.01, 160.12, 146.13]),
    (10, [206.35, 196.88, 177.64]),
];

/// Games on one size: their number, and by kind the wins and the stones of the games so won.
#[derive(Default)]
struct Tally {
    games: u32,
    wins: [u32; 3],
    stones: [usize; 3],
}

impl Tally {
    /// Wins of each kind in 10,000 games.
    fn wins(&self) -> [f64; 3] {
        self.wins
            .map(|wins| f64::from(wins) * 10_000.0 / f64::from(self.games))
    }

    /// The mean number of stones in games won by each kind.
    fn lengths(&self) -> [f64; 3] {
        std::array::from_fn(|kind| self.stones[kind] as f64 / f64::from(self.wins[kind]))
    }
}

fn play(size: u32, games: u32, seed: u64) -> Tally {
    let geometry = Geometry::of(Shape::regular(size).expect("a size"));
    let board = Board::new(geometry);
    let mut playout = UniformPlayout::new(geometry);
    let mut rng = random::seeded(seed);
    let mut tally = Tally::default();
    for _ in 0..games {
        let ended = playout.play(&board, Side::White, &mut rng);
        tally.games += 1;
        if let Some((_, structure)) = ended.win {
            tally.wins[structure as usize] += 1;
            tally.stones[structure as usize] += ended.stones;
        }
    }
    tally
}

/// Our rows beside theirs, as text.
fn table(title: &str, decimals: usize, ours: &[[f64; 3]], theirs: &[(u32, [f64; 3])]) -> String {
    let mut text = format!("{title}, ours (Castro)\nsize");
    for kind in KINDS {
        text += &format!("{:>19}", kind.to_string());
    }
    for (ours, (size, theirs)) in ours.iter().zip(theirs) {
        text += &format!("\n{size:>4}");
        for (our, their) in ours.iter().zip(theirs) {
            text += &format!("{our:>10.decimals$} ({their:>6.decimals$})");
        }
    }
    text + "\n"
}

#[test]
fn the_kinds_of_wins_are_those_of_the_thesis() {
    let ours = WINS.map(|(size, _)| play(size, 10_000, 1).wins());
    let table = table("Wins in 10,000 random games", 0, &ours, &WINS);
    println!("{table}");
    for (ours, (size, theirs)) in ours.iter().zip(WINS) {
        for kind in 0..3 {
            // Three percentage points.
            let difference = (ours[kind] - theirs[kind]).abs();
            assert!(
                difference <= 300.0,
                "{} on size {size}\n{table}",
                KINDS[kind]
            );
        }
    }
}

/// Many games: more than 400 are won by the rarest kind, so that the mean of their lengths is known to
/// half a per cent, and more on the small boards.
#[test]
fn the_lengths_of_games_are_those_of_the_thesis() {
    let ours = LENGTHS.map(|(size, _)| play(size, 400_000 / size, 2).lengths());
    let table = table(
        "Mean number of stones in random games won by each kind",
        2,
        &ours,
        &LENGTHS,
    );
    println!("{table}");
    for (ours, (size, theirs)) in ours.iter().zip(LENGTHS) {
        for kind in 0..3 {
            let difference = (ours[kind] / theirs[kind] - 1.0).abs();
            assert!(
                difference <= 0.03,
                "{} on size {size}\n{table}",
                KINDS[kind]
            );
        }
    }
}
