//! A position of one game as [`AnyPosition`].

use crate::arguments::outcome_name;
use crate::erased::{
    Analysis, AnyEngine, AnyPosition, Marks, MoveRow, Said, Shared, Solution, Solving, Tell,
};
use crate::errors::Fault;
use crate::lattice::Lattice;
use papamu::diagram::{Options, Scene};
use papamu::engine::{Resources, Setting, Task};
use papamu::record::{Record, to_sgf};
use papamu::search::proof::SolveReport;
use papamu::{
    BoardOptions, Engine, GameName, Limits, Playable, Progress, Proof, ProveError, Side,
    StopReason, prove_with_progress,
};
use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::{Arc, OnceLock};

/// A position with the moves that led to it.
pub struct TypedPosition<G: Playable> {
    game: GameName,
    beginning: Arc<Beginning<G>>,
    moves: Vec<G::Move>,
    position: G,
}

/// How a game began, which all of its positions share.
struct Beginning<G: Playable> {
    options: BoardOptions,
    position: G,
    dialect: G::Dialect,
    actions: OnceLock<Actions<G::Move>>,
}

/// All moves of a board, numbered.
struct Actions<M> {
    moves: Vec<M>,
    numbers: HashMap<M, usize>,
}

/// The position after some moves on a board.
pub fn begin<G: Playable>(
    game: GameName,
    options: BoardOptions,
    dialect: Option<&str>,
    moves: &[String],
) -> Result<Shared, Fault> {
    let dialect = dialect.map_or(Ok(G::Dialect::default()), |name| {
        G::dialect(name).ok_or_else(|| {
            let known = match G::DIALECTS {
                [] => "it has one notation only".to_owned(),
                names => format!("there are: {}", names.join(", ")),
            };
            Fault::game(format!("no dialect {name:?} of {}; {known}", G::NAME))
        })
    })?;
    let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
    let options = G::options_admitting(options, &texts);
    let position = G::start(&options).map_err(Fault::game)?;
    let start = TypedPosition::<G> {
        game,
        moves: Vec::new(),
        position: position.clone(),
        beginning: Arc::new(Beginning {
            options,
            position,
            dialect,
            actions: OnceLock::new(),
        }),
    };
    let moves: Vec<Said> = moves.iter().cloned().map(Said::Text).collect();
    start.after(&moves)
}

/// The last position of a recorded game.
pub fn of_record<G: Playable>(game: GameName, record: Record<G>) -> Shared {
    Arc::new(TypedPosition::<G> {
        game,
        moves: record.moves,
        position: record.last,
        beginning: Arc::new(Beginning {
            options: record.options,
            position: record.start,
            dialect: record.dialect,
            actions: OnceLock::new(),
        }),
    })
}

impl<G: Playable> TypedPosition<G> {
    fn write(&self, mv: G::Move) -> String {
        self.position.write_move(mv, self.beginning.dialect)
    }

    fn all_moves(&self) -> &Actions<G::Move> {
        self.beginning.actions.get_or_init(|| {
            let moves = self.beginning.position.every_move();
            let numbers = moves.iter().enumerate().map(|(number, &mv)| (mv, number));
            Actions {
                numbers: numbers.collect(),
                moves,
            }
        })
    }

    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        moves
    }

    /// A move as the position reads it, which need not be legal.
    fn read(&self, position: &G, said: &Said) -> Result<G::Move, Fault> {
        match said {
            Said::Text(text) => position
                .parse_move(text, self.beginning.dialect)
                .map_err(Fault::illegal),
            Said::Action(action) => {
                let moves = &self.all_moves().moves;
                moves.get(*action).copied().ok_or_else(|| {
                    Fault::illegal(format!(
                        "there is no action {action}: this board has {}",
                        moves.len()
                    ))
                })
            }
        }
    }

    fn scene(&self) -> Scene<G::Cell> {
        self.position.scene(self.beginning.dialect)
    }

    fn limited(&self, report: &SolveReport<G::Move>) -> Solution {
        Solution {
            outcome: report.outcome.map(outcome_name),
            best: report.best.map(|best| self.write(best)),
            nodes: report.nodes,
            entries: report.entries,
            bytes: report.bytes,
            seconds: report.elapsed.as_secs_f64(),
            stop: report.stop.to_string(),
        }
    }
}

/// The cell with a name.
fn cell<C: Copy + PartialEq>(scene: &Scene<C>, name: &str) -> Result<C, Fault> {
    let mut tiles = scene.tiles.iter();
    let tile = tiles.find(|tile| tile.name.eq_ignore_ascii_case(name));
    let tile = tile.ok_or_else(|| Fault::argument(format!("no cell {name:?} on this board")))?;
    Ok(tile.cell)
}

impl<G: Playable> AnyPosition for TypedPosition<G> {
    fn game(&self) -> GameName {
        self.game
    }

    fn options(&self) -> BTreeMap<String, String> {
        let options = self.beginning.options.iter();
        options
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    fn dialect(&self) -> Option<&'static str> {
        G::dialect_name(self.beginning.dialect)
    }

