//! A slow referee, written from the definitions of the rules and sharing no code with the crate: a
//! drawing of the board on squared paper, on which everything is found anew by looking.
//!
//! Neighbours of a cell are two columns away on its own line, or one column away on the line above or
//! below:
//!
//! ```text
//!     . . .        sides 3, 3, 3: three cells on the top line,
//!    . . . .       three down its right end (a3, b4, c5),
//!   . . . . .      three from there on (c5, d4, e3)
//!    . . . .
//!     . . .
//! ```
//!
//! A cell is named by its line, from `a`, and its number on that line, from 1.

use std::fmt;

/// Line and column.
type Place = (usize, usize);

/// The steps from a cell to its neighbours, clockwise, beginning to the right.
const STEPS: [(isize, isize); 6] = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)];

const EMPTY: char = '.';
const BLANK: char = ' ';
const PAINT: char = '*';

#[derive(Clone)]
pub struct Referee {
    /// `w`, `b` or empty for cells, blank elsewhere. There is blank paper all around the board.
    drawing: Vec<Vec<char>>,
    cells: Vec<Place>,
    corners: Vec<Place>,
    /// The cells of each edge, without the corners.
    edges: Vec<Vec<Place>>,
    swap_rule: bool,
    played: Vec<Place>,
}

impl Referee {
    /// The empty board with these sides, in order round half the board.
    pub fn new(sides: [usize; 3], swap_rule: bool) -> Referee {
        let [a, b, c] = sides;
        // Walk round the board from the first cell of the top line, and note the way.
        let mut place = (1, c + 1);
        let (mut corners, mut edges) = (Vec::new(), Vec::new());
        for (side, direction) in [a, b, c, a, b, c].into_iter().zip(STEPS) {
            corners.push(place);
            let mut edge = Vec::new();
            for _ in 1..side {
                place = step(place, direction);
                edge.push(place);
            }
            // The last cell of the side is the next corner.
            edge.pop();
            edges.push(edge);
        }
        // The board is what lies between the outermost cells of each line.
        let outline: Vec<Place> = edges.iter().flatten().chain(&corners).copied().collect();
        let lines = b + c - 1;
        let mut cells = Vec::new();
        for line in 1..=lines {
            let columns = || outline.iter().filter(|at| at.0 == line).map(|at| at.1);
            let ends = columns().min().zip(columns().max());
            let (left, right) = ends.expect("a line of the board");
            cells.extend((left..=right).step_by(2).map(|column| (line, column)));
        }
        let mut drawing = vec![vec![BLANK; 2 * a + b + c + 1]; lines + 2];
        for &(line, column) in &cells {
            drawing[line][column] = EMPTY;
        }
        Referee {
            drawing,
            cells,
            corners,
            edges,
            swap_rule,
            played: Vec::new(),
        }
    }

    /// Whose turn it is.
    pub fn turn(&self) -> char {
        ['w', 'b'][self.played.len() % 2]
    }

    /// The legal moves, stones in the order of the lines, then the swap.
    pub fn moves(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        let empty = self.cells.iter().filter(|&&at| self.at(at) == EMPTY);
        let mut moves: Vec<String> = empty.map(|&at| self.name(at)).collect();
        if self.swap_rule && self.played.len() == 1 {
            moves.push("swap".to_owned());
        }
        moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, written: &str) {
        let colour = self.turn();
        if written == "swap" {
            assert!(self.swap_rule && self.played.len() == 1);
            let (line, column) = self.played[0];
            self.drawing[line][column] = colour;
            self.played.push((line, column));
        } else {
            self.put(written, colour);
        }
    }

    /// Puts a stone on an empty cell, whosever turn it is.
    pub fn put(&mut self, written: &str, colour: char) {
        let at = self.place(written);
        assert_eq!(self.at(at), EMPTY, "{written}");
        self.drawing[at.0][at.1] = colour;
        self.played.push(at);
    }

    /// Whether the game is over.
    fn is_over(&self) -> bool {
        self.is_full()
            || ['w', 'b']
                .iter()
                .any(|&colour| !self.structures(colour).is_empty())
    }

    /// Whether there is no empty cell left.
    pub fn is_full(&self) -> bool {
        self.cells.iter().all(|&at| self.at(at) != EMPTY)
    }

