//! How much is left of a search of the solver, as far as its proof numbers tell.

use ::search::proof::SolveProgress;
use engine::NodesLeft;

/// The logarithms to base 2 of the smaller and the larger number of the root and of the nodes so far, and one, times these,
/// are that of the nodes left per node so far: fitted to searches that ended (`docs/lab/solving.md`, "What is left of a
/// search").
const FIT: [f64; 4] = [1.451, 3.938, -0.729, -22.484];

/// Four of five searches ended within so many powers of two of it.
const SPREAD: f64 = 3.8;

/// Searches of fewer nodes are over before anybody could read it.
const FEWEST: u64 = 1 << 20;

pub(crate) fn nodes_left(progress: &SolveProgress) -> Option<NodesLeft> {
    let numbers = [progress.proof, progress.disproof];
    if progress.attacker.is_none() || numbers.contains(&0) || progress.nodes < FEWEST {
        return None;
    }
    let (smaller, larger) = (numbers[0].min(numbers[1]), numbers[0].max(numbers[1]));
    let log = |number: f64| number.log2();
    let nodes = progress.nodes as f64;
    let terms = [log(smaller.into()), log(larger.into()), log(nodes), 1.0];
    let ratio: f64 = terms
        .iter()
        .zip(FIT)
        .map(|(term, weight)| term * weight)
        .sum();
    let of = |ratio: f64| (nodes * ratio.exp2()) as u64;
    Some(NodesLeft {
        low: of(ratio - SPREAD),
        likely: of(ratio),
        high: of(ratio + SPREAD),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Side;

    fn left(proof: u32, disproof: u32, nodes: u64) -> Option<NodesLeft> {
        nodes_left(&SolveProgress {
            attacker: Some(Side::White),
            proof,
            disproof,
            nodes,
            ..SolveProgress::default()
        })
    }

    #[test]
    fn more_is_left_where_numbers_are_larger() {
        let some = left(60, 90, 5_000_000).expect("numbers");
        assert!(some.low < some.likely && some.likely < some.high);
        let more = left(60, 120, 5_000_000).expect("numbers");
        assert!(more.likely > some.likely);
        assert_eq!(left(90, 60, 5_000_000), Some(some));
    }

    #[test]
    fn nothing_is_said_without_numbers() {
        assert_eq!(left(0, u32::MAX, 5_000_000), None);
        assert_eq!(left(60, 90, 1_000), None);
        assert_eq!(nodes_left(&SolveProgress::default()), None);
        let most = left(u32::MAX, u32::MAX, u64::MAX).expect("numbers");
        assert_eq!(most.high, u64::MAX);
    }
}
