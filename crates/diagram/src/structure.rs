//! Which stones have won a game of Havannah.

use havannah::rules::geometry::{CORNERS, EDGES, Rim};
use havannah::rules::rings::{RingSearch, WantedRing};
use havannah::{Cell, Geometry, Move, Position, Structure};
use std::collections::{HashMap, HashSet, VecDeque};

/// The stones of the structure that the last move completed, without any that it would stand without:
/// of a ring the closed chain, of a fork or a bridge as few stones of the group as join three edges or
/// two corners. None while the game goes on or if it is drawn.
pub fn winning_stones(position: &Position) -> Vec<Cell> {
    let board = position.board();
    let (Some(structure), Some(Move::Place(last))) = (position.structure(), position.last_move())
    else {
        return Vec::new();
    };
    if structure == Structure::Ring {
        let mut search = RingSearch::default();
        if let Some(ring) = search.find(board, last, WantedRing::ANY) {
            return ring.to_vec();
        }
    }
    let geometry = position.geometry();
    let cells = geometry.cells().iter().copied();
    let group: HashSet<Cell> = cells.filter(|&cell| board.same_group(cell, last)).collect();
    let (ends, wanted) = match structure {
        Structure::Bridge => (CORNERS, 2),
        _ => (EDGES, 3),
    };
    skeleton(geometry, &group, ends, wanted)
}

/// The fewest stones of a group that join so many of the corners or edges in `ends`.
///
/// Three ways to three ends meet in one stone, so the best meeting place is the stone from which the
/// ways are shortest together; two ways make one.
fn skeleton(geometry: &Geometry, group: &HashSet<Cell>, ends: Rim, wanted: usize) -> Vec<Cell> {
    let distances: Vec<HashMap<Cell, usize>> = (0..Rim::BITS)
        .map(|bit| ends & (1 << bit))
        .map(|end| distances(geometry, group, |cell| geometry.rim(cell) & end != 0))
        .filter(|reached| !reached.is_empty())
        .collect();
    let nearest = |cell: Cell| {
        let mut ways: Vec<&HashMap<Cell, usize>> = distances.iter().collect();
        ways.sort_by_key(|way| way[&cell]);
        ways.truncate(wanted);
        ways
    };
    // Cells in the order of the board, so that the answer does not depend on that of a set.
    let stones = geometry.cells().iter().filter(|cell| group.contains(cell));
    let length = |&&cell: &&Cell| -> usize { nearest(cell).iter().map(|way| way[&cell]).sum() };
    let Some(&meeting) = stones.min_by_key(length) else {
        return Vec::new();
    };
    let mut taken = vec![meeting];
    for way in nearest(meeting) {
        let mut at = meeting;
        while let Some(next) = geometry
            .neighbours(at)
            .find(|next| way.get(next).is_some_and(|&far| far + 1 == way[&at]))
        {
            taken.push(next);
            at = next;
        }
    }
    taken
}

/// How many steps each stone of a group is away from those that fit; nothing if none fits.
fn distances(
    geometry: &Geometry,
    group: &HashSet<Cell>,
    fits: impl Fn(Cell) -> bool,
) -> HashMap<Cell, usize> {
    let mut reached: HashMap<Cell, usize> = HashMap::new();
    let mut waiting = VecDeque::new();
    for &cell in group.iter().filter(|&&cell| fits(cell)) {
        reached.insert(cell, 0);
        waiting.push_back(cell);
    }
    while let Some(cell) = waiting.pop_front() {
        let far = reached[&cell] + 1;
        for next in geometry.neighbours(cell) {
            if group.contains(&next) && !reached.contains_key(&next) {
                reached.insert(next, far);
                waiting.push_back(next);
            }
        }
    }
    reached
}
