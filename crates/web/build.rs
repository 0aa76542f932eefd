//! The browser app is part of the program: when it is built anew, so is this crate.

fn main() {
    let dist = "../../ui/dist";
    // Cargo takes a folder that is not there for one that has changed. Where none can be made, the
    // source is not to be changed, and nobody will build the app later.
    let _ = std::fs::create_dir_all(dist);
    println!("cargo::rerun-if-changed={dist}");
}
