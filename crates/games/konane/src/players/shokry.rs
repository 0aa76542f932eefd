//! The players of Shokry's thesis (2023), under their names. `docs/konane-players.md` describes them.

use super::adapted::{BoardAdapter, BoardSearch};
use super::{monte_carlo, on, words};
use crate::shokry::DynamicBoard;
use crate::shokry::knowledge::Heuristic;
use crate::shokry::minimax::{self, Minimax, Order, Scope, WindowParams};
use crate::shokry::windows::Window;
use crate::{BitBoard, Move, Position, PositionOn};
use engine::parameter::{Choice, Field, Number, Text, apply, describe};
use engine::{Engine, Player};
use game::Game;
use search::alphabeta::{self, Deepening};
use search::mcts::{self, FinalMove, Lookahead};
use search::{AlphaBeta, Limits, Progress, Report};

/// The players, in the order of the thesis.
pub(super) fn players() -> Vec<Player<Position>> {
    let depth_limited = |order, depth| MinimaxSettings {
        depth,
        params: minimax::Params {
            order,
            heuristic: Heuristic::Q,
            window: None,
        },
    };
    let mut windowed = depth_limited(Order::Effects, 8);
    windowed.window();
    vec![
        minimax_player(
            "shokry-ab",
            "alpha-beta to a fixed depth, with moves in the order of a scan of the board",
            depth_limited(Order::Scan, 6),
            &[DEPTH, HEURISTIC],
        )
        .also(&["ab"]),
        minimax_player(
            "shokry-dab",
            "alpha-beta to a fixed depth, with moves in the order of the Dynamic Board",
            depth_limited(Order::Recent, 6),
            &[DEPTH, HEURISTIC],
        )
        .also(&["dab"]),
        minimax_player(
            "shokry-dabs",
            "alpha-beta to a fixed depth, with moves ordered by their twelve instant effects",
            depth_limited(Order::Effects, 6),
            &[DEPTH, HEURISTIC, ORDERING],
        )
        .also(&["dabs"]),
        minimax_player(
            "shokry-wdabs",
            "alpha-beta as shokry-dabs, restricted to a window round each move of the root",
            windowed,
            &[DEPTH, HEURISTIC, ORDERING, PADDING, EVALUATED],
        )
        .also(&["wdabs"]),
        monte_carlo::player(
            "shokry-mcts",
            "Monte Carlo tree search as in the thesis: UCT without proofs",
            uct(),
        )
        .also(&["mcts"]),
        monte_carlo::player_on(
            "shokry-dmcts",
            "the same search as shokry-mcts, on the Dynamic Board",
            uct(),
            monte_carlo::board_search::<DynamicBoard>,
        )
        .also(&["dmcts"]),
    ]
}

/// UCT of section 2.5: `√(4 ln n / v)` is `2 √(ln n / v)`.
fn uct() -> mcts::Params {
    mcts::Params {
        exploration: 2.0,
        lookahead: Lookahead::None,
        solver: false,
        final_move: FinalMove::Mean,
        ..mcts::Params::default()
    }
}

/// What an alpha-beta player can be told.
#[derive(Clone)]
struct MinimaxSettings {
    depth: u32,
    params: minimax::Params,
}

impl MinimaxSettings {
    /// The window of a player that has one, for its parameters alone.
    fn window(&mut self) -> &mut WindowParams {
        self.params.window.get_or_insert(WindowParams {
            padding: 4,
            scope: Scope::Board,
        })
    }
}

fn minimax_player(
    name: &'static str,
    summary: &'static str,
    defaults: MinimaxSettings,
    fields: &'static [Field<MinimaxSettings>],
) -> Player<Position> {
    Player::new(
        name,
        summary,
        describe(fields, &defaults),
        move |position, seed, settings| {
            let settings = apply(fields, &defaults, settings)?;
            let make = move |position: &Position, _| match words(position) {
                1 => DepthLimited::<1>::board_search(position, &settings),
                4 => DepthLimited::<4>::board_search(position, &settings),
                _ => DepthLimited::<7>::board_search(position, &settings),
            };
            Ok(Box::new(BoardAdapter::new(position, seed, make)) as Box<dyn Engine<_>>)
        },
    )
}

/// An alpha-beta player, with the Dynamic Board of the game, whose lists the search goes on from.
struct DepthLimited<const WORDS: usize> {
    search: AlphaBeta<PositionOn<BitBoard<WORDS>>, Minimax<WORDS>>,
    dynamic: PositionOn<DynamicBoard>,
    depth: u32,
}

impl<const WORDS: usize> DepthLimited<WORDS> {
    fn board_search(position: &Position, settings: &MinimaxSettings) -> Box<dyn BoardSearch> {
        let ordering = Minimax::<WORDS>::new(position.shape(), settings.params);
        let even = settings.params.heuristic.comparison.even();
        let params = alphabeta::Params {
            scale: if even == 0 {
                5.0
            } else {
                0.5 * f64::from(even)
            },
            even,
            deepening: Deepening::AtOnce,
        };
        Box::new(DepthLimited::<WORDS> {
            search: AlphaBeta::new(on(position), ordering, params),
            dynamic: on(position),
            depth: settings.depth,
        })
    }
}

impl<const WORDS: usize> BoardSearch for DepthLimited<WORDS> {
    fn advance(&mut self, mv: Move) {
        if self.search.advance(mv).is_ok() {
            self.dynamic.play_unchecked(mv);
        }
    }

    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        let depth = limits
            .depth
            .map_or(self.depth, |depth| depth.min(self.depth));
        let limits = Limits {
            depth: Some(depth),
            ..limits.clone()
        };
        self.search.ordering_mut().recall(self.dynamic.board());
        self.search.search(&limits, progress)
    }
}

const DEPTH: Field<MinimaxSettings> = Field {
    name: "depth",
    meaning: "search depth, in plies from 1 to 400",
    values: &Number(1, 400, |settings: &mut MinimaxSettings| &mut settings.depth),
};

const HEURISTIC: Field<MinimaxSettings> = Field {
    name: "heuristic",
    meaning: "the evaluation: pieces, moves or movables, then a hyphen and own, opponent, difference, difference-3, ratio or ratio-3; or its letter from a to r",
    values: &Text(
        "one of the eighteen heuristics, such as movables-ratio, or its letter from a to r",
        |settings: &mut MinimaxSettings| &mut settings.params.heuristic,
    ),
};

const ORDERING: Field<MinimaxSettings> = Field {
    name: "ordering",
    meaning: "move ordering: all (by order score), kept (the same, with scores kept from turn to turn), or best-three (the three best first, the others as listed)",
    values: &Choice(
        &[
            ("all", Order::Effects),
            ("kept", Order::KeptEffects),
            ("best-three", Order::BestThree),
        ],
        |settings: &mut MinimaxSettings| &mut settings.params.order,
    ),
};

const PADDING: Field<MinimaxSettings> = Field {
    name: "padding",
    meaning: "width of the window on each side of the line of a move, in cells from 0 to 24",
    values: &Number(0, Window::MAX_PADDING, |settings: &mut MinimaxSettings| {
        &mut settings.window().padding
    }),
};

const EVALUATED: Field<MinimaxSettings> = Field {
    name: "evaluated",
    meaning: "what the evaluation covers: the whole board, or the window",
    values: &Choice(
        &[("board", Scope::Board), ("window", Scope::Window)],
        |settings: &mut MinimaxSettings| &mut settings.window().scope,
    ),
};
