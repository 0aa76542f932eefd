//! A place in a proof.

use super::Args;
use crate::output;
use anyhow::{Context, Result, bail};
use certificate::proof::{self, Below, Proof, Said};
use certificate::{Claim, Header, Promise};
use engine::{Playable, list_items, with_suffix};
use game::Side;
use serde::Serialize;
use sgf::{NodeId, Tree};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::process::ExitCode;

/// What is said of a place.
#[derive(Serialize)]
struct Place {
    game: String,
    board: String,
    /// From the start of the game.
    moves: Vec<String>,
    to_move: String,
    /// What is shown of it: `white wins` and the like.
    claim: String,
    /// `plays` where the strategy has a move, `answers` where the other side moves, `settled` where the rules
    /// alone settle the rest, `nothing` where the strategy never comes here.
    state: &'static str,
    /// The strategy's move.
    best: Option<String>,
    /// The plies that the other side can resist.
    plies: u32,
    /// The positions below in which the strategy plays; of several replies, those below any.
    positions: Option<u64>,
    replies: Vec<Reply>,
    /// The replies that are settled at once.
    settled: usize,
    /// The line of longest resistance.
    line: Vec<String>,
}

#[derive(Serialize)]
struct Reply {
    #[serde(rename = "move")]
    mv: String,
    answer: String,
    plies: u32,
    positions: u64,
}

/// Looks at a place in a certificate.
pub fn explore<G: Playable>(args: &Args, header: &Header, file: File) -> Result<ExitCode> {
    let cannot = || format!("cannot use {}", args.file.display());
    let options = G::options_of_certified(&header.board).with_context(cannot)?;
    let start = G::start(&options).with_context(cannot)?;
    let dialect = G::Dialect::default();
    let mut proofs = proof::read(&start, dialect, BufReader::new(file)).with_context(cannot)?;
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
    let said = proof.said(&position);
    if said == Said::Nothing && position.to_move() == proof.promise.side() {
        let claim = Claim::Promise(proof.promise);
        bail!("the strategy that shows that {claim} does not come to this position");
    }
    let place = place(&proof, &position, header, &moves, said);
    if args.json {
        output::json_line(&place)?;
    } else {
        let board = output::coloured_board(&position, dialect);
        output::text(&format!("{board}{}", place.in_words(args.replies)))?;
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
    Ok(ExitCode::SUCCESS)
}

fn place<G: Playable>(
    proof: &Proof<G>,
    position: &G,
    header: &Header,
    moves: &[String],
    said: Said<G::Move>,
) -> Place {
    let dialect = G::Dialect::default();
    let line = proof.longest_line(position);
    let mut place = Place {
        game: header.game.clone(),
        board: header.board.clone(),
        moves: moves.to_vec(),
        to_move: position.to_move().to_string(),
        claim: Claim::Promise(proof.promise).to_string(),
        state: "settled",
        best: None,
        plies: line.len() as u32,
        positions: None,
        replies: Vec::new(),
        settled: 0,
        line: Vec::new(),
    };
    match said {
        Said::Settled => {}
        Said::Nothing => place.state = "nothing",
        Said::Plays(mv, below) => {
            place.state = "plays";
            place.best = Some(position.write_move(mv, dialect));
            place.positions = Some(below.positions);
        }
        Said::Answers(replies, settled) => {
            place.state = "answers";
            place.settled = settled;
            for reply in replies {
                let Below { plies, positions } = reply.below;
                let mut after = position.clone();
                after.play(reply.mv);
                place.replies.push(Reply {
                    mv: position.write_move(reply.mv, dialect),
                    answer: after.write_move(reply.answer, dialect),
                    plies,
                    positions,
                });
            }
        }
    }
    let mut on_the_way = position.clone();
    for mv in line {
        place.line.push(on_the_way.write_move(mv, dialect));
        on_the_way.play(mv);
    }
    place
}

impl Place {
    fn in_words(&self, most: usize) -> String {
        let claim = &self.claim;
        let mut text = match (self.state, &self.best, self.positions) {
            ("settled", ..) => return format!("{claim}: the rules alone settle the rest.\n"),
            ("plays", Some(best), Some(positions)) => format!(
                "{claim}: {} plays {best}, at most {} more plies, {positions} positions\n",
                self.to_move, self.plies
            ),
            _ => format!(
                "{claim}: {} to move, at most {} more plies\n",
                self.to_move, self.plies
            ),
        };
        if !self.line.is_empty() {
            text += &format!("longest resistance: {}\n", self.line.join(" "));
        }
        if !self.replies.is_empty() {
            text += "\nreply    answer   plies  positions\n";
            for reply in self.replies.iter().take(most) {
                text += &format!(
                    "{:8} {:8} {:>5}  {:>9}\n",
                    reply.mv, reply.answer, reply.plies, reply.positions
                );
            }
        }
        if self.replies.len() > most {
            text += &format!("… and {} more (--replies N)\n", self.replies.len() - most);
        }
        if self.settled > 0 {
            text += &format!("{} replies are settled at once\n", self.settled);
        }
        text
    }
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
    let header = Header {
        moves,
        claim: Claim::Promise(proof.promise),
        ..header.clone()
    };
    let strategy = |position: &G, _: Promise| proof.strategy(position);
    let partial = with_suffix(file, ".partial");
    let output = BufWriter::new(File::create(&partial).with_context(cannot)?);
    let written = certificate::write(output, &header, position, strategy);
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written.with_context(cannot)?;
    fs::rename(&partial, file).with_context(cannot)
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
