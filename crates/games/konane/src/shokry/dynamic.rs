use crate::rules::{Board, Cell, Content, Direction, Frame, Shape, captured};
use game::Side;
use game::random::{self, Rng};

/// The dynamic board of Shokry's thesis (2023), section 2.4.4: it records what can move, and a move
/// changes the record only where it has to.
///
/// - The field of an occupied cell holds the possible moves of its stone, as a number of jumps for each
///   direction.
/// - The fields of movable stones hold links to the preceding and the succeeding one, so that they form
///   one list for each side.
/// - The movable stones and the moves of each side are counted.
///
/// After a move, the stones in the four directions of each cell that was emptied or filled are informed
/// if it matters to them, which it does to two in a direction at most (see `inform` in the source).
///
/// **Order.** A stone that becomes movable enters its side's list at the front. So the jumps are in an
/// order that depends on how the position came about, with the freshest possibilities first, and
/// alpha-beta cuts off earlier than with jumps row by row, as the thesis found (section 4.1). It leaves
/// open at which end stones enter; at the front the cuts are the earlier ones. A new board lists its
/// stones row by row. Rewinding restores the order exactly. Boards with the same stones are equal
/// whatever the order.
#[derive(Debug)]
pub struct DynamicBoard {
    frame: Frame,
    /// By the places of the frame. Those with the numbers of [`Side::index`], which belong to the frame,
    /// are the heads of the lists.
    fields: Vec<BoardGeometry>,
    /// By [`Side::index`].
    tallies: [Tally; 2],
    /// What changed since the outermost mark, oldest first.
    log: Vec<Change>,
    /// How many marks are waiting to be rewound. Without one nothing is logged.
    marks: usize,
}

/// What the board knows of one place.
#[derive(Clone, Copy, Debug, Default)]
struct BoardGeometry {
    content: Content,
    /// How often the stone can jump in each direction, by [`Direction::index`].
    jumps: [u8; 4],
    /// The neighbours in the list, if the stone is movable; otherwise of no meaning.
    links: Links,
}

impl BoardGeometry {
    fn has_stone(&self) -> bool {
        self.content.stone().is_some()
    }

    fn is_movable(&self) -> bool {
        self.jumps != [0; 4]
    }

    fn moves(&self) -> u32 {
        self.jumps.iter().map(|&jumps| u32::from(jumps)).sum()
    }
}

/// The places of the neighbours in the list of a side. The head stands before the first and after the
/// last.
#[derive(Clone, Copy, Debug, Default)]
struct Links {
    preceding: u16,
    succeeding: u16,
}

/// What the board knows of one side.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    pieces: u32,
    movable: u32,
    moves: u32,
}

/// What [`DynamicBoard::rewind`] puts right again.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// A stone came to a place, or left it.
    Stone { place: u16 },
    /// The jumps of a stone changed from these numbers, when its links were these.
    Jumps {
        place: u16,
        before: [u8; 4],
        links: Links,
    },
}

impl DynamicBoard {
    fn tally(&self, side: Side) -> &Tally {
        &self.tallies[side.index()]
    }

    /// The side whose stones stand on a place.
    fn side_at(&self, place: usize) -> Side {
        self.frame.cell(place).colour()
    }

    /// The places of the movable stones of a side, in the order of its list.
    fn movable_stones(&self, side: Side) -> impl Iterator<Item = usize> {
        let head = side.index();
        let succeeding = |place: usize| usize::from(self.fields[place].links.succeeding);
        std::iter::successors(Some(succeeding(head)), move |&place| {
            Some(succeeding(place))
        })
        .take_while(move |&place| place != head)
    }

    /// The first and the last cells of the jumps of a stone, direction by direction, the shortest first.
    fn jumps_from(&self, place: usize) -> impl Iterator<Item = (Cell, Cell)> {
        let from = self.frame.cell(place);
        let jumps = self.fields[place].jumps;
        Direction::ALL.into_iter().flat_map(move |direction| {
            (1..=usize::from(jumps[direction.index()]))
                .map(move |jump| (from, from.stepped(direction, 2 * jump)))
        })
    }

    /// How often a stone can jump in a direction, counted on the board. Every second cell has the colour
    /// of the stone, so the others can only hold opponents.
    fn count_jumps(&self, place: usize, direction: Direction) -> u8 {
        let step = self.frame.step(direction);
        let mut at = place;
        let mut jumps = 0;
        loop {
            let over = at.wrapping_add_signed(step);
            if !self.fields[over].has_stone() {
                return jumps;
            }
            at = over.wrapping_add_signed(step);
            if self.fields[at].content != Content::Empty {
                return jumps;
            }
            jumps += 1;
        }
    }

