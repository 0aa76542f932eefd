//! Reports in every form.

mod forms;
mod samples;
