//! The processor time of searches, natively: `node crates/wasm/tests/rate.mjs` tells that of the same ones in WebAssembly.
//!
//! ```sh
//! packaging/web-app program
//! cargo run --profile wasm --package papamu-wasm --example rate
//! node crates/wasm/tests/rate.mjs
//! ```

use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

/// Searches on one thread, with the simulations or nodes that they are limited to.
const QUERIES: &str = include_str!("../tests/rate.json");

fn main() -> serde_json::Result<()> {
    let queries: Vec<Value> = serde_json::from_str(QUERIES)?;
    for query in queries {
        let text = query.to_string();
        papamu_wasm::analyse(&text);
        let before = now();
        papamu_wasm::analyse(&text);
        println!("{:.3} s  {text}", now() - before);
    }
    Ok(())
}

/// The processor time of this thread, in seconds, which other programs do not change.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
