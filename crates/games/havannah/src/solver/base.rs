//! What positions that are looked at one after the other have in common: to place all of their stones takes about as long
//! as to look at one.

use super::layout::Layout;
use super::node::Node;
use super::word::Word;
use crate::Position;
use game::{Game, Side};

/// After so many positions the base is made anew, of the stones that all of them had.
const RENEWED_AFTER: u32 = 256;

/// A position of which others are made by placing a few stones more.
#[derive(Debug)]
pub struct Base<W: Word> {
    node: Box<Node<W>>,
    /// By [`Side::index`]: the stones of all positions since the base was made.
    common: [W; 2],
    /// How many these were.
    count: u32,
}

impl<W: Word> Base<W> {
    /// The empty board.
    pub fn new(layout: &Layout<W>) -> Base<W> {
        Base {
            node: Box::new(Node::start(layout)),
            common: [layout.board; 2],
            count: 0,
        }
    }

    /// [`Node::of`] a position.
    pub fn node_of(&mut self, layout: &Layout<W>, position: &Position) -> Node<W> {
        let stones = layout.stones_of_both(position);
        for (common, stones) in self.common.iter_mut().zip(stones) {
            *common = *common & stones;
        }
        self.count += 1;
        let own = |side: usize| self.node.stones[side].own;
        let is_part = (0..2).all(|side| own(side).minus(stones[side]).is_none());
        if !is_part || self.count >= RENEWED_AFTER {
            if !is_part {
                *self.node = Node::start(layout);
            }
            self.node.place_all(layout, self.common, Side::White);
            self.common = stones;
            self.count = 0;
        }
        let mut node = *self.node;
        node.place_all(layout, stones, position.to_move());
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use crate::solver::word::Wide256;
    use game::random;

    /// What the search asks of a position. Whether a cell on which a stone wins is also among those on which a second stone does
    /// depends on the order of the stones; nobody asks, since such a cell decides or forces.
    fn known<W: Word>(node: &Node<W>) -> impl PartialEq + std::fmt::Debug {
        let of = |side: Side| {
            let stones = &node.stones[side.index()];
            let open = node.empty.minus(stones.wins);
            let next = node.empty.indices().map(|cell| stones.next(cell) & open);
            let next: Vec<W> = next.collect();
            let empty = [stones.wins, stones.linked].map(|cells| cells & node.empty);
            (stones.own, empty, next)
        };
        (Side::BOTH.map(of), node.judge(), node.empty, node.to_move)
    }

    /// Games that branch at random, as those of a tree search, and go on by a few moves once in a while.
    #[test]
    fn positions_are_as_those_made_from_the_start() {
        let mut rng = random::seeded(5);
        for size in [3, 5, 8] {
            let shape = Shape::regular(size).expect("a size");
            let layout = Layout::<Wide256>::new(shape).expect("room");
            let mut base = Base::new(&layout);
            let mut root = Position::new(shape);
            while root.outcome().is_none() {
                for _ in 0..random::below(400, &mut rng) {
                    let mut position = root.clone();
                    for _ in 0..random::below(8, &mut rng) {
                        let mv = position.random_move(&mut rng).expect("a move");
                        let mut next = position.clone();
                        next.play(mv);
                        if next.outcome().is_some() {
                            break;
                        }
                        position = next;
                    }
                    let expected = Node::of(&layout, &position);
                    assert_eq!(known(&base.node_of(&layout, &position)), known(&expected));
                }
                let mv = root.random_move(&mut rng).expect("a move");
                root.play(mv);
            }
        }
    }
}
