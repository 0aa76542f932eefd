use game::{Game, random};
use konane::{Board, NaiveBoard, Opening, PositionOn, Shape, Start, transferred};

pub fn start(rows: usize, cols: usize, setup: &str) -> PositionOn<NaiveBoard> {
    let opening = Opening::Removed(setup.parse().expect("a setup"));
    let shape = Shape::new(rows, cols).expect("a shape");
    PositionOn::new(&Start { shape, opening }).expect("a position")
}

/// The positions of random games on some shapes, at most so many from each game, each with a number of
/// its own.
pub fn for_positions(
    games: u64,
    from_each: usize,
    mut visit: impl FnMut(u64, &PositionOn<NaiveBoard>),
) {
    let shapes = [(8, 8), (6, 7), (4, 9), (1, 12), (9, 9), (14, 17)];
    let mut number = 0;
    for game in 0..games {
        let (rows, cols) = shapes[game as usize % shapes.len()];
        let setup = if game % 4 == 0 { "corner" } else { "centre" };
        let mut position = start(rows, cols, setup);
        let mut rng = random::seeded(game);
        let mut line = vec![position.clone()];
        while let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
            line.push(position.clone());
        }
        let every = line.len().div_ceil(from_each).max(1);
        for position in line.iter().skip(game as usize % every).step_by(every) {
            number += 1;
            visit(number, position);
        }
    }
}

pub fn on<B: Board>(position: &PositionOn<NaiveBoard>) -> PositionOn<B> {
    transferred(position).expect("a board of this kind")
}