    /// Puts a stone on an empty cell, or takes one away, before anybody is informed of it.
    fn toggle_stone(&mut self, place: usize) {
        if self.marks > 0 {
            let place = place as u16;
            self.log.push(Change::Stone { place });
        }
        self.change_stone(place);
    }

    /// Records the moves of the stone that came to a place, or that there are none where it left.
    fn settle(&mut self, place: usize) {
        let jumps = if self.fields[place].has_stone() {
            Direction::ALL.map(|direction| self.count_jumps(place, direction))
        } else {
            [0; 4]
        };
        self.set_jumps(place, jumps);
    }

    /// Lets the stones in a direction from a cell that was emptied or filled count their jumps towards
    /// it, if it matters to them.
    ///
    /// A stone can jump as far as the cells before it are stone, empty, stone, empty and so on. A cell
    /// matters to it if that holds up to the cell. Seen from the cell, outwards: it matters to the next
    /// one, if that is a stone; and of those behind, only to the stone that ends the alternation of
    /// stones and empty cells, the second of the first two stones that stand together.
    fn inform(&mut self, changed: usize, direction: Direction) {
        let back = direction.opposite();
        let step = self.frame.step(direction);
        let mut at = changed.wrapping_add_signed(step);
        let mut has_stone = match self.fields[at].content {
            Content::Frame => return,
            Content::Empty => false,
            Content::Stone(_) => {
                self.recount(at, back);
                true
            }
        };
        loop {
            at = at.wrapping_add_signed(step);
            match (self.fields[at].content, has_stone) {
                (Content::Frame, _) | (Content::Empty, false) => return,
                (Content::Stone(_), true) => return self.recount(at, back),
                _ => has_stone = !has_stone,
            }
        }
    }

    fn recount(&mut self, place: usize, direction: Direction) {
        let mut jumps = self.fields[place].jumps;
        jumps[direction.index()] = self.count_jumps(place, direction);
        self.set_jumps(place, jumps);
    }

    /// Records how often a stone can jump in each direction, and what follows from it for the list and
    /// the counts of its side.
    fn set_jumps(&mut self, place: usize, jumps: [u8; 4]) {
        let BoardGeometry {
            jumps: before,
            links,
            ..
        } = self.fields[place];
        if before == jumps {
            return;
        }
        if self.marks > 0 {
            self.log.push(Change::Jumps {
                place: place as u16,
                before,
                links,
            });
        }
        let head = self.side_at(place).index();
        let front = Links {
            preceding: head as u16,
            succeeding: self.fields[head].links.succeeding,
        };
        self.change_jumps(place, jumps, front);
    }

    fn change_stone(&mut self, place: usize) {
        let side = self.side_at(place);
        let field = &mut self.fields[place];
        let pieces = &mut self.tallies[side.index()].pieces;
        if field.has_stone() {
            field.content = Content::Empty;
            *pieces -= 1;
        } else {
            field.content = Content::Stone(side);
            *pieces += 1;
        }
    }

    /// Changes the jumps of a stone; if that makes it movable, it enters the list between these two.
    fn change_jumps(&mut self, place: usize, jumps: [u8; 4], between: Links) {
        let side = self.side_at(place);
        let field = &mut self.fields[place];
        let before = *field;
        field.jumps = jumps;
        let after = *field;

        let tally = &mut self.tallies[side.index()];
        tally.moves = tally.moves + after.moves() - before.moves();
        match (before.is_movable(), after.is_movable()) {
            (false, true) => {
                tally.movable += 1;
                self.link(place, between);
            }
            (true, false) => {
                tally.movable -= 1;
                self.unlink(place);
            }
            _ => {}
        }
    }

    fn link(&mut self, place: usize, between: Links) {
        self.fields[place].links = between;
        self.fields[usize::from(between.preceding)].links.succeeding = place as u16;
        self.fields[usize::from(between.succeeding)].links.preceding = place as u16;
    }

    fn unlink(&mut self, place: usize) {
        let between = self.fields[place].links;
        self.fields[usize::from(between.preceding)].links.succeeding = between.succeeding;
        self.fields[usize::from(between.succeeding)].links.preceding = between.preceding;
    }

