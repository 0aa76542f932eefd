//! What workers need that share one memory.

use crate::{Page, search_until};
use search::StopFlag;
use std::sync::LazyLock;
use wasm_bindgen::prelude::wasm_bindgen;

/// Ends the search with threads, of which there is one at a time.
static STOP: LazyLock<StopFlag> = LazyLock::new(StopFlag::new);

/// The address of a byte: 1 there ends the search of [`search_with`], now or once it begins, until 0 is there again.
#[wasm_bindgen]
pub fn stop_address() -> u32 {
    STOP.address().addr() as u32
}

/// As [`search`](crate::search()), with so many threads: this one, and workers that [`help`]. Where no number of simulations
/// says what is found, they share one tree.
#[wasm_bindgen]
pub fn search_with(ask: &str, page: Page, threads: usize) {
    search_until(ask, page, &STOP, threads);
}

/// Searches with others that share the memory, until the worker is ended.
#[wasm_bindgen]
pub fn help() {
    search::threads::help()
}