    /// The structures that a colour has, in the order in which they count: fork, bridge, ring.
    pub fn structures(&self, colour: char) -> Vec<&'static str> {
        let groups = self.groups(colour);
        let edges_of = |group: &Vec<Place>| {
            let touched = |edge: &&Vec<Place>| edge.iter().any(|at| group.contains(at));
            self.edges.iter().filter(touched).count()
        };
        let corners_of =
            |group: &Vec<Place>| self.corners.iter().filter(|at| group.contains(at)).count();
        let mut structures = Vec::new();
        if groups.iter().any(|group| edges_of(group) >= 3) {
            structures.push("fork");
        }
        if groups.iter().any(|group| corners_of(group) >= 2) {
            structures.push("bridge");
        }
        if self.has_ring(colour) {
            structures.push("ring");
        }
        structures
    }

    /// Whether there is a closed loop of a colour's stones, each a neighbour of the next, around at
    /// least one cell, whatever that holds.
    ///
    /// That is so exactly where some cell that is not of the colour is cut off from the outside, or some
    /// stone of the colour has only stones of the colour around it:
    /// - A cell that is cut off has a loop around it: the stones that its part of the board meets on the
    ///   outside, for on a board of hexagons these are each a neighbour of the next. The six stones
    ///   around a stone are a loop, too.
    /// - Given a loop, look at what is inside. Steps from neighbour to neighbour cannot cross the loop.
    ///   So a cell inside that is not of the colour is cut off. If there is none, all cells inside are
    ///   of the colour, and the neighbours of any of them, inside or on the loop, are so, too.
    pub fn has_ring(&self, colour: char) -> bool {
        self.has_cut_off_cell(colour) || self.has_buried_stone(colour)
    }

    /// Whether all that the colour's rings go round are stones of the colour.
    pub fn has_only_full_rings(&self, colour: char) -> bool {
        self.has_buried_stone(colour) && !self.has_cut_off_cell(colour)
    }

    fn has_cut_off_cell(&self, colour: char) -> bool {
        let mut paper = self.drawing.clone();
        let (line, column) = self.corners[0];
        fill(&mut paper, (line - 1, column + 1), |c| c != colour);
        let dry = |&&(line, column): &&Place| paper[line][column] != PAINT;
        self.cells
            .iter()
            .filter(dry)
            .any(|&at| self.at(at) != colour)
    }

    fn has_buried_stone(&self, colour: char) -> bool {
        let own = |at: Place| self.at(at) == colour;
        let buried = |&at: &Place| own(at) && STEPS.iter().all(|&by| own(step(at, by)));
        self.cells.iter().copied().any(|at| buried(&at))
    }

    /// Whether stones in this order are a ring without detours: a closed chain of stones of one colour,
    /// none twice, each a neighbour of the next and not of the one after it, around at least one cell.
    pub fn is_chain(&self, names: &[String]) -> bool {
        let mut alone = self.clone();
        for &(line, column) in &self.cells {
            alone.drawing[line][column] = EMPTY;
        }
        let mut places = Vec::new();
        for name in names {
            let at = self.place(name);
            if places.contains(&at) {
                return false;
            }
            alone.drawing[at.0][at.1] = self.at(at);
            places.push(at);
        }
        let neighbours = |one: Place, other: Place| STEPS.iter().any(|&by| step(one, by) == other);
        let following = |index: usize| places[index % places.len()];
        let fits = |index: usize| {
            let at = places[index];
            self.at(at) == self.at(places[0])
                && neighbours(at, following(index + 1))
                && !neighbours(at, following(index + 2))
        };
        (0..places.len()).all(fits) && alone.has_ring(self.at(places[0]))
    }

    /// The stones of each group of a colour.
    fn groups(&self, colour: char) -> Vec<Vec<Place>> {
        let mut paper = self.drawing.clone();
        let mut groups = Vec::new();
        for &(line, column) in &self.cells {
            if paper[line][column] == colour {
                groups.push(fill(&mut paper, (line, column), |c| c == colour));
            }
        }
        groups
    }

    fn at(&self, (line, column): Place) -> char {
        self.drawing[line][column]
    }

    fn name(&self, (line, column): Place) -> String {
        let number = self
            .cells
            .iter()
            .filter(|at| at.0 == line && at.1 <= column)
            .count();
        format!("{}{number}", char::from(b'`' + line as u8))
    }

    fn place(&self, name: &str) -> Place {
        let line = usize::from(name.as_bytes()[0] - b'`');
        let number: usize = name[1..].parse().expect("a number");
        let mut cells = self.cells.iter().filter(|at| at.0 == line);
        *cells.nth(number - 1).expect("a cell")
    }
}

/// The drawing.
impl fmt::Display for Referee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.drawing {
            writeln!(f, "{}", line.iter().collect::<String>().trim_end())?;
        }
        Ok(())
    }
}

/// The place that lies a step from another.
fn step((line, column): Place, (down, right): (isize, isize)) -> Place {
    (
        line.wrapping_add_signed(down),
        column.wrapping_add_signed(right),
    )
}

/// Paints a place and all that can be reached from it, stepping on such characters only. Returns what
/// it painted.
fn fill(paper: &mut [Vec<char>], from: Place, may_step_on: impl Fn(char) -> bool) -> Vec<Place> {
    paper[from.0][from.1] = PAINT;
    let mut painted = vec![from];
    let mut done = 0;
    while done < painted.len() {
        for by in STEPS {
            let (line, column) = step(painted[done], by);
            let there = paper.get(line).and_then(|columns| columns.get(column));
            if there.is_some_and(|&c| c != PAINT && may_step_on(c)) {
                paper[line][column] = PAINT;
                painted.push((line, column));
            }
        }
        done += 1;
    }
    painted
}
