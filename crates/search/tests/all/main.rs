//! The searches against exhaustive search, on small games.

mod alphabeta;
mod common;
mod implicit;
mod mcts;
mod mcts_tree_policy;
mod plain_uct;
mod pvs;
