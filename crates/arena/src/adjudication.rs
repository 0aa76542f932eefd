//! Ends of games that the players agree on before the rules do, by what they expect of it.

use crate::experiment::{Adjudication, Role};

/// How a game is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This player has lost.
    Lost(Role),
    /// Both expect a draw.
    Drawn,
    /// It has too many moves, which makes it a draw.
    TooLong,
}

/// Follows what both players expect during a game.
pub struct Adjudicator<'a> {
    rules: &'a Adjudication,
    /// For each player, its last moves in a row after which it expected to lose, to win, and a draw.
    in_a_row: [Expected; 2],
}

#[derive(Clone, Copy, Default)]
struct Expected {
    loss: u32,
    win: u32,
    draw: u32,
}

impl<'a> Adjudicator<'a> {
    pub fn new(rules: &'a Adjudication) -> Adjudicator<'a> {
        Adjudicator {
            rules,
            in_a_row: [Expected::default(); 2],
        }
    }

    /// What is decided after a move: `value` is the expected score of who made it, from 0 to 1, where it told
    /// one; the game has so many plies now, the opening's included.
    pub fn after(&mut self, role: Role, value: Option<f64>, plies: usize) -> Option<Verdict> {
        let rules = self.rules;
        let count = |before: u32, holds: bool| if holds { before + 1 } else { 0 };
        let holds = |what: &dyn Fn(f64) -> bool| value.is_some_and(what);
        let own = &mut self.in_a_row[role as usize];
        if let Some(resign) = &rules.resign {
            own.loss = count(own.loss, holds(&|value| value <= resign.score));
            own.win = count(own.win, holds(&|value| value >= 1.0 - resign.score));
        }
        if let Some(draw) = &rules.draw {
            let near = holds(&|value| (value - 0.5).abs() <= draw.margin);
            own.draw = count(own.draw, near);
        }
        let of = |role: Role| self.in_a_row[role as usize];
        if let Some(resign) = &rules.resign {
            let loses = |role: Role| {
                let agreed = !resign.both || of(role.other()).win >= resign.moves;
                of(role).loss >= resign.moves && agreed
            };
            let loser = [role, role.other()].into_iter().find(|&role| loses(role));
            if let Some(loser) = loser {
                return Some(Verdict::Lost(loser));
            }
        }
        if let Some(draw) = &rules.draw {
            let enough = |role: Role| of(role).draw >= draw.moves;
            if plies >= draw.from as usize && enough(role) && enough(role.other()) {
                return Some(Verdict::Drawn);
            }
        }
        let most = rules.max_moves.map(|most| most as usize);
        most.is_some_and(|most| plies >= most)
            .then_some(Verdict::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{DrawRule, ResignRule};

    /// What is decided, and after how many plies, when the players tell these values in turn.
    fn decided(rules: &Adjudication, values: &[Option<f64>]) -> Option<(Verdict, usize)> {
        let mut adjudicator = Adjudicator::new(rules);
        let roles = [Role::Player, Role::Against].into_iter().cycle();
        let mut turns = (1..).zip(roles.zip(values));
        turns.find_map(|(ply, (role, &value))| {
            let verdict = adjudicator.after(role, value, ply)?;
            Some((verdict, ply))
        })
    }

    fn resign(both: bool) -> Adjudication {
        Adjudication {
            resign: Some(ResignRule {
                score: 0.1,
                moves: 2,
                both,
            }),
            ..Adjudication::default()
        }
    }

    #[test]
    fn one_that_expects_to_lose_has_lost() {
        let told = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        let lost = Some((Verdict::Lost(Role::Against), 4));
        assert_eq!(decided(&resign(false), &told(&[0.5, 0.1, 0.5, 0.0])), lost);
        // Not in a row; not low enough; one that tells nothing.
        for values in [[0.5, 0.1, 0.5, 0.2], [0.5, 0.11, 0.5, 0.0]] {
            assert_eq!(decided(&resign(false), &told(&values)), None);
        }
        assert_eq!(decided(&resign(false), &[None; 8]), None);
        assert_eq!(decided(&Adjudication::default(), &told(&[0.0; 8])), None);
    }

    #[test]
    fn both_are_asked_where_the_file_wants_it() {
        let told = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(decided(&resign(true), &told(&[0.5, 0.1, 0.5, 0.0])), None);
        let agreed = told(&[0.9, 0.1, 1.0, 0.0]);
        let lost = Some((Verdict::Lost(Role::Against), 4));
        assert_eq!(decided(&resign(true), &agreed), lost);
        // The winner may be the one who tells it last.
        let later = told(&[0.5, 0.1, 0.9, 0.0, 0.9]);
        let lost = Some((Verdict::Lost(Role::Against), 5));
        assert_eq!(decided(&resign(true), &later), lost);
    }

    #[test]
    fn draws_and_long_games() {
        let rules = Adjudication {
            draw: Some(DrawRule {
                margin: 0.02,
                moves: 2,
                from: 6,
            }),
            max_moves: Some(9),
            ..Adjudication::default()
        };
        let even = [Some(0.51); 12];
        assert_eq!(decided(&rules, &even), Some((Verdict::Drawn, 6)));
        let mut once = even;
        once[5] = Some(0.6);
        assert_eq!(decided(&rules, &once), Some((Verdict::TooLong, 9)));
        once[5] = None;
        assert_eq!(decided(&rules, &once), Some((Verdict::TooLong, 9)));
    }
}
