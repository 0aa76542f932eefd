//! What a search thinks of the moves while it goes on, as front ends for Go read it: the lines of Leela
//! Zero's `lz-analyze`, to which `proven` is added.

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
}

/// When an analysis ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// When the next command is there.
    NextCommand,
    /// When the time for a move is over, which is then made; without a time, simulations limit it.
    Move(Option<Duration>),
}

/// The best moves in a line: `info move d4 visits 80 winrate 5250 prior 270 lcb 4130 order 0 pv d4 e5 info
/// move …`. Of numbers that are shares, it has ten thousandths. `prior` is the same for all moves. The line
/// of play comes last, because it has no end.
pub(crate) fn line<M: Copy>(
    moves: &[MoveStats<M>],
    variations: &[Vec<M>],
    most: usize,
    write: impl Fn(&[M]) -> String,
) -> String {
    let share = |share: f64| (10_000.0 * share).round() as u32;
    let prior = share(1.0 / moves.len().max(1) as f64);
    let searched = |stats: &&MoveStats<M>| stats.visits > 0 || stats.proven.is_some();
    let info = |(order, stats): (usize, &MoveStats<M>)| {
        let proven = stats
            .proven
            .map_or(String::new(), |proven| format!("proven {proven} "));
        let alone = vec![stats.mv];
        format!(
            "info move {} visits {} winrate {} prior {prior} lcb {} {proven}order {order} pv {}",
            write(&[stats.mv]),
            stats.visits,
            share(stats.value.0),
            share(stats.lower_bound().0),
            write(variations.get(order).unwrap_or(&alone)),
        )
    };
    let infos: Vec<String> = moves
        .iter()
        .take_while(searched)
        .take(most)
        .enumerate()
        .map(info)
        .collect();
    infos.join(" ")
}
