//! A game that was played as an SGF file, with evaluations, times, seeds and versions.

use crate::experiment::Role;
use crate::play::Played;
use crate::schedule::Opening;
use crate::weights::short;
use engine::Playable;
use game::Relative;
use record::{Record, to_sgf};
use sgf::{NodeId, Tree};

/// What the root of the file tells besides the game.
pub struct Heading {
    /// The game's name in the store.
    pub id: String,
    /// The name of the experiment, and of the point.
    pub event: String,
    /// The names of both players with their parameters.
    pub players: [String; 2],
    /// The seeds of both.
    pub seeds: [u64; 2],
    /// The SHA-256 of the weights of both, where they have some.
    pub weights: [Option<String>; 2],
    /// Who moved first after the opening.
    pub first: Role,
}

/// The file of a game.
pub fn sgf<G: Playable>(opening: &Opening<G>, game: &Played<G::Move>, heading: &Heading) -> String {
    let mut tree = to_sgf(&record(opening, game));
    let side = opening
        .moves
        .iter()
        .fold(opening.start.clone(), |mut position, &mv| {
            position.play(mv);
            position
        });
    let first_is_white = side.to_move() == game::Side::White;
    let white = if first_is_white {
        heading.first
    } else {
        heading.first.other()
    };
    let role_name = |role: Role| heading.players[role as usize].as_str();
    let root = NodeId::ROOT;
    tree.set(root, "GN", heading.id.as_str());
    tree.set(root, "EV", heading.event.as_str());
    tree.set(root, "PW", role_name(white));
    tree.set(root, "PB", role_name(white.other()));
    tree.set(root, "AP", concat!("papamu:", env!("CARGO_PKG_VERSION")));
    let mut comment = format!(
        "Ended by {}. Seeds: {} {}, {} {}.",
        game.reason,
        role_name(Role::Player),
        heading.seeds[0],
        role_name(Role::Against),
        heading.seeds[1],
    );
    for role in [Role::Player, Role::Against] {
        if let Some(hash) = &heading.weights[role as usize] {
            comment += &format!(" Weights of {}: SHA-256 {}.", role_name(role), short(hash));
        }
    }
    if let Some((role, fault)) = &game.fault {
        comment += &format!(" {} lost: {fault}.", role_name(*role));
        let winner_is_white = role.other() == white;
        let by = if fault.kind() == "time" { "T" } else { "F" };
        tree.set(
            root,
            "RE",
            format!("{}+{by}", if winner_is_white { 'W' } else { 'B' }).as_str(),
        );
    } else if game.result == Relative::Draw {
        tree.set(root, "RE", "0");
    } else if game.reason == "adjudicated" {
        let winner_is_white = (game.result == Relative::Win) == (white == Role::Player);
        tree.set(root, "RE", if winner_is_white { "W+" } else { "B+" });
    }
    tree.set(root, "C", comment.as_str());
    annotate(&mut tree, opening.moves.len(), game);
    tree.to_string()
}

/// Writes the value (`V`, of the side that moved) and the seconds of each move beside it.
fn annotate<M>(tree: &mut Tree, before: usize, game: &Played<M>) {
    let nodes: Vec<NodeId> = tree
        .main_line()
        .skip(1 + before)
        .map(sgf::Node::id)
        .collect();
    for (node, turn) in nodes.into_iter().zip(&game.turns) {
        if let Some(value) = turn.notes.value {
            tree.set(node, "V", format!("{value:.4}").as_str());
        }
        let mut comment = format!("{:.3} s", turn.notes.seconds);
        if let Some(counted) = &turn.notes.statistics {
            if counted.iterations > 0 {
                comment += &format!(", {} simulations", counted.iterations);
            }
            comment += &format!(", {} nodes", counted.nodes);
        }
        tree.set(node, "C", comment.as_str());
    }
}

/// The record of a game.
fn record<G: Playable>(opening: &Opening<G>, game: &Played<G::Move>) -> Record<G> {
    let turns = game.turns.iter().map(|turn| &turn.mv);
    let moves = opening.moves.iter().chain(turns).copied().collect();
    let (options, start) = (opening.options.clone(), opening.start.clone());
    Record::played(options, start, moves, game.resigned)
}

/// The moves of a game from the start of the board, as text.
pub fn moves<G: Playable>(opening: &Opening<G>, game: &Played<G::Move>) -> Vec<String> {
    let mut position = opening.start.clone();
    let all = opening
        .moves
        .iter()
        .chain(game.turns.iter().map(|turn| &turn.mv));
    all.map(|&mv| {
        let text = position.write_move(mv, G::Dialect::default());
        position.play_unchecked(mv);
        text
    })
    .collect()
}
