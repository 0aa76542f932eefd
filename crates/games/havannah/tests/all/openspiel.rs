//! The playthroughs that OpenSpiel recorded of its own Havannah, state by state.

use game::{Game, Outcome, Side};
use havannah::{Cell, Move, Position, Shape};
use std::collections::BTreeSet;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

/// A file of `PAPAMU_DATA`, or of the data beside the workspace; says so if it is absent.
fn read(name: &str) -> Option<String> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let data = std::env::var_os("PAPAMU_DATA").map_or_else(beside, PathBuf::from);
    let path = data.join("openspiel").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        // Not by `println!`, which is shown for tests that fail only.
        let _ = writeln!(stderr(), "skipped: no file {}", path.display());
    }
    text
}

#[test]
fn game_without_the_swap_rule() {
    if let Some(text) = read("havannah(board_size=4).txt") {
        let checked = check(&text, false);
        assert_eq!(
            checked,
            Checked {
                states: 34,
                in_full: 9
            }
        );
    }
}

#[test]
fn game_with_the_swap_rule() {
    if let Some(text) = read("havannah(board_size=4,swap=True).txt") {
        let checked = check(&text, true);
        assert_eq!(
            checked,
            Checked {
                states: 35,
                in_full: 9
            }
        );
    }
}

#[derive(Debug, Default, PartialEq)]
struct Checked {
    /// All states. Each gives its number and, but for the last, the action that follows.
    states: usize,
    /// Those that give the board, the player, the legal actions and the returns besides.
    in_full: usize,
}

fn check(text: &str, swap_rule: bool) -> Checked {
    let mut parts = text.split("# State ");
    let head = parts.next().expect("a head");
    let rule = if swap_rule { "True" } else { "False" };
    let parameters = format!("{{ansi_color_output=False,board_size=4,swap={rule}}}");
    assert_eq!(value(head, "GetParameters()"), Some(&*parameters));

    let mut position = Position::new(Shape::regular(4).expect("a size"));
    if swap_rule {
        position = position.under_swap_rule();
    }
    let mut checked = Checked::default();
    let mut history: Vec<String> = Vec::new();
    for state in parts {
        let number = checked.states.to_string();
        assert_eq!(state.lines().next(), Some(&*number));
        checked.states += 1;
        if value(state, "IsTerminal()").is_some() {
            check_state(state, &position, &history);
            checked.in_full += 1;
        }
        let Some(action) = value_after(state, "action: ") else {
            assert!(
                position.outcome().is_some(),
                "the record ends before the game"
            );
            continue;
        };
        let name = value_after(state, "# Apply action ").expect("a name");
        let moves = moves(&position);
        let mv = moves
            .iter()
            .find(|&&mv| action_of(&position, mv).to_string() == action);
        let &mv = mv.unwrap_or_else(|| panic!("{action} is not legal in state {number}"));
        assert_eq!(format!("{:?}", name_of(&position, mv)), name);
        position.play(mv);
        history.push(action.to_owned());
    }
    checked
}

/// Checks a state that is given in full.
fn check_state(state: &str, position: &Position, history: &[String]) {
    let field = |name: &str| value(state, name).unwrap_or_else(|| panic!("no {name} in {state}"));
    let over = position.outcome().is_some();

    assert_eq!(drawing(state), stones(position));
    assert_eq!(field("IsTerminal()"), if over { "True" } else { "False" });
    assert_eq!(field("History()"), format!("[{}]", history.join(", ")));
    let player = match position.to_move() {
        _ if over => "-4",
        Side::White => "0",
        Side::Black => "1",
    };
    assert_eq!(field("CurrentPlayer()"), player);
    let returns = match position.outcome() {
        Some(Outcome::Win(Side::White)) => "[1, -1]",
        Some(Outcome::Win(Side::Black)) => "[-1, 1]",
        Some(Outcome::Draw) | None => "[0, 0]",
    };
    assert_eq!(field("Returns()"), returns);
    assert_eq!(field("Rewards()"), returns);

    let moves = moves(position);
    let actions: BTreeSet<String> = moves
        .iter()
        .map(|&mv| action_of(position, mv).to_string())
        .collect();
    let names: BTreeSet<String> = moves.iter().map(|&mv| name_of(position, mv)).collect();
    assert_eq!(actions.len(), moves.len());
    // A state that is terminal has no lists.
    assert_eq!(
        list(value(state, "LegalActions()").unwrap_or("[]")),
        actions
    );
    assert_eq!(
        list(value(state, "StringLegalActions()").unwrap_or("[]")),
        names
    );
}

fn moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The cell that a move is written with. OpenSpiel swaps by playing on the first stone.
fn cell_of(position: &Position, mv: Move) -> Cell {
    match (mv, position.last_move()) {
        (Move::Place(cell), _) | (Move::Swap, Some(Move::Place(cell))) => cell,
        (Move::Swap, last) => panic!("a swap after {last:?}"),
    }
}

/// OpenSpiel's number of a move: cells row by row, with those that are not on the board.
fn action_of(position: &Position, mv: Move) -> usize {
    let (x, y) = position.geometry().coordinates(cell_of(position, mv));
    y * position.geometry().shape().rows() + x
}

/// OpenSpiel's name of a move: a letter for the column and a number for the row.
fn name_of(position: &Position, mv: Move) -> String {
    let (x, y) = position.geometry().coordinates(cell_of(position, mv));
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

/// The rest of the line that begins with `name = `.
fn value<'a>(state: &'a str, name: &str) -> Option<&'a str> {
    value_after(state, &format!("{name} = "))
}

/// The rest of the line that begins so.
fn value_after<'a>(state: &'a str, begin: &str) -> Option<&'a str> {
    state.lines().find_map(|line| line.strip_prefix(begin))
}

/// The items of a list such as `[1, 2]` or `["a1", "b1"]`.
fn list(text: &str) -> BTreeSet<String> {
    let items = text.trim_matches(['[', ']']).split(", ");
    let items = items.filter(|item| !item.is_empty());
    items
        .map(|item| item.trim_matches('"').to_owned())
        .collect()
}

/// The rows of the board as drawn, without spaces and the brackets around the last stone.
fn drawing(state: &str) -> Vec<String> {
    let lines = state.lines().filter_map(|line| line.strip_prefix("# "));
    let rows = lines.filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    let cells = |row: &str| row.chars().filter(|&c| "O@.".contains(c)).collect();
    rows.map(cells).collect()
}

/// The rows of the board as OpenSpiel draws them: `O` for the first player, `@` for the second.
fn stones(position: &Position) -> Vec<String> {
    let geometry = position.geometry();
    let shape = geometry.shape();
    let mark = |cell: Cell| match position.board().stone(cell) {
        Some(Side::White) => 'O',
        Some(Side::Black) => '@',
        None => '.',
    };
    let row = |y: usize| {
        let cells = shape.columns(y).filter_map(|x| geometry.cell_at(x, y));
        cells.map(mark).collect()
    };
    (0..shape.rows()).map(row).collect()
}
