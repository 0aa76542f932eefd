//! Every parameter of every player and solver changes what it does. Parameters, and what can be given for them, are
//! those that players and solvers tell: a new one is tested when it is there.

use engine::{
    BoardOptions, Parameter, ParameterError, Playable, Player, Resources, Setting, SolveError,
    Solver, Task,
};
use game::random;
use registry::{GameName, with_game};
use search::{Every, Limits};
use std::collections::{BTreeSet, HashMap};

/// A parameter that this test cannot show at work.
struct Exception {
    /// Of all that have it; `parameter of NAME` is that of one player or solver.
    parameter: &'static str,
    /// Of this game's players; of all if none is named.
    game: Option<&'static str>,
    why: &'static str,
    /// Whether it is tried, and must then have no effect.
    is_tried: bool,
    /// Whether solvers alone have it.
    is_of_solvers: bool,
}

const EXCEPTIONS: [Exception; 10] = [
    Exception {
        parameter: "book",
        game: None,
        why: "a random position is in no book; `book` tries those that are",
        is_tried: false,
        is_of_solvers: false,
    },
    Exception {
        parameter: "threads",
        game: None,
        why: "searches of several threads differ from run to run, or do not if the machine lets one wait",
        is_tried: false,
        is_of_solvers: false,
    },
    Exception {
        parameter: "virtual-loss",
        game: None,
        why: "is for several threads",
        is_tried: true,
        is_of_solvers: false,
    },
    Exception {
        parameter: "solver-memory",
        game: None,
        why: "the least table has room for all that a short search asks the solver",
        is_tried: true,
        is_of_solvers: false,
    },
    Exception {
        parameter: "keep-proofs of shokry-mcts",
        game: Some("konane"),
        why: "as in the thesis, it has no proofs to keep",
        is_tried: true,
        is_of_solvers: false,
    },
    Exception {
        parameter: "keep-proofs of shokry-dmcts",
        game: Some("konane"),
        why: "as in the thesis, it has no proofs to keep",
        is_tried: true,
        is_of_solvers: false,
    },
    Exception {
        parameter: "keep-proofs of rave",
        game: Some("hex"),
        why: "4×4 is solved before the tree is full, and nothing on 13×13",
        is_tried: true,
        is_of_solvers: false,
    },
    Exception {
        parameter: "network",
        game: Some("havannah"),
        why: "its values are files; `players::network` tries one",
        is_tried: false,
        is_of_solvers: false,
    },
    Exception {
        parameter: "draw-detection",
        game: Some("havannah"),
        why: "positions in which a side cannot win are rare; `draw_detection_saves_nodes` makes some",
        is_tried: false,
        is_of_solvers: true,
    },
    Exception {
        parameter: "database",
        game: Some("konane"),
        why: "its values are files",
        is_tried: false,
        is_of_solvers: true,
    },
];

/// Settings under which parameters are tried, the first that apply and show a difference being enough, with the work of
/// a search, and whether they are for a large board.
type Condition = (&'static [&'static str], u64, bool);

/// Work: simulations.
const OF_PLAYERS: [Condition; 12] = [
    (&[], 200, false),
    // Few simulations leave it open which move is best.
    (&[], 20, false),
    (&[], 40, false),
    // What a parameter of RAVE, of the network, of the solver and of a full tree is about.
    (&["rave=50"], 200, false),
    (&["know-network=30"], 200, false),
    (&["know-network=30", "puct=1"], 200, false),
    (&["solve-after=4"], 200, false),
    (&["expand-after=0"], 200, false),
    (&["memory=1", "expand-after=0"], 1_200, true),
    (&["expand-after=0"], 1_200, true),
    (&[], 1_200, true),
    // The tree is full, and some of it is solved.
    (&["memory=1", "expand-after=0"], 20_000, false),
];

/// Work: nodes.
const OF_SOLVERS: [Condition; 9] = [
    (&[], 500, false),
    (&["lookahead=2"], 2_000, false),
    (&["rave=50"], 500, false),
    (&["know-network=30"], 500, false),
    (&["know-network=30", "puct=1"], 500, false),
    (&["solve-after=4"], 500, false),
    (&[], 5_000, false),
    // The tree is full.
    (&[], 50_000, true),
    (&["expand-after=0"], 50_000, false),
];

fn setting(text: &str) -> Setting {
    text.parse().expect("a setting")
}

/// Boards on which parameters are tried, and the random moves before. The last is the large one.
type Boards = &'static [(&'static str, usize)];

fn boards_for_players(game: &str) -> Boards {
    match game {
        "havannah" => &[("4", 8), ("6", 8), ("10", 0)],
        "konane" => &[("6", 8), ("8", 8), ("6", 16), ("14x17", 40)],
        _ => &[("4", 2), ("13", 0)],
    }
}

