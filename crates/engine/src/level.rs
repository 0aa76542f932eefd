//! Levels of strength for people.

/// A strength that somebody can choose to play against.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The name in requests.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The player.
    pub player: &'static str,
    /// A parameter of the player, `name=value`.
    pub setting: Option<&'static str>,
    /// Simulations for each move, or nodes of a player without simulations.
    pub simulations: Option<u64>,
    /// Seconds for each move.
    pub seconds: Option<f64>,
    /// How strong it is, in Elo above the first level, and the margin within which that lies with a
    /// probability of 95 %; `experiments/levels` measures it. `None` where nobody has measured it.
    pub rating: Option<(i32, i32)>,
}

impl Level {
    /// A player without limits, not rated.
    pub const fn of(name: &'static str, title: &'static str, player: &'static str) -> Level {
        Level {
            name,
            title,
            player,
            setting: None,
            simulations: None,
            seconds: None,
            rating: None,
        }
    }

    /// The same with a measured rating.
    #[must_use]
    pub const fn rated(mut self, elo: i32, margin: i32) -> Level {
        self.rating = Some((elo, margin));
        self
    }

    /// The same with so many simulations for each move.
    #[must_use]
    pub const fn simulations(mut self, simulations: u64) -> Level {
        self.simulations = Some(simulations);
        self
    }

    /// The same with so many seconds for each move.
    #[must_use]
    pub const fn seconds(mut self, seconds: f64) -> Level {
        self.seconds = Some(seconds);
        self
    }

    /// The same with a parameter of the player.
    #[must_use]
    pub const fn setting(mut self, setting: &'static str) -> Level {
        self.setting = Some(setting);
        self
    }
}
