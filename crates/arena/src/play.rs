//! One game between two players, adjudicated by our rules, on our clock.

use crate::adjudication::{Adjudicator, Verdict};
use crate::experiment::{Adjudication, Budget, ExperimentError, Role, Time};
use crate::schedule::Opening;
use crate::seat::{Allowance, Fault, Seat, Trouble, guarded};
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
    pub statistics: Option<TurnStatistics>,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played<M> {
    /// The moves after the opening.
    pub turns: Vec<Turn<M>>,
    /// The result as the player whose score is counted sees it.
    pub result: Relative,
    /// How it ended: a structure, `full-board`, `no-moves`, `resign`, `adjudicated`, `max-moves`, or what a player
    /// did wrong.
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
#[error("{player} cannot play here: {why}")]
pub struct NotHere {
    /// Its name.
    pub player: String,
    /// Why.
    pub why: String,
}

/// Why a game was not played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unplayed {
    /// The experiment cannot be played as it is.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A player is missing on this machine.
    #[error(transparent)]
    NotHere(#[from] NotHere),
    /// It was given up before its end, because it could not be stored.
    #[error("the game was given up")]
    Abandoned,
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

/// What a game depends on besides its players.
pub struct Conditions<'a> {
    /// Seconds of this machine for one of the reference machine.
    pub reference: f64,
    /// When a game ends before the rules end it.
    pub adjudication: &'a Adjudication,
    /// Called before each move with the most that it may take, where that is known.
    pub thinks: &'a dyn Fn(Option<Duration>),
    /// Asked before each move: whether the game is not wanted any more.
    pub is_abandoned: &'a dyn Fn() -> bool,
}

/// Plays a game from an opening. `first` moves first after it.
///
/// # Errors
/// If a player cannot be had on this machine, or the game is not wanted any more.
pub fn play<G: Playable>(
    opening: &Opening<G>,
    first: Role,
    players: &mut Players<'_, G>,
    conditions: &Conditions<'_>,
) -> Result<Played<G::Move>, Unplayed> {
    let names = players.names;
    let not_here = |role: Role, why| NotHere {
        player: names[role as usize].to_owned(),
        why,
    };
    let mut clocks = players
        .budgets
        .map(|budget| PlayerClock::new(budget, conditions.reference));
    let mut adjudicator = Adjudicator::new(conditions.adjudication);
    let mut position = opening.start.clone();
    let mut game = Played {
        turns: Vec::new(),
        result: Relative::Draw,
        reason: String::new(),
        fault: None,
        resigned: None,
    };
    for role in [Role::Player, Role::Against] {
        match begin(opening, role, players) {
            Ok(()) => {}
            Err(Trouble::NotHere(why)) => return Err(not_here(role, why).into()),
            Err(Trouble::Fault(fault)) => return Ok(game.lost(role, fault, players)),
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
        if (conditions.is_abandoned)() {
            return Err(Unplayed::Abandoned);
        }
        let role = role_of(position.to_move());
        let (seat, clock) = (
            &mut players.seats[role as usize],
            &mut clocks[role as usize],
        );
        let allowance = clock.allowance(last);
        (conditions.thinks)(allowance.at_most());
        let started = Instant::now();
        let thought = guarded(|| seat.think(&position, &allowance));
        let took = started.elapsed();
        last = Some(took);
        let thought = match thought {
            Err(Trouble::NotHere(why)) => return Err(not_here(role, why).into()),
            Err(Trouble::Fault(fault)) => return Ok(game.lost(role, fault, players)),
            Ok(thought) => thought,
        };
        if let Some(fault) = clock.spend(took, &allowance) {
            return Ok(game.lost(role, fault, players));
        }
        let Some(mv) = thought.mv else {
            game.resigned = Some(position.to_move());
            return Ok(game.ended(lost_by(role), "resign"));
        };
        if let Err(error) = position.try_play(mv) {
            let fault = Fault::Illegal(error.to_string());
            return Ok(game.lost(role, fault, players));
        }
        let notes = Notes {
            seconds: took.as_secs_f64(),
            value: thought.value,
            statistics: thought.statistics,
        };
        game.turns.push(Turn { role, mv, notes });
        let other = &mut players.seats[role.other() as usize];
        if let Err(Trouble::Fault(fault)) = guarded(|| {
            other.tell(mv);
            Ok(())
        }) {
            return Ok(game.lost(role.other(), fault, players));
        }
        let plies = opening.moves.len() + game.turns.len();
        if position.outcome().is_none()
            && let Some(verdict) = adjudicator.after(role, thought.value, plies)
        {
            return Ok(match verdict {
                Verdict::Lost(role) => game.ended(lost_by(role), "adjudicated"),
                Verdict::Drawn => game.ended(Relative::Draw, "adjudicated"),
                Verdict::TooLong => game.ended(Relative::Draw, "max-moves"),
            });
        }
    }
    Ok(match position.outcome() {
        None | Some(Outcome::Draw) => game.ended(Relative::Draw, "full-board"),
        Some(Outcome::Win(side)) => {
            let reason = position.structure();
            let reason = reason.as_deref().unwrap_or("no-moves");
            game.ended(lost_by(role_of(!side)), reason)
        }
    })
}

/// Lets a player begin a game, and tells it the opening.
fn begin<G: Playable>(
    opening: &Opening<G>,
    role: Role,
    players: &mut Players<'_, G>,
) -> Result<(), Trouble> {
    let seat = &mut players.seats[role as usize];
    let seed = players.seeds[role as usize];
    guarded(|| {
        seat.begin(&opening.start, seed)?;
        opening.moves.iter().for_each(|&mv| seat.tell(mv));
        Ok(())
    })
}

/// The result for the player whose score is counted when this one has lost.
const fn lost_by(role: Role) -> Relative {
    match role {
        Role::Player => Relative::Loss,
        Role::Against => Relative::Win,
    }
}

impl<M> Played<M> {
    fn ended(mut self, result: Relative, reason: &str) -> Self {
        self.result = result;
        reason.clone_into(&mut self.reason);
        self
    }

    /// The game, lost by a fault; the seat of who made it begins anew.
    fn lost<G: Playable>(mut self, role: Role, fault: Fault, players: &mut Players<'_, G>) -> Self {
        let seat = &mut players.seats[role as usize];
        // What is in disorder may break down once more while it is given up.
        let _ = guarded(|| {
            seat.reset();
            Ok(())
        });
        fault.kind().clone_into(&mut self.reason);
        self.result = lost_by(role);
        self.fault = Some((role, fault));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::Thought;
    use game::Game;
    use havannah::Position;

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

    /// A player that panics at the n-th thing that it is asked for.
    struct Panicking {
        left: usize,
        told: Vec<havannah::Move>,
    }

    impl Panicking {
        fn step(&mut self) {
            assert!(self.left > 0, "the player broke down");
            self.left -= 1;
        }
    }

    impl Seat<Position> for Panicking {
        fn begin(&mut self, _: &Position, _: u64) -> Result<(), Trouble> {
            self.step();
            Ok(())
        }

        fn tell(&mut self, mv: havannah::Move) {
            self.step();
            self.told.push(mv);
        }

        fn think(
            &mut self,
            position: &Position,
            _: &Allowance,
        ) -> Result<Thought<havannah::Move>, Trouble> {
            self.step();
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            Ok(Thought {
                mv: legal.first().copied(),
                value: None,
                statistics: None,
            })
        }

        fn reset(&mut self) {
            self.step();
        }
    }

    #[test]
    fn a_player_that_panics_loses_its_game_and_no_more() {
        let board = engine::BoardOptions::sized(3);
        let opening = Opening {
            start: <Position as Playable>::start(&board).expect("a board"),
            options: board,
            moves: Vec::new(),
        };
        let budget = Budget::default();
        // At the beginning, while it thinks, while it is told a move; each time once more when it is to begin anew.
        for left in 0..6 {
            for role in [Role::Player, Role::Against] {
                let seat = |of: Role| Panicking {
                    left: if of == role { left } else { usize::MAX },
                    told: Vec::new(),
                };
                let [mut player, mut against] = [Role::Player, Role::Against].map(seat);
                let mut players: Players<'_, Position> = Players {
                    seats: [&mut player, &mut against],
                    budgets: [&budget, &budget],
                    names: ["a", "b"],
                    seeds: [1, 2],
                };
                let conditions = Conditions {
                    reference: 1.0,
                    adjudication: &Adjudication::default(),
                    thinks: &|_| {},
                    is_abandoned: &|| false,
                };
                let game = play(&opening, Role::Player, &mut players, &conditions);
                let game = game.expect("a game");
                let fault = Fault::Crash("the player broke down".to_owned());
                assert_eq!(game.fault, Some((role, fault)), "{left}");
                assert_eq!(game.result, lost_by(role));
            }
        }
    }
}
