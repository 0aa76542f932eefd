//! The commands: one table, and a file for each kind.
#![expect(
    clippy::unnecessary_wraps,
    reason = "commands have one type, whether they can fail or not"
)]

mod about;
mod analyze;
mod arguments;
mod board;
mod files;
mod gogui;
mod moves;
mod player;
mod show;
mod solve;
mod time;

pub(crate) use moves::make_found_move;

use crate::Session;
use engine::Playable;

/// What a command gives: the text of its response, or why it was not carried out.
type Reply = Result<String, Failure>;

/// Why a command was not carried out. It has changed nothing then.
pub(crate) enum Failure {
    /// It was not used as the table says.
    Usage,
    /// Anything else.
    Because(String),
}

impl Failure {
    pub(crate) fn because(why: impl Into<String>) -> Failure {
        Failure::Because(why.into())
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Because(error.to_string())
    }
}

/// What a game must have for a command to be of use.
enum Need {
    /// A choice before the game.
    Option(&'static str),
    /// Several ways of writing cells.
    Dialects,
    /// A board of hexagons, as GoGui has them.
    Hexagons,
    /// Programs for this game know the command.
    Game(&'static str),
}

/// A command of a session.
struct Entry<G: Playable> {
    name: &'static str,
    /// What follows the name, in words. What more is written is passed over.
    arguments: &'static str,
    /// What it does, in a line.
    help: &'static str,
    run: fn(&mut Session<G>, &[&str]) -> Reply,
    /// What a game must have for it to be of use.
    needs: Option<Need>,
}

impl<G: Playable> Entry<G> {
    const fn new(
        name: &'static str,
        arguments: &'static str,
        help: &'static str,
        run: fn(&mut Session<G>, &[&str]) -> Reply,
    ) -> Self {
        Entry {
            name,
            arguments,
            help,
            run,
            needs: None,
        }
    }

    const fn needs(self, need: Need) -> Self {
        Entry {
            needs: Some(need),
            ..self
        }
    }

    #[rustfmt::skip]
    const TABLE: &'static [Entry<G>] = &[
        Entry::new("protocol_version", "", "the version of GTP", about::protocol_version),
        Entry::new("name", "", "the name of the program", about::name),
        Entry::new("version", "", "the version of the program", about::version),
        Entry::new("known_command", "NAME", "whether there is such a command", about::known_command),
        Entry::new("list_commands", "", "the names of all commands", about::list_commands),
        Entry::new("help", "[COMMAND]", "what the commands do", about::help),
        Entry::new("quit", "", "end the session", about::quit),

        Entry::new("boardsize", G::BOARDSIZE, "a new game on another board", board::boardsize),
        Entry::new("rectangular_boardsize", "COLS ROWS", "the same with the columns first, as Sabaki and KataGo have it", board::rectangular_boardsize).needs(Need::Option("cols")),
        Entry::new("clear_board", "", "a new game on this board", board::clear_board),
        Entry::new("komi", "NUMBER", "accepted, and has no effect", board::komi),
        Entry::new("swap", "[on|off]", "turn the swap rule on or off, before the first move", board::swap).needs(Need::Option("swap")),
        Entry::new("setup", "[PAIR|none]", "a new game with a pair already removed: corner, corner-vertical, centre, centre-vertical, or two cells such as d4,e4", board::setup).needs(Need::Option("setup")),
        Entry::new("opening", "[traditional|any]", "a new game in which a corner or centre stone, or any, is removed first", board::opening).needs(Need::Option("opening")),
        Entry::new("dialect", "[grid|row]", "how cells are numbered: as Castro and HavannahGui do, or as Little Golem does", board::dialect).needs(Need::Dialects),
        Entry::new("hguicoords", "", "the same as dialect grid", board::hgui_coordinates).needs(Need::Dialects),
        Entry::new("gridcoords", "", "the same as dialect row", board::grid_coordinates).needs(Need::Dialects),

        Entry::new("play", "COLOUR MOVE", "play a move for the side to move", moves::play),
        Entry::new("playgame", "MOVE...", "play moves for both sides in turn: all, or none if one is illegal", moves::playgame),
        Entry::new("loadsgf", "FILE [NUMBER]", "the first game of a file (SGF, HGF or a list of moves), up to the move before the number", files::loadsgf),
        Entry::new("printsgf", "[FILE]", "the game as SGF, or write it to a file", files::printsgf),
        Entry::new("genmove", "[COLOUR [SECONDS]]", "search for a move and play it; with 0 seconds only simulations limit the search", moves::genmove),
        Entry::new("reg_genmove", "[COLOUR [SECONDS]]", "search for a move without playing it", moves::reg_genmove),
        Entry::new("lz-analyze", "[COLOUR] [CENTISECONDS] [maxmoves N]", "print an analysis of the moves at this interval, until the next command", analyze::analyze),
        Entry::new("analyze", "[COLOUR] [CENTISECONDS] [maxmoves N]", "the same as lz-analyze", analyze::analyze),
        Entry::new("lz-genmove_analyze", "[COLOUR] [CENTISECONDS] [maxmoves N]", "the same while a move is searched, which is then played", analyze::genmove_analyze),
        Entry::new("genmove_analyze", "[COLOUR] [CENTISECONDS] [maxmoves N]", "the same as lz-genmove_analyze", analyze::genmove_analyze),
        Entry::new("kata-analyze", "[COLOUR] [CENTISECONDS] [maxmoves N] [rootInfo true]", "the same as lz-analyze, in the form of KataGo", analyze::kata_analyze),
        Entry::new("kata-genmove_analyze", "[COLOUR] [CENTISECONDS] [maxmoves N] [rootInfo true]", "the same while a move is searched, which is then played", analyze::kata_genmove_analyze),
        Entry::new("undo", "[NUMBER]", "take back one move or more", moves::undo),

        Entry::new("showboard", "", "a picture of the board", show::showboard),
        Entry::new("print", "", "the same as showboard", show::showboard),
        Entry::new("history", "", "the moves of the game", show::history),
        Entry::new("all_legal", "", "all legal moves", show::all_legal),
        Entry::new("final_score", "", "who won: W+, B+ or 0", show::final_score),
        Entry::new("winner", "", "none, white, black or draw", show::winner),
        Entry::new("havannah_winner", "", "the same as winner", show::winner).needs(Need::Game("havannah")),
        Entry::new("gogui-version", "[VERSION]", "the first command of GoGui: from then on cells are written as points of GoGui's board", gogui::version).needs(Need::Hexagons),
        Entry::new("gogui-rules_game_id", "", "the name of the game, for GoGui", gogui::game_id).needs(Need::Hexagons),
        Entry::new("gogui-rules_board_size", "", "the columns of the board, for GoGui", gogui::board_size).needs(Need::Hexagons),
        Entry::new("gogui-rules_board", "", "the board, for GoGui: X is Black, O White, ? no cell", gogui::board).needs(Need::Hexagons),
        Entry::new("gogui-rules_legal_moves", "", "all legal moves, for GoGui", gogui::legal_moves).needs(Need::Hexagons),
        Entry::new("gogui-rules_side_to_move", "", "whose turn it is, for GoGui", gogui::side_to_move).needs(Need::Hexagons),
        Entry::new("gogui-rules_final_result", "", "who won, for GoGui", gogui::final_result).needs(Need::Hexagons),
        Entry::new("pv", "", "the principal variation of the last search", show::pv),
        Entry::new("move_stats", "", "the moves of the last search, the best first: visits or nodes, expected score, and what is proven", show::move_stats),
        Entry::new("stats", "[json]", "statistics of the last searches: time by phase, depth, how playouts ended; as JSON with every move", show::stats),

        Entry::new("solve", "[SECONDS [SOLVER [KEY=VALUE...]]]", "the exact value of the position, a move that keeps it, and the nodes searched; unknown if the time does not suffice", solve::solve),
        Entry::new("ab_solve", "[SECONDS]", "the same by alpha-beta", solve::ab_solve),
        Entry::new("pns_solve", "[SECONDS]", "the same by proof-number search on a tree", solve::pns_solve),
        Entry::new("pnstt_solve", "[SECONDS]", "the same by proof-number search on a transposition table", solve::pnstt_solve),
        Entry::new("player_solve", "[SECONDS]", "the same by Monte Carlo tree search", solve::player_solve),
        Entry::new("solvers", "", "the solvers of the game", solve::solvers),

        Entry::new("time_settings", "MAIN BYO_YOMI STONES", "the clock of each side, in seconds; 0 0 0, or a period without stones, restores the limits of the start", time::time_settings),
        Entry::new("kata-time_settings", "none | absolute MAIN | fischer MAIN INCREMENT | canadian MAIN PERIOD MOVES | byoyomi MAIN PERIOD PERIODS", "the same, with increments", time::kata_time_settings),
        Entry::new("kata-list_time_settings", "", "the clocks that kata-time_settings knows", time::kata_list_time_settings),
        Entry::new("time_left", "COLOUR SECONDS STONES", "the time that a side has left", time::time_left),
        Entry::new("time", "[-m S] [-g S] [-r S] [-i N] [-f 0|1]", "seconds for each move, for the game, and left; simulations; whether unused time is kept", time::time),

        Entry::new("player", "[NAME [KEY=VALUE...]]", "choose another player; without a name: list the players", player::player),
        Entry::new("params", "", "the parameters of the player with their values", player::params),
        Entry::new("set", "KEY=VALUE...", "change parameters of the player", player::set),
        Entry::new("seed", "[NUMBER]", "the random seed of the player; a new player, parameter, seed or board size restarts the generator", player::seed),
    ];

    /// The commands of the game.
    fn all() -> impl Iterator<Item = &'static Entry<G>> {
        let is_of_use = |entry: &&Entry<G>| match entry.needs {
            None => true,
            Some(Need::Option(name)) => G::OPTIONS.iter().any(|option| option.name == name),
            Some(Need::Dialects) => !G::DIALECTS.is_empty(),
            Some(Need::Hexagons) => G::HEXAGONS,
            Some(Need::Game(name)) => G::NAME == name,
        };
        Entry::TABLE.iter().filter(is_of_use)
    }

    fn named(name: &str) -> Option<&'static Entry<G>> {
        Entry::all().find(|entry| entry.name == name)
    }

    fn usage(&self) -> String {
        format!("{} {}", self.name, self.arguments)
            .trim_end()
            .to_owned()
    }
}

/// The commands that sessions of a game know: each as it is used, and what it does, in a line.
pub fn commands<G: Playable>() -> impl Iterator<Item = (String, &'static str)> {
    Entry::<G>::all().map(|entry| (entry.usage(), entry.help))
}

/// Carries out a command; an error message if that cannot be.
pub(crate) fn run<G: Playable>(
    session: &mut Session<G>,
    name: &str,
    arguments: &[String],
) -> Result<String, String> {
    let entry = Entry::<G>::named(name).ok_or("unknown command")?;
    // Who uses them is GoGui.
    let was_gogui = session.gogui;
    session.gogui |= matches!(entry.needs, Some(Need::Hexagons));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    (entry.run)(session, &arguments).map_err(|failure| {
        session.gogui = was_gogui;
        match failure {
            Failure::Usage => format!("syntax error: expected {}", entry.usage()),
            Failure::Because(why) => why,
        }
    })
}
