//! `papamu play`: a game in the terminal.

use crate::args::{BoardArgs, BudgetArgs, DialectArg, Game, PlayerArgs};
use crate::output;
use anyhow::Result;
use clap::ValueEnum;
use engine::{Engine, Playable};
use game::{Outcome, Side};
use registry::with_game;
use search::{Limits, Report};
use std::io::BufRead;
use std::process::ExitCode;
use std::time::Duration;

/// Play a game in the terminal against a player of the program.
///
/// Without a budget the player takes one second per move.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu play havannah --size 5 --side black
  papamu play konane --rows 6 --cols 8 --player uct --time 3
  papamu play havannah --size 4 --side none --simulations 2000   (self-play)")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    dialect: DialectArg,
    /// The side that you play
    #[arg(long, value_name = "SIDE", default_value = "first")]
    side: Person,
    #[command(flatten)]
    player: PlayerArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Which sides a person plays.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Person {
    /// White
    White,
    /// Black
    Black,
    /// The side that moves first
    First,
    /// Both: two people on one board
    Both,
    /// Neither: the player against itself
    None,
}

const HELP: &str = "\
Type a move by the names of cells on the board, or:
{SWAP}  hint     ask the player for a move
  moves    list all legal moves
  undo     take back your last move and the answer to it
  resign   give up
  quit     leave, as at the end of the input
";

/// What [`HELP`] says besides where the rules have a swap.
const SWAP: &str = "  swap     take over the first stone, as Black's answer to it\n";

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        with_game!(self.game.0, G => play::<G>(&self))?;
        Ok(ExitCode::SUCCESS)
    }

    fn is_person(&self, side: Side, first: Side) -> bool {
        match self.side {
            Person::White => side == Side::White,
            Person::Black => side == Side::Black,
            Person::First => side == first,
            Person::Both => true,
            Person::None => false,
        }
    }
}

/// What a person wants.
enum Wish<M> {
    Move(M),
    Undo,
    Resign,
    Quit,
}

fn play<G: Playable>(args: &Args) -> Result<()> {
    let dialect = args.dialect.of_game::<G>()?;
    let start = G::start(&args.board.options())?;
    let player = G::player(args.player.player.as_deref())?;
    let engine = player.build(start.clone(), args.player.seed, &args.player.settings())?;
    let mut table = Table {
        engine,
        limits: args.budget.limits(Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        }),
        positions: vec![start],
        dialect,
        swap: args.board.options().has("swap"),
    };
    if args.side != Person::None {
        output::text(&format!(
            "You play against {}: {}.\n{}",
            player.name,
            player.summary,
            table.help()
        ))?;
    }
    let first = table.position().to_move();
    loop {
        output::text(&format!(
            "\n{}",
            output::coloured_board(table.position(), dialect)
        ))?;
        if let Some(outcome) = table.position().outcome() {
            return output::text(&format!(
                "{}\n",
                result(outcome, table.position().structure())
            ));
        }
        let side = table.position().to_move();
        let mv = if args.is_person(side, first) {
            match table.ask(side)? {
                Wish::Move(mv) => mv,
                Wish::Undo => {
                    table.undo(|side| args.is_person(side, first));
                    continue;
                }
                Wish::Resign => return output::text(&format!("{side} resigns: {} wins.\n", !side)),
                Wish::Quit => return Ok(()),
            }
        } else {
            let (mv, line) = table.think();
            output::text(&format!("{side} plays {line}\n"))?;
            mv
        };
        table.play(mv)?;
    }
}

/// A game at the board.
struct Table<G: Playable> {
    engine: Box<dyn Engine<G>>,
    limits: Limits,
    /// Every position from the start on; never empty.
    positions: Vec<G>,
    dialect: G::Dialect,
    /// Whether the rules have a swap.
    swap: bool,
}

impl<G: Playable> Table<G> {
    fn help(&self) -> String {
        HELP.replace("{SWAP}", if self.swap { SWAP } else { "" })
    }

    fn position(&self) -> &G {
        &self.positions[self.positions.len() - 1]
    }

    fn play(&mut self, mv: G::Move) -> Result<()> {
        let mut next = self.position().clone();
        next.try_play(mv)?;
        self.engine.advance(mv)?;
        self.positions.push(next);
        Ok(())
    }

    /// The engine's move in an open game, and what it thinks of it.
    fn think(&mut self) -> (G::Move, String) {
        let report = self.engine.choose(&self.limits, &mut |_| {});
        let mv = report.best.expect("an open game has a move");
        (mv, self.opinion(mv, &report))
    }

    fn opinion(&self, mv: G::Move, report: &Report<G::Move>) -> String {
        let value = match report.proven {
            Some(proven) => format!("a proven {proven}"),
            None => format!("{:.0} %", 100.0 * report.value.0),
        };
        format!("{} ({value})", self.position().write_move(mv, self.dialect))
    }

    /// Asks until there is a legal move, or a wish to end.
    fn ask(&mut self, side: Side) -> Result<Wish<G::Move>> {
        loop {
            output::text(&format!("{side}> "))?;
            let mut line = String::new();
            if std::io::stdin().lock().read_line(&mut line)? == 0 {
                return Ok(Wish::Quit);
            }
            match line.trim().to_ascii_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Wish::Quit),
                "resign" => return Ok(Wish::Resign),
                "help" | "?" => output::text(&self.help())?,
                "hint" => {
                    let (_, line) = self.think();
                    output::text(&format!("{line}\n"))?;
                }
                "moves" => output::text(&self.moves())?,
                "undo" => return Ok(Wish::Undo),
                text => match self.read_move(text) {
                    Ok(mv) => return Ok(Wish::Move(mv)),
                    Err(why) => output::text(&format!("{why}; `help` tells what you can do\n"))?,
                },
            }
        }
    }

    fn read_move(&self, text: &str) -> Result<G::Move, String> {
        let position = self.position();
        let mv = position
            .parse_move(text, self.dialect)
            .map_err(|why| why.to_string())?;
        position.check(mv).map_err(|why| format!("{text}: {why}"))?;
        Ok(mv)
    }

    fn moves(&self) -> String {
        let mut moves = Vec::new();
        self.position().legal_moves(&mut moves);
        let written = |&mv: &G::Move| self.position().write_move(mv, self.dialect);
        moves.iter().map(written).collect::<Vec<_>>().join(" ") + "\n"
    }

    /// Goes back to the last position but this in which a person is to move; if there is none, nothing
    /// happens.
    fn undo(&mut self, is_person: impl Fn(Side) -> bool) {
        let before = &self.positions[..self.positions.len() - 1];
        if let Some(last) = before
            .iter()
            .rposition(|position| is_person(position.to_move()))
        {
            self.positions.truncate(last + 1);
            self.engine.set_position(self.position().clone());
        }
    }
}

fn result(outcome: Outcome, structure: Option<String>) -> String {
    match (outcome, structure) {
        (Outcome::Draw, _) => "The game is a draw.".to_owned(),
        (Outcome::Win(side), Some(structure)) => format!("{side} wins with a {structure}."),
        (Outcome::Win(side), None) => format!("{side} wins: {} cannot move.", !side),
    }
}
