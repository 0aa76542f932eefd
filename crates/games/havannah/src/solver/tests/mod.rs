mod agreement;
mod castro;
mod checkpoint;
mod exhaustive;
mod known;
mod look;
mod pruning;
