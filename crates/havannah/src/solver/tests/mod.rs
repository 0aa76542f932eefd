mod agreement;
mod checkpoint;
mod exhaustive;
mod known;
mod pruning;
