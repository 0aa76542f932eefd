use super::{Games, Region, RegionKey, Value};
use crate::{Board, PositionOn};
use game::Side;
use search::threads::with_deep_stack;
use std::collections::HashMap;
use thiserror::Error;

/// The value of a region was not found within the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooComplex {
    /// There is more to remember than the budget allows.
    #[error("the value is too complex: more than {0} values, comparisons and sums to remember")]
    Budget(usize),
    /// The board is too large.
    #[error("values are found on boards of at most 64 cells")]
    Board,
    /// The caller wanted no more of it.
    #[error("the search for the value was stopped")]
    Stopped,
}

/// Finds the values of positions, Black being Left: regions are valued move by move, and each form of a
/// region only once.
#[derive(Clone, Debug)]
pub struct Valuer {
    /// The values.
    pub games: Games,
    known: HashMap<RegionKey, Value>,
    budget: usize,
}

impl Valuer {
    /// Remembers at most so many regions, values, comparisons and sums, which take about 100 bytes each.
    pub fn new(budget: usize) -> Valuer {
        Valuer {
            games: Games::new(),
            known: HashMap::new(),
            budget,
        }
    }

    /// The regions whose values are known, in no particular order.
    pub fn known(&self) -> impl Iterator<Item = (RegionKey, Value)> {
        self.known.iter().map(|(&key, &value)| (key, value))
    }

    /// Takes a value on trust.
    pub fn learn(&mut self, key: RegionKey, value: Value) {
        self.known.insert(key, value);
    }

    /// The value of a position after its opening, whoever is to move.
    ///
    /// # Errors
    /// If the board has more than 64 cells or the budget is spent.
    pub fn position<B: Board>(&mut self, position: &PositionOn<B>) -> Result<Value, TooComplex> {
        let regions = Region::of(position).ok_or(TooComplex::Board)?;
        self.sum(&regions)
    }

    /// The value of several regions together.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn sum(&mut self, regions: &[Region]) -> Result<Value, TooComplex> {
        self.sum_while(regions, &mut || true)
    }

    fn sum_while(
        &mut self,
        regions: &[Region],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Value, TooComplex> {
        let mut sum = self.games.zero();
        for region in regions {
            let value = self.region_while(region, goes_on)?;
            sum = self.games.add(sum, value);
        }
        Ok(sum)
    }

    /// The value of one region.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn region(&mut self, region: &Region) -> Result<Value, TooComplex> {
        self.region_while(region, &mut || true)
    }

    /// The same as long as the caller, who is asked before each region, wants to go on.
    ///
    /// # Errors
    /// If the budget is spent, or the caller does not go on. What was found before is remembered.
    pub fn region_while(
        &mut self,
        region: &Region,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Value, TooComplex> {
        let (key, exchanged) = region.key();
        if let Some(&value) = self.known.get(&key) {
            return Ok(self.seen(value, exchanged));
        }
        if self.known.len() + self.games.size() > self.budget {
            return Err(TooComplex::Budget(self.budget));
        }
        if !goes_on() {
            return Err(TooComplex::Stopped);
        }
        let value = with_deep_stack(|| {
            let mut options = |side| -> Result<Vec<Value>, TooComplex> {
                let after = region.after_moves(side);
                let values = after
                    .iter()
                    .map(|after| self.sum_while(&after.parts(), goes_on));
                values.collect()
            };
            let (left, right) = (options(Side::Black)?, options(Side::White)?);
            Ok(self.games.make(&left, &right))
        })?;
        let stored = self.seen(value, exchanged);
        self.known.insert(key, stored);
        Ok(value)
    }

    /// A value with the sides exchanged or not.
    fn seen(&mut self, value: Value, exchanged: bool) -> Value {
        if exchanged {
            self.games.negative(value)
        } else {
            value
        }
    }
}
