mod agreement;
mod exhaustive;
mod known;
mod pruning;
