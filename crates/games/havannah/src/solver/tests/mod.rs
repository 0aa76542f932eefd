mod agreement;
mod checkpoint;
mod exhaustive;
mod family;
mod known;
mod look;
mod pruning;
