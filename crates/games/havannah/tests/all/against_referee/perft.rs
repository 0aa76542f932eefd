//! Counts of move sequences, which the slow referee made and the rules have to repeat.

use super::referee::Referee;
use game::conformance;
use havannah::{Position, Shape};

/// One line of the table. Sequences of exactly `depth` moves are counted; a swap is a move.
struct Count {
    shape: Shape,
    swap_rule: bool,
    depth: u32,
    nodes: u64,
}

fn counts() -> Vec<Count> {
    let read = |line: &'static str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [shape, rule, depth, nodes] = columns[..] else {
            panic!("four columns: {line}");
        };
        Count {
            shape: shape.parse().expect("a shape"),
            swap_rule: rule == "swap",
            depth: depth.parse().expect("a depth"),
            nodes: nodes.parse().expect("a number"),
        }
    };
    include_str!("perft.tsv")
        .lines()
        .skip(1)
        .map(read)
        .collect()
}

#[test]
fn the_rules_repeat_the_counts() {
    for count in counts() {
        let mut start = Position::new(count.shape);
        if count.swap_rule {
            start = start.under_swap_rule();
        }
        conformance::perft_counts(&start, &[(count.depth, count.nodes)]);
    }
}

/// The table is what the referee says, as far as it gets in a moment.
#[test]
fn the_referee_repeats_its_counts() {
    for count in counts().iter().filter(|count| count.nodes <= 20_000) {
        let start = Referee::new(count.shape.sides(), count.swap_rule);
        assert_eq!(
            perft(&start, count.depth),
            count.nodes,
            "{} to depth {}",
            count.shape,
            count.depth
        );
    }
}

fn perft(position: &Referee, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |written: &String| {
        let mut child = position.clone();
        child.play(written);
        perft(&child, depth - 1)
    };
    position.moves().iter().map(after).sum()
}
