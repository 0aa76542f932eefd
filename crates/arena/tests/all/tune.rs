//! Tuning goes on where it was, and comes to the same end.

use arena::tune::{Trajectory, Tuning};
use arena::{Options, Score, Stop, Store};
use figures::{Item, X};
use statistics::spsa::State;

const FILE: &str = r#"
name = "tune"
game = "havannah"
sizes = [3, 4]
iterations = 5
pairs = 2
[player]
player = "rave"
set = { lookahead = 2 }
[budget]
simulations = 30
[openings]
random = 2
[[parameter]]
name = "rave"
start = 500
min = 10
max = 1000
step = 400
whole = true
[[parameter]]
name = "exploration"
start = 0.5
min = 0
max = 2
step = 0.5
rate = 0.05
"#;

async fn tune(tuning: &Tuning, place: &str, iterations: u64) -> Vec<Trajectory> {
    let store = Store::open(place).await.expect("a store");
    let (options, stop) = (Options::default(), Stop::default());
    let moved = |state: &State, score: &Score| {
        assert_eq!(score.games(), 4);
        if state.iteration == iterations {
            stop.raise();
        }
    };
    let mut trajectories = Vec::new();
    for size in tuning.sizes() {
        let tuned = tuning.tune(&store, size, &options, &stop, &moved);
        trajectories.push(tuned.await.expect("tuned"));
    }
    store.close().await;
    trajectories
}

fn values(trajectories: &[Trajectory]) -> Vec<Vec<Vec<f64>>> {
    let of = |trajectory: &Trajectory| {
        let states = trajectory.states.iter();
        states.map(|state| state.values.clone()).collect()
    };
    trajectories.iter().map(of).collect()
}

#[expect(clippy::float_cmp, reason = "a value that did not move is the same")]
#[tokio::test(flavor = "multi_thread")]
async fn it_goes_on_where_it_was() {
    let tuning = Tuning::read(FILE).expect("a tuning");
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let whole = values(&tune(&tuning, &place("whole.db"), u64::MAX).await);
    assert_eq!(whole.iter().map(Vec::len).collect::<Vec<_>>(), [6, 6]);
    for (parameter, start) in [500.0, 0.5].into_iter().enumerate() {
        assert!(whole.iter().all(|states| states[0][parameter] == start));
        let moves = |states: &Vec<Vec<f64>>| states.iter().any(|s| s[parameter] != start);
        assert!(whole.iter().any(moves), "parameter {parameter} never moves");
    }
    // Stopped after two iterations of the first size, and run again.
    let stopped = values(&tune(&tuning, &place("parts.db"), 2).await);
    assert_eq!(stopped[0], whole[0][..3]);
    assert_eq!(stopped[1], whole[1][..1], "the second size has not begun");
    assert_eq!(
        values(&tune(&tuning, &place("parts.db"), 4).await)[0],
        whole[0][..5]
    );
    let ended = tune(&tuning, &place("parts.db"), u64::MAX).await;
    assert_eq!(values(&ended), whole);

    // A picture for each parameter, a line for each size, a point for each state.
    let report = tuning.report(&ended);
    assert_eq!(report.items.len(), 2);
    for (parameter, item) in report.items.iter().enumerate() {
        let Item::Figure(figure) = item else {
            panic!("a figure")
        };
        for (line, states) in figure.lines.iter().zip(&whole) {
            let shown = line
                .points
                .iter()
                .map(|point| (point.x.clone(), point.value));
            let states = states.iter().enumerate();
            let expected = states.map(|(place, state)| (X::Number(place as f64), state[parameter]));
            assert_eq!(shown.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        }
        let names: Vec<_> = figure.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(names, ["size 3", "size 4"]);
    }
    let page = report.html();
    assert_eq!(page.matches("<svg").count(), 2);
}
