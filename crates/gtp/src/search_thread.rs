//! The player that a session thinks with.

use crate::SessionError;
use crate::history::History;
use engine::{Engine, Parameter, Playable, Setting, Summary};
use search::{Limits, Progress, Report};

/// A player with its settings and its engine.
///
/// The engine does not follow each move at once, but when it has time, or has to think: dropping the
/// parts of a large tree that are no longer of use takes as long as many simulations.
pub(crate) struct SearchThread<G: Playable> {
    pub(crate) name: &'static str,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) settings: Vec<Setting>,
    pub(crate) seed: u64,
    engine: Box<dyn Engine<G>>,
    /// The moves of the game that the engine has followed; `None` if it has to be put in its place.
    followed: Option<usize>,
}

impl<G: Playable> SearchThread<G> {
    /// The player with a name, or the default one. Of several settings with one name the last counts.
    pub(crate) fn new(
        name: Option<&str>,
        settings: &[Setting],
        seed: u64,
        history: &History<G>,
    ) -> Result<Self, SessionError> {
        let player = G::player(name)?;
        let mut latest: Vec<Setting> = Vec::new();
        for setting in settings {
            match latest.iter_mut().find(|known| known.name == setting.name) {
                Some(known) => known.clone_from(setting),
                None => latest.push(setting.clone()),
            }
        }
        Ok(SearchThread {
            engine: player.build(history.position().clone(), seed, &latest)?,
            name: player.name,
            parameters: player.parameters,
            settings: latest,
            seed,
            followed: Some(history.len()),
        })
    }

    /// The value of a parameter.
    pub(crate) fn value<'a>(&'a self, parameter: &'a Parameter) -> &'a str {
        let mut settings = self.settings.iter();
        settings
            .find(|setting| setting.name == parameter.name)
            .map_or(&parameter.default, |setting| &setting.value)
    }

    /// To be called when moves were taken back, and `len` are left.
    pub(crate) fn rewound(&mut self, len: usize) {
        self.followed = self.followed.filter(|&followed| followed <= len);
    }

    /// To be called when a new game begins, on a board of the same shape.
    pub(crate) fn restarted(&mut self) {
        self.followed = None;
    }

    /// Brings the engine to the position of the game.
    pub(crate) fn follow(&mut self, history: &History<G>) {
        let follows = self.followed.is_some_and(|followed| {
            let mut moves = history.moves().skip(followed);
            moves.all(|mv| self.engine.advance(mv).is_ok())
        });
        if !follows {
            self.engine.set_position(history.position().clone());
        }
        self.followed = Some(history.len());
    }

    /// Looks for a move in the position that the engine has [followed](Self::follow) the game to.
    pub(crate) fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        self.engine.search(limits, progress)
    }

    /// The same for a move that is to be played.
    pub(crate) fn choose(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        self.engine.choose(limits, progress)
    }

    /// What the last search did, which gave this report.
    pub(crate) fn summary(
        &self,
        report: &Report<G::Move>,
        position: &G,
        dialect: G::Dialect,
    ) -> Summary {
        Summary::new(self.engine.as_ref(), report, position, dialect)
    }
}
