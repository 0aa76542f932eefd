use super::{Board, Cell, Move, PositionOn};
use game::{Picture, Side};

/// `X` is a black stone, `O` a white one and `.` an empty cell, as GNU Go draws them; row 1 is at the
/// bottom. Of the last move, the stone that jumped is painted.
impl<B: Board> Picture for PositionOn<B> {
    fn draw(&self, (): (), paint: &dyn Fn(Side, &str, bool) -> String) -> String {
        let shape = self.shape();
        let jumped_to = match self.last_move() {
            Some(Move::Jump { to, .. }) => Some(to),
            _ => None,
        };
        let show = |cell: Cell| match self.board().stone(cell) {
            Some(side) => paint(side, letter(side), jumped_to == Some(cell)),
            None => ".".to_owned(),
        };

        let mut lines = Vec::new();
        for row in (0..shape.rows()).rev() {
            let cells = (0..shape.cols()).map(|col| show(Cell::at(col, row)));
            let cells: Vec<String> = cells.collect();
            lines.push(format!("{:2} {}\n", row + 1, cells.join(" ")));
        }
        let columns: Vec<String> = ('a'..).take(shape.cols()).map(String::from).collect();
        lines.push(format!("   {}\n", columns.join(" ")));
        lines.concat()
    }
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::Black => "X",
        Side::White => "O",
    }
}