    fn size(&self) -> String {
        self.position.size_name()
    }

    fn to_move(&self) -> Side {
        self.position.to_move()
    }

    fn outcome(&self) -> Option<&'static str> {
        self.position.outcome().map(outcome_name)
    }

    fn structure(&self) -> Option<String> {
        self.position.structure()
    }

    fn ply(&self) -> usize {
        self.moves.len()
    }

    fn moves(&self) -> Vec<String> {
        let mut position = self.beginning.position.clone();
        let mut texts = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            texts.push(position.write_move(mv, self.beginning.dialect));
            position.play(mv);
        }
        texts
    }

    fn legal_moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|mv| self.write(mv)).collect()
    }

    fn legal_actions(&self) -> Vec<usize> {
        let numbers = &self.all_moves().numbers;
        let legal = self.legal().into_iter();
        let mut actions: Vec<usize> = legal.filter_map(|mv| numbers.get(&mv).copied()).collect();
        actions.sort_unstable();
        actions
    }

    fn actions(&self) -> usize {
        self.all_moves().moves.len()
    }

    fn action(&self, text: &str) -> Result<usize, Fault> {
        let mv = self.read(&self.position, &Said::Text(text.to_owned()))?;
        let number = self.all_moves().numbers.get(&mv).copied();
        number.ok_or_else(|| Fault::illegal(format!("{text:?} is not a move of this board")))
    }

    fn move_of(&self, action: usize) -> Result<String, Fault> {
        Ok(self.write(self.read(&self.position, &Said::Action(action))?))
    }

    fn after(&self, moves: &[Said]) -> Result<Shared, Fault> {
        let mut position = self.position.clone();
        let mut played = self.moves.clone();
        for said in moves {
            let mv = self.read(&position, said)?;
            position.try_play(mv).map_err(|why| {
                let text = position.write_move(mv, self.beginning.dialect);
                Fault::illegal(format!("move {} ({text}): {why}", played.len() + 1))
            })?;
            played.push(mv);
        }
        Ok(Arc::new(TypedPosition::<G> {
            game: self.game,
            beginning: Arc::clone(&self.beginning),
            moves: played,
            position,
        }))
    }

    fn is_legal(&self, mv: &Said) -> bool {
        let mv = self.read(&self.position, mv);
        mv.is_ok_and(|mv| self.position.is_legal(mv))
    }

    fn before(&self, plies: usize) -> Result<Shared, Fault> {
        let Some(left) = self.moves.len().checked_sub(plies) else {
            return Err(Fault::argument(format!(
                "{plies} moves cannot be taken back: {} have been played",
                self.moves.len()
            )));
        };
        let mut position = self.beginning.position.clone();
        for &mv in &self.moves[..left] {
            position.play(mv);
        }
        Ok(Arc::new(TypedPosition::<G> {
            game: self.game,
            beginning: Arc::clone(&self.beginning),
            moves: self.moves[..left].to_vec(),
            position,
        }))
    }

    fn hash(&self) -> u64 {
        self.position.hash()
    }

    fn equals(&self, other: &dyn AnyPosition) -> bool {
        let other = other.as_any().downcast_ref::<TypedPosition<G>>();
        other.is_some_and(|other| self.game == other.game && self.position == other.position)
    }

    fn picture(&self) -> String {
        self.position.picture(self.beginning.dialect)
    }

    fn svg(&self, marks: &Marks) -> Result<String, Fault> {
        let scene = self.scene();
        let cell = |name: &String| cell(&scene, name);
        let highlighted = match &marks.highlight {
            None => self.position.winning_cells(),
            Some(names) => names.iter().map(cell).collect::<Result<_, _>>()?,
        };
        let labels = marks.labels.iter();
        let labels = labels.map(|(name, text)| Ok((cell(name)?, text.clone())));
        let arrows = marks.arrows.iter();
        let arrows = arrows.map(|(from, to)| Ok((cell(from)?, cell(to)?)));
        let options = Options {
            title: marks.title.clone(),
            coordinates: marks.coordinates,
            last_move: marks.last_move,
            highlighted,
            labels: labels.collect::<Result<_, _>>()?,
            arrows: arrows.collect::<Result<_, _>>()?,
            ..Options::default()
        };
        Ok(self.position.svg(self.beginning.dialect, &options))
    }

    fn lattice(&self) -> Lattice {
        Lattice::of(&self.scene())
    }

    fn sgf(&self) -> String {
        let record = Record {
            options: self.beginning.options.clone(),
            start: self.beginning.position.clone(),
            last: self.position.clone(),
            moves: self.moves.clone(),
            resigned: None,
            claimed: self.position.outcome(),
            dialect: self.beginning.dialect,
            fault: None,
            source: None,
        };
        to_sgf(&record).to_string()
    }

    fn player(
        &self,
        name: Option<&str>,
        seed: u64,
        settings: &[Setting],
    ) -> Result<Box<dyn AnyEngine>, Fault> {
        let player = Seated::<G> {
            engine: build(self.beginning.position.clone(), name, seed, settings)?,
            name: name.map(str::to_owned),
            seed,
            settings: settings.to_vec(),
            beginning: Arc::clone(&self.beginning),
            moves: Vec::new(),
        };
        Ok(Box::new(player))
    }

    fn solve(&self, how: &Solving, limits: &Limits, tell: Tell<'_>) -> Result<Solution, Fault> {
        let resources = Resources {
            memory: how.memory,
            threads: how.threads,
        };
        let mut tell = |progress: &_| tell(*progress);
        if how.solver.is_none() && how.settings.is_empty() && G::PROVES {
            let prover = self.position.prover(resources);
            let mut prover = prover.map_err(Fault::solver)?;
            return Ok(self.limited(&prover.value(&self.position, limits, &mut tell)));
        }
        let solver = G::solver(how.solver.as_deref()).map_err(Fault::solver)?;
        let task = Task {
            position: &self.position,
            resources,
            settings: &how.settings,
            limits,
        };
        let report = solver.solve(&task, &mut tell).map_err(Fault::solver)?;
        Ok(self.limited(&report))
    }

    fn prove(&self, limits: &Limits, tell: Tell<'_>) -> Result<Proof, Fault> {
        let mut position = self.beginning.position.clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            moves.push(position.write_move(mv, G::Dialect::default()));
            position.play(mv);
        }
        let (options, moves) = (&self.beginning.options, moves.join(" "));
        let proof =
            prove_with_progress::<G>(options, &moves, limits, &mut |progress| tell(*progress));
        proof.map_err(|why| match why {
            ProveError::Limits => Fault::limits(why),
            why => Fault::solver(why),
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn build<G: Playable>(
    position: G,
    name: Option<&str>,
    seed: u64,
    settings: &[Setting],
) -> Result<Box<dyn Engine<G>>, Fault> {
    let player = G::player(name).map_err(Fault::player)?;
    player
        .build(position, seed, settings)
        .map_err(Fault::player)
}

/// A player at a position.
struct Seated<G: Playable> {
    engine: Box<dyn Engine<G>>,
    name: Option<String>,
    seed: u64,
    settings: Vec<Setting>,
    beginning: Arc<Beginning<G>>,
    moves: Vec<G::Move>,
}

impl<G: Playable> Seated<G> {
    /// Goes to a position: move by move where it came about from the one before, and otherwise anew.
    fn go_to(&mut self, typed: &TypedPosition<G>) -> Result<(), Fault> {
        let follows = Arc::ptr_eq(&self.beginning, &typed.beginning)
            || (self.beginning.position == typed.beginning.position
                && self.beginning.options == typed.beginning.options);
        let new = follows
            .then(|| typed.moves.strip_prefix(self.moves.as_slice()))
            .flatten();
        let advanced = new.is_some_and(|new| {
            new.iter().all(|&mv| {
                self.moves.push(mv);
                self.engine.advance(mv).is_ok()
            })
        });
        if !advanced {
            let name = self.name.as_deref();
            self.engine = build(typed.position.clone(), name, self.seed, &self.settings)?;
            self.beginning = Arc::clone(&typed.beginning);
            self.moves.clone_from(&typed.moves);
        }
        Ok(())
    }
}

impl<G: Playable> AnyEngine for Seated<G> {
    fn think(
        &mut self,
        position: &dyn AnyPosition,
        limits: &Limits,
        tell: &mut dyn FnMut(Analysis),
    ) -> Result<Analysis, Fault> {
        let typed = position.as_any().downcast_ref::<TypedPosition<G>>();
        let typed = typed.ok_or_else(|| {
            let game = position.game();
            Fault::game(format!("this player plays {}, not {game}", G::NAME))
        })?;
        self.go_to(typed)?;
        let report = self.engine.search(limits, &mut |progress| {
            tell(analysis(typed, progress, None));
        });
        let stop = report.stop;
        Ok(analysis(typed, &report, Some(stop)))
    }
}

fn analysis<G: Playable>(
    typed: &TypedPosition<G>,
    progress: &Progress<G::Move>,
    stop: Option<StopReason>,
) -> Analysis {
    let text = |value: &dyn Display| value.to_string();
    let line = progress.principal_variation.iter();
    let moves = progress.moves.iter().map(|stats| MoveRow {
        mv: typed.write(stats.mv),
        visits: stats.visits,
        value: stats.value.0,
        lower_bound: stats.lower_bound().0,
        proven: stats.proven.map(|proven| text(&proven)),
    });
    Analysis {
        game: typed.game,
        to_move: typed.to_move(),
        best: progress.best.map(|best| typed.write(best)),
        value: progress.value.0,
        evaluation: progress.evaluation,
        proven: progress.proven.map(|proven| text(&proven)),
        principal_variation: line.map(|&mv| typed.write(mv)).collect(),
        moves: moves.collect(),
        simulations: progress.simulations,
        playouts: progress.playouts,
        nodes: progress.nodes,
        depth: progress.depth,
        seconds: progress.elapsed.as_secs_f64(),
        stop: stop.map(|stop| text(&stop)),
    }
}