    /// Takes back the latest change. When the later ones are taken back already, a stone that left its
    /// list finds the two between which it stood next to each other (Knuth, "Dancing links", 2000).
    fn take_back(&mut self, change: Change) {
        match change {
            Change::Stone { place } => self.change_stone(usize::from(place)),
            Change::Jumps {
                place,
                before,
                links,
            } => self.change_jumps(usize::from(place), before, links),
        }
    }
}

impl Board for DynamicBoard {
    /// The length of the log.
    type Mark = usize;

    fn new(shape: Shape, has_stone: impl Fn(Cell) -> bool) -> Self {
        let frame = Frame::around(shape);
        let mut board = DynamicBoard {
            frame,
            fields: vec![BoardGeometry::default(); frame.places()],
            tallies: [Tally::default(); 2],
            log: Vec::new(),
            marks: 0,
        };
        for side in Side::BOTH {
            let head = side.index();
            board.fields[head].links = Links {
                preceding: head as u16,
                succeeding: head as u16,
            };
        }
        for cell in shape.cells() {
            let place = frame.place(cell);
            board.fields[place].content = Content::Empty;
            if has_stone(cell) {
                board.change_stone(place);
            }
        }
        // The last to become movable is the first of its list.
        for cell in shape.cells().rev() {
            board.settle(frame.place(cell));
        }
        board
    }

    fn shape(&self) -> Shape {
        self.frame.shape()
    }

    fn stone(&self, cell: Cell) -> Option<Side> {
        if self.shape().contains(cell) {
            self.fields[self.frame.place(cell)].content.stone()
        } else {
            None
        }
    }

    fn pieces(&self, side: Side) -> u32 {
        self.tally(side).pieces
    }

    fn movable(&self, side: Side) -> u32 {
        self.tally(side).movable
    }

    fn moves(&self, side: Side) -> u32 {
        self.tally(side).moves
    }

    fn can_jump(&self, side: Side) -> bool {
        self.tally(side).moves > 0
    }

    fn for_each_jump(&self, side: Side, mut visit: impl FnMut(Cell, Cell)) {
        for place in self.movable_stones(side) {
            for (from, to) in self.jumps_from(place) {
                visit(from, to);
            }
        }
    }

    fn random_jump(&self, side: Side, rng: &mut Rng) -> Option<(Cell, Cell)> {
        let moves = self.moves(side);
        if moves == 0 {
            return None;
        }
        let mut left = random::below(moves, rng);
        for place in self.movable_stones(side) {
            let here = self.fields[place].moves();
            if left < here {
                return self.jumps_from(place).nth(left as usize);
            }
            left -= here;
        }
        None
    }

    fn remove(&mut self, cell: Cell) {
        let place = self.frame.place(cell);
        self.toggle_stone(place);
        self.settle(place);
        for direction in Direction::ALL {
            self.inform(place, direction);
        }
    }

    fn jump(&mut self, from: Cell, to: Cell) {
        let frame = self.frame;
        let changed = || {
            let cells = std::iter::once(from).chain(captured(from, to)).chain([to]);
            cells.map(|cell| frame.place(cell))
        };
        // First all that changes on the board, then those whom it concerns: so they count what will
        // stay, and no stone leaves its list only to enter it again.
        for place in changed() {
            self.toggle_stone(place);
        }
        let along = Direction::of_jump(from, to);
        for place in changed() {
            self.settle(place);
            for direction in Direction::ALL {
                if direction.is_across(along) {
                    self.inform(place, direction);
                }
            }
        }
        // Along the jump the cells inform each other, but for the two ends.
        self.inform(frame.place(from), along.opposite());
        self.inform(frame.place(to), along);
    }

    fn mark(&mut self) -> usize {
        self.marks += 1;
        self.log.len()
    }

    fn rewind(&mut self, mark: usize) {
        while self.log.len() > mark
            && let Some(change) = self.log.pop()
        {
            self.take_back(change);
        }
        self.marks -= 1;
    }
}

/// A copy begins without a past: it cannot rewind to the marks of the original.
impl Clone for DynamicBoard {
    fn clone(&self) -> Self {
        DynamicBoard {
            frame: self.frame,
            fields: self.fields.clone(),
            tallies: self.tallies,
            log: Vec::new(),
            marks: 0,
        }
    }
}

/// Boards with the same stones are equal.
impl PartialEq for DynamicBoard {
    fn eq(&self, other: &Self) -> bool {
        let same_content =
            |(one, two): (&BoardGeometry, &BoardGeometry)| one.content == two.content;
        self.frame == other.frame && self.fields.iter().zip(&other.fields).all(same_content)
    }
}

impl Eq for DynamicBoard {}
