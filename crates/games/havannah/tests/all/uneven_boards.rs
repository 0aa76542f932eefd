//! The table of solved boards with uneven sides, `docs/lab/uneven-boards.tsv`, and what the solver finds.

use game::{Game, Notation, Outcome, Side, Symmetric};
use havannah::solver::{Params, Solver};
use havannah::{Dialect, Position, Shape};
use search::Limits;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn page(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/lab");
    fs::read_to_string(folder.join(name)).expect("a page")
}

struct Row {
    board: String,
    opening: String,
    value: String,
    best: String,
    nodes: u64,
}

fn table() -> Vec<Row> {
    let text = page("uneven-boards.tsv");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let text = |at: usize| fields[at].to_owned();
        Row {
            board: text(0),
            opening: text(2),
            value: text(3),
            best: text(4),
            nodes: fields[5].parse().expect("a number"),
        }
    };
    text.lines().skip(1).map(row).collect()
}

fn after(board: &str, opening: &str) -> Position {
    let mut position = Position::new(board.parse::<Shape>().expect("a shape"));
    let mv = position.parse_move(opening, Dialect::Grid);
    position.play(mv.expect("a move"));
    position
}

fn solve(position: &Position) -> Outcome {
    let params = Params {
        memory: 64 << 20,
        ..Params::default()
    };
    let solver = Solver::new(position.geometry().shape(), &params);
    let mut solver = solver.expect("a board that fits");
    let report = solver.solve(position, &Limits::default(), &mut |_| {});
    report.outcome.expect("a value")
}

fn named(value: &str) -> Outcome {
    match value {
        "white" => Outcome::Win(Side::White),
        "black" => Outcome::Win(Side::Black),
        "draw" => Outcome::Draw,
        other => panic!("{other} is no value"),
    }
}

/// What the program shows of first stones is what the table says.
#[test]
fn the_programs_first_stones_are_those_of_the_table() {
    let shown = include_str!("../../src/knowledge/first_stones.tsv");
    let shown: Vec<Vec<&str>> = shown
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    for row in table() {
        let of_row = |fields: &&Vec<&str>| fields[..2] == [&row.board, &row.opening];
        let share = match named(&row.value) {
            Outcome::Win(Side::White) => "100",
            Outcome::Draw => "50",
            Outcome::Win(Side::Black) => "0",
        };
        let found = shown.iter().filter(|fields| fields.len() == 4).find(of_row);
        let expected = [share.to_owned(), format!("nodes {}", row.nodes)];
        let told = found.map(|fields| fields[2..] == expected);
        assert_eq!(told, Some(true), "{} {}", row.board, row.opening);
    }
}

/// Openings that took more nodes are left out: these take a second together.
const MOST: u64 = 20_000;

#[test]
fn the_solver_finds_the_values_of_the_table() {
    let mut solved = 0;
    for row in table().iter().filter(|row| row.nodes <= MOST) {
        let Row { board, opening, .. } = row;
        let mut position = after(board, opening);
        let value = named(&row.value);
        assert_eq!(solve(&position), value, "{board} after {opening}");
        // The best answer keeps it.
        let best = position.parse_move(&row.best, Dialect::Grid);
        position.play(best.expect("a move"));
        let kept = position.outcome().unwrap_or_else(|| solve(&position));
        assert_eq!(kept, value, "{board} after {opening} {}", row.best);
        solved += 1;
    }
    assert!(solved > 140, "{solved}");
}

/// The table has one of each class of symmetric openings of each of its boards.
#[test]
fn the_table_has_all_openings() {
    let mut boards: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for row in table() {
        let position = after(&row.board, &row.opening);
        let known = boards.entry(row.board).or_default();
        known.push(position.representative_hash());
    }
    for (board, mut known) in boards {
        let start = Position::new(board.parse::<Shape>().expect("a shape"));
        let mut moves = Vec::new();
        start.legal_moves(&mut moves);
        let mut all: Vec<u64> = moves
            .into_iter()
            .map(|mv| {
                let mut position = start.clone();
                position.play(mv);
                position.representative_hash()
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        known.sort_unstable();
        assert_eq!(known, all, "{board}");
    }
}

/// The page lists the same openings by their values.
#[test]
fn the_page_says_what_the_table_says() {
    let mut boards: BTreeMap<String, [Vec<String>; 3]> = BTreeMap::new();
    for row in table() {
        let place = match row.value.as_str() {
            "white" => 0,
            "draw" => 1,
            _ => 2,
        };
        boards.entry(row.board).or_default()[place].push(row.opening);
    }
    let page = page("solving.md");
    let (_, section) = page
        .split_once("### Boards with uneven sides")
        .expect("the section");
    let (section, _) = section.split_once("\n### ").expect("its end");
    let mut rows = 0;
    for line in section
        .lines()
        .filter(|line| line.starts_with("| 2x") || line.starts_with("| 3x"))
    {
        let fields: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let told = [2, 3, 4].map(|at| {
            let openings = fields[at].split(", ").filter(|&opening| opening != "–");
            let mut openings: Vec<String> = openings.map(str::to_owned).collect();
            openings.sort();
            openings
        });
        let mut known = boards.remove(fields[0]).expect("a board of the table");
        for openings in &mut known {
            openings.sort();
        }
        assert_eq!(told, known, "{}", fields[0]);
        rows += 1;
    }
    assert!(boards.is_empty() && rows > 15, "{boards:?}");
}
