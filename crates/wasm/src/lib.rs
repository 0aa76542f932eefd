//! Papamu in WebAssembly: on one thread, or, with the target feature `atomics`, on several workers that share one memory.
//!
//! [`answer`] and [`search()`] are what the app needs of a server, and [`analyse`] is the analysis engine for other programs.
//! `packaging/web-app` makes the app of it that needs no server, and the package for JavaScript.
//!
//! A page runs this in a worker. On one thread nothing can be interrupted: the page ends the worker. With a shared memory it
//! writes into that memory that a search is to stop (`stop_address`), and workers that wait in `help` search too.

mod answer;
#[cfg(target_feature = "atomics")]
mod shared;

use search::StopFlag;
use service::{Ask, Asker, Search, Tell};
use wasm_bindgen::prelude::wasm_bindgen;

pub use answer::{Answer, answer};

#[wasm_bindgen]
extern "C" {
    /// Whoever asked for a search: an object of JavaScript.
    pub type Page;

    /// Hears a message, as JSON.
    #[wasm_bindgen(method)]
    fn tell(this: &Page, message: &str);

    /// Keeps a certificate, and gives the number under which it can be asked for.
    #[wasm_bindgen(method)]
    fn keep(this: &Page, certificate: &[u8]) -> u32;

    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

impl Asker for Page {
    fn tell(&self, tell: &Tell) {
        match serde_json::to_string(tell) {
            Ok(message) => Page::tell(self, &message),
            Err(why) => error(&why.to_string()),
        }
    }

    fn keep(&mut self, certificate: Vec<u8>) -> u64 {
        Page::keep(self, &certificate).into()
    }
}

/// A panic ends the program without a word, if nobody writes it to the console.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}

/// Searches for what a page asks, a message as it would be sent to a server, and tells the page until the search has ended.
#[wasm_bindgen]
pub fn search(ask: &str, page: Page) {
    search_until(ask, page, &StopFlag::new(), 1);
}

fn search_until(ask: &str, mut page: Page, stop: &StopFlag, threads: usize) {
    let refused = |id, message| Tell::Refused { id, message };
    let ask: Ask = match serde_json::from_str(ask) {
        Ok(ask) => ask,
        Err(why) => {
            let id = service::id_of(ask);
            return Asker::tell(&page, &refused(id, format!("not a request: {why}")));
        }
    };
    let id = Some(ask.id());
    match Search::new(ask, stop, None, threads) {
        Ok(Some(search)) => search.run(&mut page),
        Ok(None) => Asker::tell(
            &page,
            &refused(id, "there is no such search here".to_owned()),
        ),
        Err(problem) => Asker::tell(&page, &refused(id, problem.message)),
    }
}

/// Answers a query of the analysis engine: a list of answers, as JSON.
#[wasm_bindgen]
pub fn analyse(query: &str) -> String {
    answer::analysed(query)
}
