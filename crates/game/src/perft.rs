use crate::Game;

/// Counts the sequences of exactly `depth` legal moves from a position. A game that ends sooner adds
/// nothing.
///
/// Every leaf is made on the board; there is no bulk counting of the last ply.
pub fn perft<G: Game>(position: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lists = vec![Vec::new(); depth as usize];
    descend(position, &mut lists)
}

/// `lists` holds one scratch list of moves for each ply that is left.
fn descend<G: Game>(position: &mut G, lists: &mut [Vec<G::Move>]) -> u64 {
    let Some((moves, rest)) = lists.split_first_mut() else {
        return 1;
    };
    moves.clear();
    position.legal_moves(moves);
    let mut nodes = 0;
    for &mv in moves.iter() {
        nodes += position.explore(mv, |child| descend(child, rest));
    }
    nodes
}
