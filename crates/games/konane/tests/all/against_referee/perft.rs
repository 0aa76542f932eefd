//! Counts of move sequences, which the slow referee made and every board has to repeat.

use super::referee::{self, Referee};
use game::conformance;
use konane::shokry::DynamicBoard;
use konane::{
    BitBoard, Board, LargeBitBoard, NaiveBoard, Opening, PositionOn, Setup, Shape, SmallBitBoard,
    Start,
};

/// One line of the table.
struct Count {
    rows: usize,
    cols: usize,
    opening: &'static str,
    depth: u32,
    nodes: u64,
}

/// Rows, columns, opening, depth and nodes, one count a line.
fn counts() -> Vec<Count> {
    let read = |line: &'static str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [rows, cols, opening, depth, nodes] = columns[..] else {
            panic!("five columns: {line}");
        };
        let number = |text: &str| text.parse::<u64>().expect("a number");
        Count {
            rows: number(rows) as usize,
            cols: number(cols) as usize,
            opening,
            depth: number(depth) as u32,
            nodes: number(nodes),
        }
    };
    let lines = include_str!("perft.tsv").lines();
    lines.skip(1).map(read).collect()
}

fn start(count: &Count) -> Start {
    Start {
        shape: Shape::new(count.rows, count.cols).expect("a shape"),
        opening: match count.opening {
            "traditional" => Opening::Traditional,
            "any-stone" => Opening::AnyStone,
            setup => Opening::Removed(setup.parse::<Setup>().expect("a setup")),
        },
    }
}

/// Checks the counts that fit on a board of this kind, and do not take it too long.
fn check<B: Board>(most_nodes: u64) {
    let mut checked = 0;
    for count in counts() {
        if count.nodes <= most_nodes
            && let Ok(position) = PositionOn::<B>::new(&start(&count))
        {
            conformance::perft_counts(&position, &[(count.depth, count.nodes)]);
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} counts checked");
}

#[test]
fn naive_board() {
    check::<NaiveBoard>(200_000);
}

#[test]
fn dynamic_board() {
    check::<DynamicBoard>(200_000);
}

#[test]
fn small_bitboard() {
    check::<SmallBitBoard>(u64::MAX);
}

#[test]
fn wider_bitboards() {
    check::<BitBoard<4>>(200_000);
    check::<LargeBitBoard>(200_000);
}

/// The table is what the referee says, as far as it gets in a moment.
#[test]
fn the_referee_repeats_its_counts() {
    for count in counts().iter().filter(|count| count.nodes <= 5_000) {
        assert_eq!(
            perft(&referee(count), count.depth),
            count.nodes,
            "{}×{} {} {}",
            count.rows,
            count.cols,
            count.opening,
            count.depth
        );
    }
}

fn referee(count: &Count) -> Referee {
    let (rows, cols) = (count.rows, count.cols);
    let (row, col) = (rows / 2, cols / 2);
    let removed = match count.opening {
        "traditional" => return Referee::new(rows, cols, referee::Opening::Traditional),
        "any-stone" => return Referee::new(rows, cols, referee::Opening::AnyStone),
        "corner" => [(0, 0), (0, 1)],
        "corner-vertical" => [(0, 0), (1, 0)],
        "centre" => [(row, col), (row, col - 1)],
        "centre-vertical" => [(row, col), (row - 1, col)],
        other => panic!("no such opening: {other}"),
    };
    Referee::without(rows, cols, removed)
}

fn perft(position: &Referee, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |written: &String| {
        let mut child = position.clone();
        child.play(written);
        perft(&child, depth - 1)
    };
    position.moves().iter().map(after).sum()
}
