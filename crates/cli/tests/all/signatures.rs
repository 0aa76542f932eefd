//! What the searches look at, which is the same on every machine: `tests/signatures.txt` has it. A change of that file is a
//! change of what is searched; the commit says so in a line `Bench: …` (CONTRIBUTING.md). BLESS=1 writes it.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Each takes a fraction of a second.
const COMMANDS: [&str; 12] = [
    "bench havannah --size 5 --simulations 20000",
    "bench havannah --size 5 --player uct --simulations 3000",
    "bench havannah --size 5 --player rave --simulations 3000",
    "bench havannah --size 6 --player papamu --simulations 1500 --moves f1,e2,a6,c8,g3,k6,e1,f4,d4,e4",
    "bench havannah --size 7 --player papamu --simulations 800 --moves f1,e2,a6,c8,g3,k6,e1,f4,d4,e4",
    "bench konane --setup centre --depth 5 --simulations 2000",
    "bench konane --setup centre --player papamu --simulations 5000",
    "bench konane --size 6 --setup centre --player papamu --simulations 5000",
    "solve havannah --size 4 --moves b1,d2,a2,e4",
    "solve konane --rows 5 --cols 6 --setup centre",
    "solve konane --rows 5 --cols 6 --setup centre --store s.db --job-nodes 1000",
    "solve konane --rows 6 --cols 6 --setup corner --store s.db --job-nodes 1000 --batch 4",
];

/// What a command says of its search.
fn signature(command: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_papamu"))
        .current_dir(folder.path())
        .args(command.split(' '))
        .arg("--json")
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {errors}");
    let said: Value = serde_json::from_slice(&output.stdout).expect("an object");
    if let Some(signature) = said.get("signature") {
        return signature.to_string();
    }
    let [outcome, best] = ["outcome", "best"].map(|key| said[key].as_str().unwrap_or("-"));
    format!("{outcome} by {best}, {} nodes", said["nodes"])
}

#[test]
fn what_is_searched_is_known() {
    let lines = COMMANDS.map(|command| format!("papamu {command}: {}\n", signature(command)));
    let found = lines.concat();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/signatures.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &found).expect("written");
    }
    let known = std::fs::read_to_string(&file).expect("a file; BLESS=1 makes it");
    assert!(
        known == found,
        "the searches look at something else than before:\n{found}\
         If that is meant: BLESS=1 cargo test -p papamu-cli --test all signatures, and say so in the commit (Bench: …)"
    );
}