/// Symmetric ones too, and some that are nearly full.
fn boards_for_solvers(game: &str) -> Boards {
    match game {
        "havannah" => &[
            ("4", 8),
            ("3", 0),
            ("3", 13),
            ("3", 15),
            ("4", 32),
            ("5", 0),
        ],
        "konane" => &[("6", 8), ("6", 16), ("4", 0), ("5x6", 0), ("6", 0)],
        _ => &[("3", 0), ("4", 0)],
    }
}

fn positions<G: Playable>(boards: Boards) -> Vec<G> {
    let position = |&(size, moves): &(&str, usize)| {
        let mut rng = random::seeded(3);
        loop {
            let mut position = G::start(&BoardOptions::sized(size)).expect("a board");
            for _ in 0..moves {
                if let Some(mv) = position.random_move(&mut rng) {
                    position.play(mv);
                }
            }
            if position.outcome().is_none() {
                return position;
            }
        }
    };
    boards.iter().map(position).collect()
}

/// What does something with a position and settings, for so much work, and tells what it did.
trait Subject<G> {
    /// Its name.
    fn name(&self) -> &'static str;

    fn parameters(&self) -> &[Parameter];

    /// Under which settings its parameters are tried.
    fn conditions(&self) -> &'static [Condition];

    fn behaviour(
        &self,
        position: &G,
        settings: &[Setting],
        work: u64,
    ) -> Result<String, ParameterError>;
}

/// Two searches, of a position and of the one after its move and an answer.
impl<G: Playable> Subject<G> for Player<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn conditions(&self) -> &'static [Condition] {
        &OF_PLAYERS
    }

    fn behaviour(
        &self,
        position: &G,
        settings: &[Setting],
        simulations: u64,
    ) -> Result<String, ParameterError> {
        let limits = Limits {
            simulations: Some(simulations),
            // For searches without simulations.
            nodes: Some(if simulations > 1_000 { 200_000 } else { 20_000 }),
            ..Limits::default()
        };
        let mut engine = self.build(position.clone(), 1, settings)?;
        let mut told = String::new();
        for _ in 0..2 {
            let report = engine.search(&limits, &mut |_| {});
            let stop = report.stop;
            told += &format!("{} {:?} {stop}; ", report.signature, report.best);
            let Some(best) = report.best else { break };
            engine.advance(best).expect("a legal move");
            let mut answers = Vec::new();
            engine.position().legal_moves(&mut answers);
            let Some(&answer) = answers.first() else {
                break;
            };
            engine.advance(answer).expect("a legal move");
        }
        Ok(told)
    }
}

/// A search for the value: how it went on, and what it found.
impl<G: Playable> Subject<G> for Solver<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn conditions(&self) -> &'static [Condition] {
        &OF_SOLVERS
    }

    fn behaviour(
        &self,
        position: &G,
        settings: &[Setting],
        nodes: u64,
    ) -> Result<String, ParameterError> {
        let limits = Limits {
            nodes: Some(nodes),
            simulations: Some(nodes),
            progress: Every::Work(nodes / 10),
            ..Limits::default()
        };
        let task = Task {
            position,
            resources: Resources {
                memory: 1 << 20,
                threads: 1,
            },
            settings,
            limits: &limits,
        };
        let mut told = String::new();
        let report = self.solve(&task, &mut |at| {
            told += &format!(
                "{} {} {} {} {}; ",
                at.proof, at.disproof, at.depth, at.nodes, at.entries
            );
        });
        match report {
            Ok(report) => {
                let (outcome, nodes, entries) = (report.outcome, report.nodes, report.entries);
                Ok(format!(
                    "{told}{outcome:?} {:?} {nodes} {entries}",
                    report.best
                ))
            }
            Err(SolveError::Parameter(error)) => Err(error),
            Err(error) => panic!("{}: {error}", self.name),
        }
    }
}

/// Values that a parameter may have beside its default, from what is said when it is given nonsense.
fn values<G>(subject: &dyn Subject<G>, position: &G, name: &str, default: &str) -> Vec<String> {
    let nonsense = setting(&format!("{name}=?"));
    let Err(ParameterError::BadValue { expected, .. }) =
        subject.behaviour(position, &[nonsense], 1)
    else {
        // Nonsense is the path of a file that is not there.
        return vec!["none".to_owned()];
    };
    let parts = expected.split(", ").flat_map(|part| part.split(" or "));
    let words: Vec<&str> = parts
        .map(|part| {
            part.trim_start_matches("or ")
                .trim_start_matches("such as ")
        })
        .filter(|part| !part.contains(' '))
        .collect();
    let mut values: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    // A letter from a to r.
    let parts = expected.split("letter from ").skip(1);
    values.extend(parts.filter_map(|part| Some(part.chars().next()?.to_string())));
    if expected.contains("number") {
        let numbers = expected.split([' ', ',']);
        let mut range = numbers.filter_map(|word| word.parse::<f64>().ok());
        let least = range.next().unwrap_or(0.0);
        let most = range.next().unwrap_or(f64::INFINITY);
        let now = default.parse::<f64>().ok().filter(|now| now.is_finite());
        let now = now.unwrap_or(1.0);
        let mut tried = vec![least, 2.0 * now + 1.0, now / 2.0, 30.0, 3.0, 1.0, 0.3];
        tried.retain(|value| (least..=most).contains(value));
        if expected.contains("whole") {
            tried = tried.into_iter().map(f64::floor).collect();
        }
        values.extend(tried.iter().map(f64::to_string));
    }
    values.retain(|value| value != default);
    values
}

