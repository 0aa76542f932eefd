//! One game between two players, adjudicated by our rules, on our clock.

use crate::experiment::{Budget, Role, Time};
use crate::schedule::Opening;
use crate::seat::{Allowance, Fault, Seat, Trouble};
use engine::{Playable, TurnStatistics};
use game::{Outcome, Relative, Side};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use thiserror::Error;

/// A move as it was made.
#[derive(Clone, Debug)]
pub struct Turn<M> {
    /// Who made it.
    pub role: Role,
    /// The move.
    pub mv: M,
    /// What the report shows of it.
    pub notes: Notes,
}

/// What is stored of a move besides the move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// Seconds by our clock.
    pub seconds: f64,
    /// The expected score of the side that moved, from 0 to 1, as it saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What its search counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Counted>,
}

/// What is stored of [`TurnStatistics`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "documented at TurnStatistics")]
pub struct Counted {
    pub branching: usize,
    pub nodes: u64,
    pub best_index: Option<usize>,
    pub cutoffs: u64,
    pub window_cutoffs: u64,
    pub evaluation: Option<i32>,
    pub iterations: u64,
    pub win_rate: Option<f64>,
    pub inherited_visits: u64,
}

impl From<TurnStatistics> for Counted {
    fn from(turn: TurnStatistics) -> Counted {
        Counted {
            branching: turn.branching,
            nodes: turn.nodes,
            best_index: turn.best_index,
            cutoffs: turn.cutoffs,
            window_cutoffs: turn.window_cutoffs,
            evaluation: turn.evaluation,
            iterations: turn.iterations,
            win_rate: turn.win_rate,
            inherited_visits: turn.inherited_visits,
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played<M> {
    /// The moves after the opening.
    pub turns: Vec<Turn<M>>,
    /// The result as the player whose score is counted sees it.
    pub result: Relative,
    /// How it ended: a structure, `full-board`, `no-moves`, `resign`, or what a player did wrong.
    pub reason: String,
    /// Who lost by a fault, and by which.
    pub fault: Option<(Role, Fault)>,
    /// The side that resigned.
    pub resigned: Option<Side>,
}

/// The clock of one player.
struct PlayerClock {
    budget: Budget,
    per_move: Option<Duration>,
    game: Option<gtp::Clock>,
}

impl PlayerClock {
    fn new(budget: &Budget, reference: f64) -> PlayerClock {
        let duration = Duration::from_secs_f64;
        let (per_move, game) = match budget.time {
            Some(Time::PerMove(seconds)) => (Some(duration(seconds)), None),
            Some(Time::Reference(seconds)) => (Some(duration(seconds * reference)), None),
            Some(Time::PerGame { main, increment }) => {
                let clock = gtp::Clock {
                    main: duration(main),
                    per_move: duration(increment),
                    saves: true,
                    ..gtp::Clock::default()
                };
                (None, Some(clock))
            }
            Some(Time::Opponent { .. }) | None => (None, None),
        };
        PlayerClock {
            budget: budget.clone(),
            per_move,
            game,
        }
    }

    /// What the next move may take, after the opponent's last took so long.
    fn allowance(&self, opponent: Option<Duration>) -> Allowance {
        let time = match self.budget.time {
            Some(Time::Opponent { times, first }) => {
                Some(opponent.map_or(Duration::from_secs_f64(first), |took| took.mul_f64(times)))
            }
            _ => self.game.map(|clock| clock.allotted()).or(self.per_move),
        };
        Allowance {
            time,
            clock: self.game,
        }
    }

    /// Counts a move; tells what is wrong if it took too long.
    fn spend(&mut self, took: Duration, allowance: &Allowance) -> Option<Fault> {
        let margin = Duration::from_secs_f64(self.budget.margin);
        let limit = match self.game {
            Some(clock) => Some(clock.main + clock.per_move),
            None => allowance.time,
        }?;
        if let Some(clock) = &mut self.game {
            clock.spend(took);
        }
        (took > limit + margin).then(|| {
            Fault::Time(format!(
                "{:.3} s of {:.3} s",
                took.as_secs_f64(),
                limit.as_secs_f64()
            ))
        })
    }
}

/// A player that cannot be had on this machine. Nobody has lost: there is no game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{player} cannot be had here: {why}")]
pub struct NotHere {
    /// Its name.
    pub player: String,
    /// Why.
    pub why: String,
}

/// The players of a game.
pub struct Players<'a, G: Playable> {
    /// Their seats: the one whose score is counted, and its opponent.
    pub seats: [&'a mut dyn Seat<G>; 2],
    /// What they may use.
    pub budgets: [&'a Budget; 2],
    /// Their names.
    pub names: [&'a str; 2],
    /// What their chance follows from.
    pub seeds: [u64; 2],
}

/// Plays a game from an opening. `first` moves first after it; `reference` is how many seconds of this
/// machine are one of the reference machine; `thinks` is called before each move with the most that it
/// may take, where that is known.
///
/// # Errors
/// If a player cannot be had on this machine.
pub fn play<G: Playable>(
    opening: &Opening<G>,
    first: Role,
    players: &mut Players<'_, G>,
    reference: f64,
    thinks: &dyn Fn(Option<Duration>),
) -> Result<Played<G::Move>, NotHere> {
    let names = players.names;
    let not_here = |role: Role, why| NotHere {
        player: names[role as usize].to_owned(),
        why,
    };
    let mut clocks = players
        .budgets
        .map(|budget| PlayerClock::new(budget, reference));
    let mut position = opening.start.clone();
    let mut game = Played {
        turns: Vec::new(),
        result: Relative::Draw,
        reason: String::new(),
        fault: None,
        resigned: None,
    };
    for role in [Role::Player, Role::Against] {
        let seat = &mut players.seats[role as usize];
        let begun = seat.begin(&opening.start, players.seeds[role as usize]);
        match begun {
            Ok(()) => opening.moves.iter().for_each(|&mv| seat.tell(mv)),
            Err(Trouble::NotHere(why)) => return Err(not_here(role, why)),
            Err(Trouble::Fault(fault)) => {
                seat.reset();
                return Ok(game.lost(role, fault));
            }
        }
    }
    for &mv in &opening.moves {
        position.play(mv);
    }
    let first_side = position.to_move();
    let role_of = |side: Side| {
        if side == first_side {
            first
        } else {
            first.other()
        }
    };
    let mut last = None;
    while position.outcome().is_none() {
        let role = role_of(position.to_move());
        let (seat, clock) = (
            &mut players.seats[role as usize],
            &mut clocks[role as usize],
        );
        let allowance = clock.allowance(last);
        thinks(
            allowance
                .clock
                .map(|clock| clock.main + clock.per_move)
                .or(allowance.time),
        );
        let started = Instant::now();
        let thought = seat.think(&position, &allowance);
        let took = started.elapsed();
        last = Some(took);
        let fault = match thought {
            Err(Trouble::NotHere(why)) => return Err(not_here(role, why)),
            Err(Trouble::Fault(fault)) => Some(fault),
            Ok(thought) => match (clock.spend(took, &allowance), thought.mv) {
                (Some(fault), _) => Some(fault),
                (None, None) => {
                    game.resigned = Some(position.to_move());
                    return Ok(game.ended(lost_by(role), "resign".to_owned()));
                }
                (None, Some(mv)) => {
                    if let Err(error) = position.try_play(mv) {
                        Some(Fault::Illegal(error.to_string()))
                    } else {
                        let statistics = thought.statistics.map(Counted::from);
                        let notes = Notes {
                            seconds: took.as_secs_f64(),
                            value: thought.value,
                            statistics,
                        };
                        game.turns.push(Turn { role, mv, notes });
                        players.seats[role.other() as usize].tell(mv);
                        None
                    }
                }
            },
        };
        if let Some(fault) = fault {
            players.seats[role as usize].reset();
            return Ok(game.lost(role, fault));
        }
    }
    let outcome = position.outcome().unwrap_or(Outcome::Draw);
    let result = match outcome {
        Outcome::Draw => Relative::Draw,
        Outcome::Win(side) => lost_by(role_of(!side)),
    };
    let reason = match outcome {
        Outcome::Draw => "full-board".to_owned(),
        Outcome::Win(_) => position
            .structure()
            .unwrap_or_else(|| "no-moves".to_owned()),
    };
    Ok(game.ended(result, reason))
}

/// The result for the player whose score is counted when this one has lost.
const fn lost_by(role: Role) -> Relative {
    match role {
        Role::Player => Relative::Loss,
        Role::Against => Relative::Win,
    }
}

impl<M> Played<M> {
    fn ended(mut self, result: Relative, reason: String) -> Self {
        self.result = result;
        self.reason = reason;
        self
    }

    fn lost(mut self, role: Role, fault: Fault) -> Self {
        fault.kind().clone_into(&mut self.reason);
        self.result = lost_by(role);
        self.fault = Some((role, fault));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many moves of so many milliseconds a clock allows, of at most a hundred.
    fn moves(took: u64, main: f64, increment: f64) -> usize {
        let budget = Budget {
            time: Some(Time::PerGame { main, increment }),
            margin: 0.02,
            ..Budget::default()
        };
        let mut clock = PlayerClock::new(&budget, 1.0);
        let mut move_of = |took| {
            let allowance = clock.allowance(None);
            clock.spend(Duration::from_millis(took), &allowance)
        };
        (0..100).take_while(|_| move_of(took).is_none()).count()
    }

    #[test]
    fn a_clock_of_the_game_ends() {
        // It loses 0.06 s a move: before the fifth there are 0.01 s and the increment, and the margin is 0.02 s.
        assert_eq!(moves(80, 0.25, 0.02), 4);
        assert_eq!(moves(80, 0.25, 0.08), 100);
        assert_eq!(moves(80, 0.0, 0.05), 0);
    }

    #[test]
    fn what_an_increment_leaves_is_saved() {
        let time = Some(Time::PerGame {
            main: 0.0,
            increment: 0.1,
        });
        let budget = Budget {
            time,
            ..Budget::default()
        };
        let mut clock = PlayerClock::new(&budget, 1.0);
        for (took, fits) in [(50, true), (140, true), (120, false)] {
            let allowance = clock.allowance(None);
            let fault = clock.spend(Duration::from_millis(took), &allowance);
            assert_eq!(fault.is_none(), fits, "{took} ms: {fault:?}");
        }
    }
}
