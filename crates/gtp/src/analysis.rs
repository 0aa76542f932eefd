//! What a search thinks of the moves while it goes on, as front ends for Go read it: the lines of Leela
//! Zero's `lz-analyze` and of KataGo's `kata-analyze`, to which `proven` is added.

use search::MoveStats;
use std::time::Duration;

/// An analysis that was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Analysis {
    /// From one line to the next.
    pub interval: Duration,
    /// The most moves of a line.
    pub most: usize,
    pub until: Until,
    pub form: Form,
}

/// How a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As Leela Zero does: shares in ten thousandths.
    Leela,
    /// As KataGo does: shares as decimals, and the fields on points, which are 0.
    Kata {
        /// Whether the position has fields of its own at the end of the line.
        root: bool,
    },
}

/// When an analysis ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// When the next command is there.
    NextCommand,
    /// When the time for a move is over, which is then made; without a time, simulations limit it.
    Move(Option<Duration>),
}

/// What a line tells of a search.
pub(crate) struct Known<'a, M> {
    pub moves: &'a [MoveStats<M>],
    /// The lines of play after the first of the moves.
    pub variations: &'a [Vec<M>],
    /// The expected score of the position.
    pub value: f64,
}

/// The best moves in a line: `info move d4 visits 80 winrate 5250 prior 270 lcb 4130 order 0 pv d4 e5 info
/// move …`. `prior` is the same for all moves. The line of play comes last, because it has no end.
pub(crate) fn line<M: Copy>(
    known: &Known<'_, M>,
    form: Form,
    most: usize,
    write: impl Fn(&[M]) -> String,
) -> String {
    let prior = 1.0 / known.moves.len().max(1) as f64;
    let searched = |stats: &&MoveStats<M>| stats.visits > 0 || stats.proven.is_some();
    let info = |(order, stats): (usize, &MoveStats<M>)| {
        let proven = stats
            .proven
            .map_or(String::new(), |proven| format!("proven {proven} "));
        let alone = vec![stats.mv];
        let (mv, visits) = (write(&alone), stats.visits);
        let (value, bound) = (stats.value.0, stats.lower_bound().0);
        let shares = match form {
            Form::Leela => {
                let share = |share: f64| (10_000.0 * share).round() as u32;
                let (value, prior, bound) = (share(value), share(prior), share(bound));
                format!("visits {visits} winrate {value} prior {prior} lcb {bound}")
            }
            Form::Kata { .. } => format!(
                "visits {visits} edgeVisits {visits} {} prior {prior:.6} lcb {bound:.6} \
                 utilityLcb {:.6} weight {visits}",
                kata_value(value),
                utility(bound),
            ),
        };
        let line = write(known.variations.get(order).unwrap_or(&alone));
        format!("info move {mv} {shares} {proven}order {order} pv {line}")
    };
    let mut parts: Vec<String> = known
        .moves
        .iter()
        .take_while(searched)
        .take(most)
        .enumerate()
        .map(info)
        .collect();
    if form == (Form::Kata { root: true }) && !parts.is_empty() {
        let visits: u64 = known.moves.iter().map(|stats| stats.visits).sum();
        let value = kata_value(known.value);
        parts.push(format!("rootInfo visits {visits} {value} weight {visits}"));
    }
    parts.join(" ")
}

/// An expected score as KataGo has it, from -1 to 1.
fn utility(score: f64) -> f64 {
    2.0 * score - 1.0
}

/// KataGo's fields on the value of a move or of the position. Games here have no points: their fields are 0.
fn kata_value(score: f64) -> String {
    format!(
        "utility {:.6} winrate {score:.6} scoreMean 0 scoreStdev 0 scoreLead 0 scoreSelfplay 0",
        utility(score)
    )
}
