//! Which move is played when the search has ended.

use super::super::decide::decide;
use super::super::tree::Node;
use super::super::{FinalMove, Params};
use super::common::TicTacToe;
use super::{BLACK, DRAW, WHITE, node, proven, tree};

/// The order of preference among the first moves of tic-tac-toe, that is of White.
fn preference(children: &[Node], final_move: FinalMove, exploration: f64) -> Vec<u8> {
    let params = Params {
        exploration,
        final_move,
        ..Params::default()
    };
    let decision = decide(&tree(children), &TicTacToe::default(), &params);
    let mut moves: Vec<u8> = decision.moves.iter().map(|stats| stats.mv).collect();
    moves.truncate(children.len());
    moves
}

#[test]
fn the_final_move_follows_its_rule() {
    // 60 of 100, 31 of 60, and 3 of 4; all other moves of the game have no visits.
    let children = [node(60, 0, 40), node(0, 62, 0), node(3, 0, 1)];
    assert_eq!(preference(&children, FinalMove::Visits, 1.0), [0, 1, 2]);
    assert_eq!(preference(&children, FinalMove::Wins, 1.0), [0, 1, 2]);
    assert_eq!(preference(&children, FinalMove::Mean, 1.0), [2, 0, 1]);
    // ln 166 = 5.11: 0.6 − 0.226 = 0.374, 0.5 − 0.287 = 0.213, 0.75 − 1.130 = −0.38.
    let lower = FinalMove::LowerBound;
    assert_eq!(preference(&children, lower, 1.0), [0, 1, 2]);
    // Without a constant there is no bound.
    assert_eq!(preference(&children, lower, 0.0), [0, 1, 2]);
    // More points with fewer visits.
    let children = [node(10, 0, 90), node(50, 0, 30)];
    assert_eq!(preference(&children, FinalMove::Visits, 1.0), [0, 1]);
    assert_eq!(preference(&children, FinalMove::Wins, 1.0), [1, 0]);
}

#[test]
fn with_puct_the_lower_bound_counts_visits_in_its_unit() {
    // 60 of 100 and 35 of 50: 0.550 and 0.629 in units of 1, 0.213 and 0.152 in units of 60.
    let tree = tree(&[node(60, 0, 40), node(35, 0, 15)]);
    for (puct_unit, best) in [(1, 1), (60, 0)] {
        let params = Params {
            puct: 0.5,
            puct_unit,
            final_move: FinalMove::LowerBound,
            ..Params::default()
        };
        let decision = decide(&tree, &TicTacToe::default(), &params);
        assert_eq!(decision.moves[0].mv, best);
    }
}

#[test]
fn the_final_move_is_certain_where_it_can_be() {
    let rules = [
        FinalMove::Visits,
        FinalMove::Wins,
        FinalMove::Mean,
        FinalMove::LowerBound,
    ];
    for rule in rules {
        let wins = [node(99, 0, 1), proven(WHITE, 4), proven(WHITE, 2)];
        assert_eq!(preference(&wins, rule, 0.1), [2, 1, 0]);
        let lost = proven(BLACK, 6);
        let mut visited = lost;
        visited.points.visits = 9;
        // Six moves that may yet be saved come before the losses.
        let mut losses = vec![lost, proven(BLACK, 8), visited];
        losses.extend([node(0, 0, 1); 6]);
        assert_eq!(preference(&losses, rule, 0.1)[6..], [1, 2, 0]);
        // A move that looks no better than the draw at hand is not preferred to it.
        let worse = [node(40, 0, 60), proven(DRAW, 0), node(0, 9, 0)];
        assert_eq!(preference(&worse, rule, 0.1)[0], 1);
        let better = [node(60, 0, 40), proven(DRAW, 0), node(1, 0, 2)];
        assert_eq!(preference(&better, rule, 0.1)[..2], [0, 1]);
    }
}
