//! The forms in which an experiment's parts are hashed: its identifier must be the same for ever.

/// Boards.
pub(super) mod board {
    use engine::BoardOptions;
    use serde::{Serialize, Serializer};

    pub fn serialize<S: Serializer>(
        board: &BoardOptions,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = |name| board.get(name);
        let number = |name| text(name).and_then(|text| text.parse::<u32>().ok());
        // The form that experiments had when their results were stored; what it does not have comes
        // behind.
        let first = (
            text("size"),
            number("rows"),
            number("cols"),
            text("setup"),
            text("opening"),
            board.has("swap"),
        );
        let known = ["size", "rows", "cols", "setup", "opening", "swap"];
        let others: Vec<_> = board
            .iter()
            .filter(|(name, _)| !known.contains(name))
            .collect();
        if others.is_empty() {
            first.serialize(serializer)
        } else {
            (first, others).serialize(serializer)
        }
    }
}

/// Settings.
pub(super) mod settings {
    use engine::Setting;
    use serde::Serializer;

    pub fn serialize<S: Serializer>(
        settings: &[Setting],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            settings
                .iter()
                .map(|setting| (&setting.name, &setting.value)),
        )
    }
}
