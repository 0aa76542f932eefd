//! Trees of positions in SGF and HGF: what a solver knows, written for people and other programs, and
//! such trees read as a guide.
//!
//! Comments are as in the published proof of size 4: fields separated by commas, among them `outcome:1`
//! where White wins, 2 where Black does, 0 for a draw, and `best:` with a move. A solver's own tree has
//! `nodes:` with the nodes of the longest visit, rounded down to a power of two.

use anyhow::{Context, Result, bail};
use certificate::Promise;
use engine::{BoardOptions, Playable, Prover};
use game::{Outcome, Side};
use search::Limits;
use search::proof::Spent;
use sgf::{Node, NodeId, Tree};
use std::path::Path;
use std::time::Instant;

/// The nodes that may be spent on finding a proven move again that the table has forgotten.
const NODES_FOR_A_MOVE: u64 = 100_000;

/// The tree of what a solver knows below a position: each position on which at least so many nodes
/// were spent. Where a side keeps its value with a proven move, that move alone is shown.
pub fn export<G: Playable>(
    position: &G,
    options: &BoardOptions,
    moves: &[String],
    solver: &mut dyn Prover<G>,
    least: u64,
) -> Tree {
    let mut tree = Tree::new();
    record::describe::<G>(&mut tree, options, G::Dialect::default(), None);
    let mut node = NodeId::ROOT;
    let of_other_side = |ply: usize| (moves.len() - ply) % 2 == 1;
    for (ply, text) in moves.iter().enumerate() {
        let last = position.to_move();
        let side = if of_other_side(ply) { !last } else { last };
        node = tree.add_child(node);
        tree.set(node, property_of(side), text.as_str());
    }
    visit(&mut tree, node, position, solver, least);
    tree
}

fn visit<G: Playable>(
    tree: &mut Tree,
    node: NodeId,
    position: &G,
    solver: &mut dyn Prover<G>,
    least: u64,
) {
    let (nodes, outcome) = solver.known(position).unwrap_or_default();
    let best = best_move(position, solver);
    let mut comment = format!("papamu, nodes:{nodes}");
    if let Some(outcome) = outcome {
        comment += &format!(", outcome:{}", number_of(outcome));
    }
    if let Some(best) = best {
        comment += &format!(
            ", best:{}",
            position.write_move(best, G::Dialect::default())
        );
    }
    tree.set(node, "C", comment.as_str());
    let mut moves = Vec::new();
    match best {
        Some(best) => moves.push(best),
        None => position.legal_moves(&mut moves),
    }
    let mut below = Vec::new();
    for mv in moves {
        let mut after = position.clone();
        after.play(mv);
        let (nodes, _) = solver.known(&after).unwrap_or_default();
        if nodes >= least {
            below.push((nodes, mv, after));
        }
    }
    below.sort_by_key(|&(nodes, ..)| std::cmp::Reverse(nodes));
    for (_, mv, after) in below {
        let child = tree.add_child(node);
        let text = position.write_move(mv, G::Dialect::default());
        tree.set(child, property_of(position.to_move()), text.as_str());
        visit(tree, child, &after, solver, least);
    }
}

/// A move that keeps the value of a position for the side to move, where that is proven and no loss.
fn best_move<G: Playable>(position: &G, solver: &mut dyn Prover<G>) -> Option<G::Move> {
    let side = position.to_move();
    let (_, outcome) = solver.known(position)?;
    let promise = match outcome? {
        Outcome::Win(winner) if winner == side => Promise::Wins(side),
        Outcome::Win(_) => return None,
        Outcome::Draw => Promise::Holds(side),
    };
    let limits = Limits {
        nodes: Some(NODES_FOR_A_MOVE),
        ..Limits::default()
    };
    solver.keep(position, promise, &limits)
}

/// A position of a tree, and what a comment claims of it.
struct Place<G> {
    moves: Vec<String>,
    position: G,
    claimed: Option<Outcome>,
}

