//! Threads that solve positions side by side, each one of its own, and help with another when none is left.

use search::proof::Crew;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The threads of the positions in progress.
#[derive(Default)]
pub struct Crews(Mutex<State>);

#[derive(Default)]
struct State {
    crews: Vec<Crew>,
    /// Threads that found nothing to help with.
    idle: usize,
}

impl Crews {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread helps with the position that has the fewest. The solver starts a thread of its own in place of this one.
    pub fn help(&self) {
        let mut state = self.state();
        match state.crews.iter().min_by_key(|crew| crew.count()) {
            Some(crew) => crew.add(),
            None => state.idle += 1,
        }
    }
}

/// A position in progress.
pub struct Helped<'a> {
    crews: &'a Crews,
    crew: Option<Crew>,
}

impl<'a> Helped<'a> {
    /// One whose solver has not begun.
    pub fn new(crews: &'a Crews) -> Helped<'a> {
        Helped { crews, crew: None }
    }

    /// The solver begins, with this crew if it can use several threads.
    pub fn begin(&mut self, crew: Option<Crew>) {
        if let Some(crew) = &crew {
            let mut state = self.crews.state();
            (0..std::mem::take(&mut state.idle)).for_each(|_| crew.add());
            state.crews.push(crew.clone());
        }
        self.crew = crew;
    }

    /// How many threads there are for it now.
    pub fn threads(&self) -> usize {
        self.crew.as_ref().map_or(1, Crew::count)
    }
}

/// Those that have helped help others.
impl Drop for Helped<'_> {
    fn drop(&mut self) {
        if let Some(crew) = &self.crew {
            self.crews.state().crews.retain(|other| !other.is(crew));
        }
        (1..self.threads()).for_each(|_| self.crews.help());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_without_a_position_helps_one_that_begins_later() {
        let crews = Crews::default();
        crews.help();
        let mut one = Helped::new(&crews);
        one.begin(Some(Crew::new(1)));
        assert_eq!(one.threads(), 2);
        let mut other = Helped::new(&crews);
        other.begin(Some(Crew::new(1)));
        assert_eq!(other.threads(), 1);
        crews.help();
        assert_eq!((one.threads(), other.threads()), (2, 2));
        drop(one);
        assert_eq!(other.threads(), 3);
        drop(other);
        assert_eq!(crews.state().idle, 2);
    }
}
