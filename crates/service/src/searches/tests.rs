use super::*;
use std::cell::RefCell;

/// Stops a search when it has told so much.
struct Page {
    told: RefCell<Vec<serde_json::Value>>,
    most: usize,
    stop: StopFlag,
}

impl Asker for Page {
    fn tell(&self, tell: &Tell) {
        let mut told = self.told.borrow_mut();
        told.push(serde_json::to_value(tell).expect("JSON"));
        if told.len() >= self.most {
            self.stop.raise();
        }
    }

    fn keep(&mut self, _certificate: Vec<u8>) -> u64 {
        1
    }
}

fn told(ask: &str, threads: usize, most: usize) -> Vec<serde_json::Value> {
    let stop = StopFlag::new();
    let ask = serde_json::from_str(ask).expect("a request");
    let search = Search::new(ask, &stop, None, threads);
    let Ok(Some(search)) = search else {
        panic!("no search")
    };
    let mut page = Page {
        told: RefCell::default(),
        most,
        stop,
    };
    search.run(&mut page);
    page.told.into_inner()
}

#[test]
fn all_searches_take_threads_and_those_that_can_use_them() {
    for state in [
        r#"{"game":"havannah","board":{"size":"5"},"moves":[]}"#,
        r#"{"game":"konane","board":{"size":"8"},"moves":[]}"#,
        r#"{"game":"hex","board":{"size":"5"},"moves":[]}"#,
    ] {
        let analysed = told(
            &format!(r#"{{"type":"analyse","id":1,"state":{state}}}"#),
            3,
            2,
        );
        assert_eq!(analysed[0]["type"], "analysis", "{analysed:?}");
        let random = format!(r#"{{"type":"move","id":1,"state":{state},"player":"random"}}"#);
        assert_eq!(told(&random, 3, 9).len(), 2);
    }
    // A solver with threads, and one without.
    for state in [
        r#"{"game":"havannah","board":{"size":"3","swap":false},"moves":[]}"#,
        r#"{"game":"konane","board":{"size":"4"},"moves":[]}"#,
    ] {
        let ask = format!(r#"{{"type":"solve","id":1,"state":{state},"certificate":true}}"#);
        let told = told(&ask, 3, usize::MAX);
        let solved = told.iter().find(|told| told["type"] == "solved");
        assert_eq!(solved.expect("a value")["solved"]["outcome"], "white");
    }
}

/// A number of simulations finds the same wherever it is asked for.
#[test]
fn so_many_simulations_have_one_thread() {
    let ask = r#"{"type":"move","id":1,"level":"easy",
        "state":{"game":"havannah","board":{"size":"5"},"moves":["c3"]}}"#;
    let [one, three] = [1, 3].map(|threads| {
        let mut told = told(ask, threads, usize::MAX);
        told[0]["found"]["rate"].take();
        told
    });
    assert_eq!(one, three);
}