/// Solves the positions of a tree that follow from a position, those behind others first, and says how
/// the outcomes compare with those that the tree claims.
pub fn follow<G: Playable>(
    file: &Path,
    position: &G,
    solver: &mut dyn Prover<G>,
    limits: &Limits,
    spent: &mut Spent,
    say: &dyn Fn(String),
) -> Result<String> {
    let name = file.display();
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {name}"))?;
    let games = sgf::read(&bytes).with_context(|| format!("cannot read {name}"))?;
    let places = places(&games.trees, position).with_context(|| format!("cannot use {name}"))?;
    let started = Instant::now();
    let before = spent.elapsed;
    let [mut solved, mut agree] = [0; 2];
    let mut differences = Vec::new();
    for (number, place) in places.iter().enumerate() {
        say(format!(
            "position {} of {} of the tree, {solved} solved",
            number + 1,
            places.len()
        ));
        let left = limits
            .time
            .map(|time| time.saturating_sub(started.elapsed()));
        let part = Limits {
            time: left,
            ..limits.clone()
        };
        let report = solver.value(&place.position, &part, &mut |_| {});
        spent.nodes += report.nodes;
        spent.elapsed = before + started.elapsed();
        let Some(outcome) = report.outcome else {
            break;
        };
        solved += 1;
        match place.claimed {
            Some(claimed) if claimed == outcome => agree += 1,
            Some(claimed) => differences.push(format!(
                "after {}: the tree says {}, but {}\n",
                place.moves.join(" "),
                in_words(Some(claimed)),
                in_words(Some(outcome))
            )),
            None => {}
        }
    }
    Ok(format!(
        "guide: {} positions, {solved} solved, {agree} outcomes as claimed, {} not\n{}",
        places.len(),
        differences.len(),
        differences.concat()
    ))
}

/// The positions of trees that follow from a position, each after those behind it.
fn places<G: Playable>(trees: &[Tree], position: &G) -> Result<Vec<Place<G>>> {
    let mut places = Vec::new();
    for tree in trees {
        let root = tree.root();
        let property = |name: &str| Some(root.simple_text(name)?.trim().to_owned());
        let start = G::start(&G::recorded_options(&property)?)?;
        let (size, wanted) = (start.size_name(), position.size_name());
        if size != wanted {
            bail!("it is about size {size}, not {wanted}");
        }
        collect(root, &start, &[], position, &mut places)?;
    }
    places.sort_by_key(|place| std::cmp::Reverse(place.moves.len()));
    Ok(places)
}

/// Adds the positions of a node and of those behind it.
fn collect<G: Playable>(
    node: Node<'_>,
    before: &G,
    moves: &[String],
    wanted: &G,
    places: &mut Vec<Place<G>>,
) -> Result<()> {
    let mut position = before.clone();
    let mut moves = moves.to_vec();
    let side = position.to_move();
    if let Some(text) = node.simple_text(property_of(side)) {
        let line = || format!("after {}", moves.join(" "));
        let mv = position
            .parse_move(text.trim(), G::Dialect::default())
            .with_context(line)?;
        position.try_play(mv).with_context(line)?;
        moves.push(text.trim().to_owned());
    }
    let stones = |position: &G| {
        let tiles = position.scene(G::Dialect::default()).tiles.into_iter();
        tiles.map(|tile| tile.stone).collect::<Vec<_>>()
    };
    // A position that follows has the stones of the one it follows from.
    let follows = |from: &G, to: &G| {
        let (from, to) = (stones(from), stones(to));
        from.iter()
            .zip(&to)
            .all(|(from, to)| from.is_none() || from == to)
    };
    let behind = position.ply() >= wanted.ply();
    if position.outcome().is_some() || !(behind || follows(&position, wanted)) {
        return Ok(());
    }
    if behind && follows(wanted, &position) {
        let claimed = node.text("C").and_then(|comment| claimed(&comment));
        places.push(Place {
            moves: moves.clone(),
            position: position.clone(),
            claimed,
        });
    }
    for child in node.children() {
        collect(child, &position, &moves, wanted, places)?;
    }
    Ok(())
}

/// The outcome that a comment claims.
fn claimed(comment: &str) -> Option<Outcome> {
    let mut fields = comment.split(',').map(str::trim);
    let outcome = fields.find_map(|field| field.strip_prefix("outcome:"));
    match outcome?.trim() {
        "0" => Some(Outcome::Draw),
        "1" => Some(Outcome::Win(Side::White)),
        "2" => Some(Outcome::Win(Side::Black)),
        _ => None,
    }
}

/// An outcome as comments have it.
fn number_of(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(Side::White) => 1,
        Outcome::Win(Side::Black) => 2,
    }
}

/// The property that holds a side's move.
const fn property_of(side: Side) -> &'static str {
    match side {
        Side::White => "W",
        Side::Black => "B",
    }
}

/// An outcome for people.
fn in_words(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "not solved".to_owned(),
        Some(Outcome::Draw) => "a draw".to_owned(),
        Some(Outcome::Win(side)) => format!("{side} wins"),
    }
}
