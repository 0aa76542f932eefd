//! On macOS, an extension module has to be told that the interpreter brings what it lacks.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
