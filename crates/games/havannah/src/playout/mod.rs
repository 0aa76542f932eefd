//! Playing games to their end, one policy a file (Castro thesis, 2012, "Rollout Policy").

mod last_good_reply;
mod policy;
mod ring_rule;
pub mod threats;
mod uniform;

pub use last_good_reply::LastGoodReply;
pub use policy::{Policy, PolicyPlayout, Until};
pub use ring_rule::RingRule;
pub use uniform::{Ended, UniformPlayout};
