//! A slow referee, written from the rules of Shokry's thesis (2023), section 2.1, and sharing no code
//! with the crate: a table of letters, and everything found anew by looking.

/// A position. The table holds `b`, `w` or `.`, by row and column.
#[derive(Clone)]
pub struct Referee {
    table: Vec<Vec<char>>,
    turn: char,
    opening: Opening,
}

/// How the first stones leave the board.
#[derive(Clone, Copy, PartialEq)]
pub enum Opening {
    /// Black takes a stone from a corner or the middle.
    Traditional,
    /// Black takes any stone.
    AnyStone,
    /// Black took the stone at this row and column, White takes one beside it.
    Beside(usize, usize),
    /// Nothing is left to take.
    Over,
}

impl Referee {
    pub fn new(rows: usize, cols: usize, opening: Opening) -> Referee {
        let colour = |row: usize, col: usize| {
            if (row + col).is_multiple_of(2) {
                'b'
            } else {
                'w'
            }
        };
        let table = (0..rows).map(|row| (0..cols).map(|col| colour(row, col)).collect());
        Referee {
            table: table.collect(),
            turn: 'b',
            opening,
        }
    }

    /// The game in which the stones at these rows and columns are gone from the beginning.
    pub fn without(rows: usize, cols: usize, removed: [(usize, usize); 2]) -> Referee {
        let mut referee = Referee::new(rows, cols, Opening::Over);
        for (row, col) in removed {
            referee.table[row][col] = '.';
        }
        referee
    }

    pub fn rows(&self) -> usize {
        self.table.len()
    }

    pub fn cols(&self) -> usize {
        self.table[0].len()
    }

    pub fn turn(&self) -> char {
        self.turn
    }

    pub fn at(&self, row: usize, col: usize) -> char {
        self.table[row][col]
    }

    pub fn pieces(&self, side: char) -> usize {
        self.table.iter().flatten().filter(|&&c| c == side).count()
    }

    /// The legal moves as they are written, sorted.
    pub fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = match self.opening {
            Opening::Over => {
                let jumps = self.jumps(self.turn);
                let write = |jump: &Jump| format!("{}-{}", name(jump.from), name(jump.to));
                jumps.iter().map(write).collect()
            }
            _ => self.removals().into_iter().map(name).collect(),
        };
        moves.sort();
        moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, written: &str) {
        if self.opening == Opening::Over {
            let jumps = self.jumps(self.turn);
            let jump = jumps
                .iter()
                .find(|jump| written == format!("{}-{}", name(jump.from), name(jump.to)))
                .expect("a legal jump");
            self.table[jump.from.0][jump.from.1] = '.';
            for &(row, col) in &jump.taken {
                self.table[row][col] = '.';
            }
            self.table[jump.to.0][jump.to.1] = self.turn;
        } else {
            let removals = self.removals();
            let &(row, col) = removals
                .iter()
                .find(|&&cell| written == name(cell))
                .expect("a legal removal");
            self.table[row][col] = '.';
            self.opening = match self.opening {
                Opening::Beside(..) => Opening::Over,
                _ => Opening::Beside(row, col),
            };
        }
        self.turn = opponent(self.turn);
    }

    /// All jumps of a side, were it its turn.
    pub fn jumps(&self, side: char) -> Vec<Jump> {
        let mut found = Vec::new();
        for row in 0..self.rows() {
            for col in 0..self.cols() {
                if self.table[row][col] == side {
                    for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                        self.jumps_from((row, col), (down, right), &mut found);
                    }
                }
            }
        }
        found
    }

    fn jumps_from(&self, from: (usize, usize), step: (isize, isize), found: &mut Vec<Jump>) {
        let side = self.table[from.0][from.1];
        let mut taken = Vec::new();
        for jump in 1.. {
            let over = self.look(from, step, 2 * jump - 1);
            let landing = self.look(from, step, 2 * jump);
            match (over, landing) {
                (Some((over, what)), Some((to, '.'))) if what == opponent(side) => {
                    taken.push(over);
                    found.push(Jump {
                        from,
                        to,
                        taken: taken.clone(),
                    });
                }
                _ => return,
            }
        }
    }

    /// The cell some steps away and what is on it, if the board goes so far.
    fn look(
        &self,
        from: (usize, usize),
        step: (isize, isize),
        steps: isize,
    ) -> Option<((usize, usize), char)> {
        let row = usize::try_from(from.0 as isize + steps * step.0).ok()?;
        let col = usize::try_from(from.1 as isize + steps * step.1).ok()?;
        let what = *self.table.get(row)?.get(col)?;
        Some(((row, col), what))
    }

    fn removals(&self) -> Vec<(usize, usize)> {
        let (rows, cols) = (self.rows(), self.cols());
        let mut found = Vec::new();
        for row in 0..rows {
            for col in 0..cols {
                let corner = [0, rows - 1].contains(&row) && [0, cols - 1].contains(&col);
                let centre = [(rows - 1) / 2, rows / 2].contains(&row)
                    && [(cols - 1) / 2, cols / 2].contains(&col);
                let allowed = match self.opening {
                    Opening::Traditional => corner || centre,
                    Opening::AnyStone => true,
                    Opening::Beside(gap_row, gap_col) => {
                        row.abs_diff(gap_row) + col.abs_diff(gap_col) == 1
                    }
                    Opening::Over => false,
                };
                if allowed && self.table[row][col] == self.turn {
                    found.push((row, col));
                }
            }
        }
        found
    }
}

/// A jump: rows and columns of the two ends, and of the stones it takes.
pub struct Jump {
    pub from: (usize, usize),
    pub to: (usize, usize),
    pub taken: Vec<(usize, usize)>,
}

fn opponent(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

fn name((row, col): (usize, usize)) -> String {
    let letters = "abcdefghijklmnopqrst";
    format!("{}{}", &letters[col..=col], row + 1)
}