/// What a player or solver does without the parameter that is tried, by the condition and the position.
type Plain = HashMap<(usize, usize), String>;

/// Whether a value of a parameter is seen to change what a player or solver does.
fn has_effect<G>(
    subject: &impl Subject<G>,
    parameter: &Parameter,
    starts: &[G],
    plain: &mut Plain,
) -> bool {
    let (name, default) = (parameter.name, &parameter.default);
    let values = values(subject, &starts[0], name, default);
    let knows = |text: &&&str| {
        let (name, _) = text.split_once('=').expect("a setting");
        subject.parameters().iter().any(|known| known.name == name)
    };
    let large = starts.len() - 1;
    let conditions = subject.conditions().iter().enumerate();
    let mut conditions = conditions.filter(|(_, (conditions, ..))| {
        // The parameter itself is no condition.
        let is_itself = |text: &&str| text.split_once('=').is_some_and(|(own, _)| own == name);
        !conditions.iter().any(is_itself)
            && conditions.iter().filter(knows).count() == conditions.len()
    });
    conditions.any(|(condition, &(conditions, work, is_large))| {
        let mut starts = starts.iter().enumerate();
        starts.any(|(at, start)| {
            if is_large != (at == large) {
                return false;
            }
            let mut settings: Vec<Setting> = conditions.iter().map(|text| setting(text)).collect();
            let plain = plain
                .entry((condition, at))
                .or_insert_with(|| subject.behaviour(start, &settings, work).expect("settings"));
            values.iter().any(|value| {
                settings.truncate(conditions.len());
                settings.push(setting(&format!("{name}={value}")));
                let told = subject.behaviour(start, &settings, work);
                told.is_ok_and(|told| told != *plain)
            })
        })
    })
}

/// The parameters without an effect, and the names of all.
type Tried = (Vec<String>, BTreeSet<String>);

fn tried<G: Playable>(subjects: &[impl Subject<G>], boards: fn(&str) -> Boards) -> Tried {
    let starts: Vec<G> = positions(boards(G::NAME));
    let mut idle = Vec::new();
    let mut names = BTreeSet::new();
    for subject in subjects {
        let mut plain = Plain::new();
        for parameter in subject.parameters() {
            let own = format!("{} of {}", parameter.name, subject.name());
            let mut exceptions = EXCEPTIONS.iter();
            let exception = exceptions.find(|exception| {
                let is_here = exception.game.is_none_or(|game| game == G::NAME);
                is_here && [parameter.name, &own].contains(&exception.parameter)
            });
            names.extend([parameter.name.to_owned(), own.clone()]);
            if exception.is_some_and(|exception| !exception.is_tried) {
                continue;
            }
            let effect = has_effect(subject, parameter, &starts, &mut plain);
            let of = format!("{own} of {}", G::NAME);
            match exception {
                Some(exception) => assert!(!effect, "{of} is no exception ({})", exception.why),
                None if !effect => idle.push(of),
                None => {}
            }
        }
    }
    (idle, names)
}

/// Every parameter has an effect, and every exception is there.
fn check(found: &[Tried], is_known: impl Fn(&Exception) -> bool) {
    let idle: Vec<&String> = found.iter().flat_map(|(idle, _)| idle).collect();
    assert!(idle.is_empty(), "without an effect: {idle:#?}");
    for exception in EXCEPTIONS.iter().filter(|exception| is_known(exception)) {
        let Exception { parameter, why, .. } = exception;
        let is_there = found.iter().any(|(_, names)| names.contains(*parameter));
        assert!(is_there, "{parameter} is no parameter ({why})");
    }
}

#[test]
fn every_parameter_of_a_player_has_an_effect() {
    let games = GameName::ALL.iter();
    let found: Vec<_> = games
        .map(|&game| with_game!(game, G => tried::<G>(&G::players(), boards_for_players)))
        .collect();
    check(&found, |exception| !exception.is_of_solvers);
}

#[test]
fn every_parameter_of_a_solver_has_an_effect() {
    let games = GameName::ALL.iter();
    let found: Vec<_> = games
        .map(|&game| with_game!(game, G => tried::<G>(&G::solvers(), boards_for_solvers)))
        .collect();
    check(&found, |exception| exception.is_of_solvers);
}
