//! Runs the tests of the Python package with the extension module that was built with this program.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter of the environment that `make python-env` has made to its end, or that of `PAPAMU_PYTHON`.
fn interpreter(root: &Path) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("PAPAMU_PYTHON") {
        return Some(named.into());
    }
    let environment = root.join("target/venv");
    let program = if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    };
    let is_complete = environment.join("installed.txt").exists();
    is_complete.then(|| environment.join(program))
}

/// Copies a folder, without what is below it.
fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder of the build");
    for entry in fs::read_dir(from).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.file_name().expect("a name");
            fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

/// The package as it is in a wheel: the sources with the extension module beside them.
fn package(sources: &Path, place: &Path) {
    let program = std::env::current_exe().expect("this program");
    let built = program.parent().expect("its folder");
    let library = built.join(format!("{DLL_PREFIX}papamu_python{DLL_SUFFIX}"));
    copy_files(&sources.join("papamu"), &place.join("papamu"));
    let module = if cfg!(windows) {
        "_native.pyd"
    } else {
        "_native.abi3.so"
    };
    fs::copy(&library, place.join("papamu").join(module)).expect("the extension module");
}

#[test]
fn pytest() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(python) = interpreter(&here.join("../..")) else {
        // Not by `println!`, which is shown for tests that fail only.
        let _ = writeln!(
            stderr(),
            "skipped: no environment for Python: `make python-env` makes it, where Python 3.9 or newer is installed"
        );
        return;
    };
    // Of its own, so that another run of this test does not change it.
    let place = tempfile::tempdir().expect("a folder");
    package(&here.join("python"), place.path());
    let status = Command::new(python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .env("PYTHONPATH", place.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(here)
        .status()
        .expect("the interpreter");
    assert!(status.success(), "pytest failed");
}
