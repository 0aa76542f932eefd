//! What a board keeps up to date, stone by stone, against what can be found by looking at the stones
//! alone.

use game::{Side, random};
use havannah::rules::geometry::{CORNERS, DIRECTIONS, EDGES, Rim};
use havannah::{Board, Cell, Geometry, Shape, Structure};
use proptest::prelude::*;
use proptest::sample::Index;

const SHAPES: &[&str] = &[
    "2", "3", "4", "5", "2x2x3", "2x5x3", "5x3x2", "3x4x4", "4x4x5",
];

/// A shape, and stones of either colour anywhere on it. They need not make a game: the colours come in
/// any order, and stones go on being placed after a structure is complete.
fn stones() -> impl Strategy<Value = (&'static Geometry, Vec<(Cell, Side)>)> {
    let placed = prop::collection::vec((any::<Index>(), any::<bool>()), 0..100);
    (prop::sample::select(SHAPES), placed).prop_map(|(shape, placed)| {
        let geometry = Geometry::of(shape.parse::<Shape>().expect("a shape"));
        let mut empty = geometry.cells().to_vec();
        let mut stones = Vec::new();
        for (index, white) in placed.into_iter().take(geometry.cells().len()) {
            let cell = empty.swap_remove(index.index(empty.len()));
            stones.push((cell, if white { Side::White } else { Side::Black }));
        }
        (geometry, stones)
    })
}

/// The stones of the group that a cell belongs to, found by going from stone to stone; none for an
/// empty cell.
fn group(geometry: &Geometry, stones: &[(Cell, Side)], of: Cell) -> Vec<Cell> {
    let side = |cell: Cell| {
        stones
            .iter()
            .find(|stone| stone.0 == cell)
            .map(|stone| stone.1)
    };
    let touch = |one: Cell, other: Cell| {
        let ((x0, y0), (x1, y1)) = (geometry.coordinates(one), geometry.coordinates(other));
        let step = (x1 as isize - x0 as isize, y1 as isize - y0 as isize);
        DIRECTIONS.contains(&step)
    };
    let mut group: Vec<Cell> = side(of).map(|_| of).into_iter().collect();
    let mut done = 0;
    while done < group.len() {
        for &(cell, colour) in stones {
            if Some(colour) == side(of) && touch(group[done], cell) && !group.contains(&cell) {
                group.push(cell);
            }
        }
        done += 1;
    }
    group
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn groups_are_what_flood_fill_finds((geometry, stones) in stones()) {
        let mut board = Board::new(geometry);
        for placed in 1..=stones.len() {
            let (last, side) = stones[placed - 1];
            let completed = board.place(last, side);
            let rim = check_group(&board, &stones[..placed], last)?;
            let fork = (rim & EDGES).count_ones() >= 3;
            let bridge = (rim & CORNERS).count_ones() >= 2 && !fork;
            prop_assert_eq!(completed == Some(Structure::Fork), fork);
            prop_assert_eq!(completed == Some(Structure::Bridge), bridge);
        }
        check_groups(&board, &stones)?;
    }

    #[test]
    fn stones_and_patterns_are_those_of_the_neighbours((geometry, stones) in stones()) {
        let mut board = Board::new(geometry);
        for &(cell, side) in &stones {
            board.place(cell, side);
        }
        let stone_at = |cell: Cell| stones.iter().find(|stone| stone.0 == cell).map(|stone| stone.1);
        for &cell in geometry.cells() {
            prop_assert_eq!(board.stone(cell), stone_at(cell));
            prop_assert_eq!(board.is_empty(cell), stone_at(cell).is_none());
            for side in Side::BOTH {
                let (x, y) = geometry.coordinates(cell);
                let own = |&(dx, dy): &(isize, isize)| {
                    let x = x.checked_add_signed(dx);
                    let at = x.zip(y.checked_add_signed(dy));
                    let cell = at.and_then(|(x, y)| geometry.cell_at(x, y));
                    cell.and_then(stone_at) == Some(side)
                };
                let bits = (0..).zip(&DIRECTIONS).map(|(bit, step)| u8::from(own(step)) << bit);
                prop_assert_eq!(board.pattern(cell, side), bits.sum::<u8>());
            }
        }
    }

    #[test]
    fn boards_are_equal_if_their_stones_are((geometry, stones) in stones(), first in any::<Index>()) {
        let board = placed(geometry, &stones);
        let mut copy = Board::new(geometry);
        copy.place(geometry.cells()[0], Side::White);
        copy.clone_from(&board);
        prop_assert!(copy == board && board.clone() == board);
        check_groups(&copy, &stones)?;

        // In another order the groups have other roots.
        let mut turned = stones.clone();
        turned.rotate_left(first.index(stones.len() + 1));
        prop_assert!(placed(geometry, &turned) == board);
        if let Some((_, fewer)) = stones.split_last() {
            prop_assert!(placed(geometry, fewer) != board);
        }
    }
}

/// Many rings are closed on the way, and each joins a group to itself.
#[test]
fn a_board_full_of_one_colour_is_one_group() {
    let geometry = Geometry::of(Shape::regular(10).expect("a size"));
    let mut rng = random::seeded(1);
    for _ in 0..20 {
        let mut cells = geometry.cells().to_vec();
        random::shuffle(&mut cells, &mut rng);
        let stones: Vec<(Cell, Side)> = cells.iter().map(|&cell| (cell, Side::White)).collect();
        let board = placed(geometry, &stones);
        assert_eq!(board.group_size(cells[0]), 271);
        assert_eq!(board.group_rim(cells[0]), CORNERS | EDGES);
    }
}

fn placed(geometry: &'static Geometry, stones: &[(Cell, Side)]) -> Board {
    let mut board = Board::new(geometry);
    for &(cell, side) in stones {
        board.place(cell, side);
    }
    board
}

fn check_groups(board: &Board, stones: &[(Cell, Side)]) -> Result<(), TestCaseError> {
    for &cell in board.geometry().cells() {
        check_group(board, stones, cell)?;
    }
    Ok(())
}

/// Checks what a board says of the group of a cell. Returns the edges and corners that it touches.
fn check_group(board: &Board, stones: &[(Cell, Side)], of: Cell) -> Result<Rim, TestCaseError> {
    let geometry = board.geometry();
    let members = group(geometry, stones, of);
    let rim = members
        .iter()
        .fold(0, |rim, &cell| rim | geometry.rim(cell));
    prop_assert_eq!(board.group_size(of) as usize, members.len());
    prop_assert_eq!(board.group_rim(of), rim);
    for &other in geometry.cells() {
        prop_assert_eq!(board.same_group(of, other), members.contains(&other));
    }
    Ok(rim)
}
