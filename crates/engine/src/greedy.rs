//! Players that look no further than their own move.

use crate::parameter::apply;
use crate::{Engine, Player};
use game::random::{self, Rng};
use game::{Game, Relative, Score};
use search::clock::Instant;
use search::{Details, Limits, MoveStats, Progress, Report, StopReason};
use std::cmp::Reverse;

/// What a greedy player has of a move: more is better.
pub type Gain<G> = fn(&mut G, <G as Game>::Move) -> i32;

/// Plays a move with the highest gain, by chance where there are several.
struct Greedy<G: Game> {
    position: G,
    rng: Rng,
    gain: Gain<G>,
}

/// The player that has the most at once.
pub fn player<G: Game>(name: &'static str, summary: &'static str, gain: Gain<G>) -> Player<G> {
    Player::new(
        name,
        summary,
        Vec::new(),
        move |position, seed, settings| {
            apply::<()>(&[], &(), settings)?;
            let rng = random::seeded(seed);
            Ok(Box::new(Greedy {
                position,
                rng,
                gain,
            }))
        },
    )
}

impl<G: Game> Engine<G> for Greedy<G> {
    fn position(&self) -> &G {
        &self.position
    }

    fn set_position(&mut self, position: G) {
        self.position = position;
    }

    fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.position.try_play(mv)
    }

    fn search(
        &mut self,
        _limits: &Limits,
        _progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        let started = Instant::now();
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        let mut gains: Vec<(i32, G::Move)> = moves
            .iter()
            .map(|&mv| ((self.gain)(&mut self.position, mv), mv))
            .collect();
        random::shuffle(&mut gains, &mut self.rng);
        gains.sort_by_key(|&(gain, _)| Reverse(gain));
        let best = gains.first().copied();
        let result = self
            .position
            .outcome()
            .map(|outcome| outcome.seen_by(self.position.to_move()));
        Report {
            progress: Progress {
                best: best.map(|(_, mv)| mv),
                value: result.map_or(Score::DRAW, Relative::score),
                evaluation: best.map(|(gain, _)| gain),
                proven: result,
                principal_variation: best.iter().map(|&(_, mv)| mv).collect(),
                moves: gains
                    .iter()
                    .map(|&(_, mv)| MoveStats {
                        mv,
                        visits: 1,
                        value: Score::DRAW,
                        proven: None,
                    })
                    .collect(),
                nodes: moves.len() as u64,
                depth: 1,
                elapsed: started.elapsed(),
                details: Details {
                    best_index: best.and_then(|(_, best)| moves.iter().position(|&mv| mv == best)),
                    ..Details::default()
                },
                ..Progress::nothing()
            },
            stop: match result {
                Some(_) => StopReason::Proven,
                None => StopReason::Depth,
            },
            signature: 0,
        }
    }
}
