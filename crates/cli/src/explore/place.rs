//! A place in a proof.

use super::Args;
use crate::output;
use analysis::{Next, Place};
use anyhow::{Context, Result, bail};
use certificate::proof::{self, Below, Proof, Said};
use certificate::{Checker, Claim, Header, Promise};
use engine::{Playable, Replacement, list_items};
use game::Side;
use registry::folder::Folder;
use serde::Serialize;
use sgf::{NodeId, Tree};
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

/// What is said of a place.
#[derive(Serialize)]
struct Told<'a> {
    game: &'a str,
    board: &'a str,
    /// From the start of the game.
    moves: &'a [String],
    #[serde(flatten)]
    place: &'a Place,
}

/// Looks at a place in a certificate.
pub fn explore<G: Playable>(args: &Args, header: &Header, file: File) -> Result<ExitCode> {
    let cannot = || format!("cannot use {}", args.file.display());
    let options = G::options_of_certified(&header.board).with_context(cannot)?;
    let start = G::start(&options).with_context(cannot)?;
    let dialect = G::Dialect::default();
    let pieces = Folder::of_file(&args.file).with_context(cannot)?;
    let checker = Checker {
        pieces: &|digest| pieces.header(digest),
        ..Checker::default()
    };
    let proofs = proof::read(&start, dialect, &checker, BufReader::new(file));
    let mut proofs = proofs.with_context(cannot)?;
    let wanted = |proof: &Proof<G>| proof.promise.side() == args.side;
    let chosen = proofs.iter().position(wanted).unwrap_or(0);
    let proof = proofs.swap_remove(chosen);
    let mut position = proof.position.clone();
    let mut moves = header.moves.clone();
    for text in list_items(&args.moves) {
        let mv = position.parse_move(text, dialect)?;
        moves.push(position.write_move(mv, dialect));
        position
            .try_play(mv)
            .with_context(|| format!("move {text}"))?;
    }
    let place = Place::of(&proof, &position, dialect);
    if place.state == Next::Nothing && position.to_move() == proof.promise.side() {
        let claim = Claim::Promise(proof.promise);
        bail!("the strategy that shows that {claim} does not come to this position");
    }
    if args.json {
        let (game, board) = (&header.game, &header.board);
        output::json_line(&Told {
            game,
            board,
            moves: &moves,
            place: &place,
        })?;
    } else {
        let board = output::coloured_board(&position, dialect);
        output::text(&format!("{board}{}", in_words(&place, args.replies)))?;
    }
    if let Some(file) = &args.part {
        write_part(file, &proof, &position, header, moves.clone())?;
    }
    if let Some(file) = &args.export {
        let mut tree = Tree::new();
        record::describe::<G>(&mut tree, &options, dialect, None);
        let mut node = NodeId::ROOT;
        let mut on_the_way = start;
        for text in &moves {
            let mv = on_the_way.parse_move(text, dialect)?;
            node = add(&mut tree, node, &on_the_way, mv);
            on_the_way.play(mv);
        }
        export(&mut tree, node, &proof, &position, args.plies);
        output::file(file, tree.to_string().as_bytes())?;
    }
    if let Some(file) = &args.book {
        let mut lines = BTreeSet::new();
        let mut known = HashSet::new();
        let line = format!("{}: {}", header.board, moves.join(" "));
        book(&mut lines, &mut known, &line, &proof, &position, args.plies);
        if lines.is_empty() {
            bail!("there is nothing for a book: no side wins, or no move has to be found");
        }
        let before = match fs::read_to_string(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.with_context(|| format!("cannot read {}", file.display()))?,
        };
        output::file(file, with_lines(before, lines).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Adds the lines of an [opening book](engine::Book) for so many plies of a strategy that wins. Positions that are known
/// are passed over.
fn book<G: Playable>(
    lines: &mut BTreeSet<String>,
    known: &mut HashSet<G::Key>,
    line: &str,
    proof: &Proof<G>,
    position: &G,
    plies: usize,
) {
    if plies == 0 || !matches!(proof.promise, Promise::Wins(_)) {
        return;
    }
    let then = |mv| {
        let mut after = position.clone();
        after.play(mv);
        let mv = position.write_move(mv, G::Dialect::default());
        (format!("{} {mv}", line.trim_end()), after)
    };
    match proof.said(position) {
        Said::Plays(mv, _) if known.insert(position.key()) => {
            let (line, after) = then(mv);
            book(lines, known, &line, proof, &after, plies - 1);
            lines.insert(line);
        }
        Said::Answers(replies, _) => {
            for reply in replies {
                let (line, after) = then(reply.mv);
                book(lines, known, &line, proof, &after, plies - 1);
            }
        }
        _ => {}
    }
}

/// A book with the lines that are new to it.
fn with_lines(mut book: String, lines: BTreeSet<String>) -> String {
    if !book.is_empty() && !book.ends_with('\n') {
        book.push('\n');
    }
    let known: HashSet<String> = book.lines().map(str::to_owned).collect();
    for line in lines.into_iter().filter(|line| !known.contains(line)) {
        book += &line;
        book.push('\n');
    }
    book
}

fn in_words(place: &Place, most: usize) -> String {
    let claim = &place.claim;
    let mut text = match (place.state, &place.best, place.positions) {
        (Next::Settled, ..) => return format!("{claim}: the rules alone settle the rest.\n"),
        (Next::LeftOut, ..) => {
            return format!(
                "{claim}: the certificate leaves out the rest, which a checker finds or another certificate has.\n"
            );
        }
        (Next::Plays, Some(best), Some(positions)) => format!(
            "{claim}: {} plays {best}, at most {} more plies, {positions} positions\n",
            place.to_move, place.plies
        ),
        _ => format!(
            "{claim}: {} to move, at most {} more plies\n",
            place.to_move, place.plies
        ),
    };
    if !place.line.is_empty() {
        text += &format!("longest resistance: {}\n", place.line.join(" "));
    }
    if !place.replies.is_empty() {
        text += "\nreply    answer   plies  positions\n";
        for reply in place.replies.iter().take(most) {
            text += &format!(
                "{:8} {:8} {:>5}  {:>9}\n",
                reply.mv,
                reply.answer.as_deref().unwrap_or("-"),
                reply.plies,
                reply.positions
            );
        }
    }
    if place.replies.len() > most {
        text += &format!("… and {} more (--replies N)\n", place.replies.len() - most);
    }
    if place.settled > 0 {
        text += &format!("{} replies are settled at once\n", place.settled);
    }
    text
}

/// Writes the certificate of a position that the strategy comes to.
fn write_part<G: Playable>(
    file: &Path,
    proof: &Proof<G>,
    position: &G,
    header: &Header,
    moves: Vec<String>,
) -> Result<()> {
    let cannot = || format!("cannot write {}", file.display());
    let mut replacement = Replacement::begin(file).with_context(cannot)?;
    let output = BufWriter::new(&mut replacement);
    let written = proof.write_part(output, header, moves, position, || true);
    written.with_context(cannot)?;
    replacement.finish().with_context(cannot)
}

fn add<G: Playable>(tree: &mut Tree, parent: NodeId, position: &G, mv: G::Move) -> NodeId {
    let node = tree.add_child(parent);
    let text = position.write_move(mv, G::Dialect::default());
    let property = match position.to_move() {
        Side::White => "W",
        Side::Black => "B",
    };
    tree.set(node, property, text.as_str());
    node
}

/// Adds so many plies of the strategy, with what lies below in comments.
fn export<G: Playable>(
    tree: &mut Tree,
    node: NodeId,
    proof: &Proof<G>,
    position: &G,
    plies: usize,
) {
    let (moves, comment) = match proof.said(position) {
        Said::Plays(mv, below) => {
            let Below { plies, positions } = below;
            (vec![mv], format!("plies:{plies}, positions:{positions}"))
        }
        Said::Answers(replies, settled) => {
            let open = replies.iter().map(|reply| reply.mv).collect();
            (open, format!("settled:{settled}"))
        }
        Said::Settled => (Vec::new(), "settled".to_owned()),
        Said::LeftOut => (Vec::new(), "left out".to_owned()),
        Said::Nothing => return,
    };
    tree.set(node, "C", format!("papamu, {comment}").as_str());
    if plies == 0 {
        return;
    }
    for mv in moves {
        let below = add(tree, node, position, mv);
        let mut after = position.clone();
        after.play(mv);
        export(tree, below, proof, &after, plies - 1);
    }
}
