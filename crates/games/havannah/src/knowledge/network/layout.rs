//! Which weight is for what.

use super::PLANES;
use std::ops::Range;

/// Numbers that a layer computes for each cell.
pub const CHANNELS: usize = 32;
/// The most layers behind the first.
pub const MOST_LAYERS: usize = 32;
/// Numbers that the value is computed from.
pub const HIDDEN: usize = 32;
/// A cell and its neighbours.
pub const NEAR: usize = 7;

/// The weights are one list of single-precision numbers, part after part. A matrix has a row for each input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Of the first layer: for the cell itself, then for its neighbours in the order of the directions, the planes of
    /// each.
    First,
    /// What the first layer adds.
    FirstBias,
    /// Of a layer: for the cell itself, then its neighbours, the channels of each.
    Layer(usize),
    /// What a layer adds.
    LayerBias(usize),
    /// From the mean of the board to what layer [`Layout::middle`] adds.
    Whole,
    /// From a cell's channels to how likely a move there is.
    Policy,
    /// From the mean of the board to the hidden numbers.
    Hidden,
    /// What is added there.
    HiddenBias,
    /// From the hidden numbers to the value.
    Value,
    /// What is added there.
    ValueBias,
}

impl Part {
    const fn len(self) -> usize {
        match self {
            Part::First => NEAR * PLANES * CHANNELS,
            Part::Layer(_) => NEAR * CHANNELS * CHANNELS,
            Part::FirstBias | Part::LayerBias(_) | Part::Policy => CHANNELS,
            Part::Whole => CHANNELS * CHANNELS,
            Part::Hidden => CHANNELS * HIDDEN,
            Part::HiddenBias | Part::Value => HIDDEN,
            Part::ValueBias => 1,
        }
    }
}

/// Where the weights of a network are. It follows from the number of layers, and that from the number of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    layers: usize,
}

impl Layout {
    /// With so many layers behind the first, from 1 to [`MOST_LAYERS`]; `None` with others.
    pub fn new(layers: usize) -> Option<Layout> {
        (1..=MOST_LAYERS)
            .contains(&layers)
            .then_some(Layout { layers })
    }

    /// Of a network with so many weights, if there is one.
    pub fn of(weights: usize) -> Option<Layout> {
        let mut all = (1..=MOST_LAYERS).map(|layers| Layout { layers });
        all.find(|layout| layout.weights() == weights)
    }

    /// The layers behind the first.
    pub const fn layers(self) -> usize {
        self.layers
    }

    /// The layer that also sees the mean of the whole board.
    pub const fn middle(self) -> usize {
        self.layers / 2
    }

    const fn start(self, part: Part) -> usize {
        let before = match part {
            Part::First => return 0,
            Part::FirstBias => Part::First,
            Part::Layer(layer) => {
                let each = Part::Layer(0).len() + Part::LayerBias(0).len();
                return self.range(Part::FirstBias).end + layer * each;
            }
            Part::LayerBias(layer) => Part::Layer(layer),
            Part::Whole => Part::LayerBias(self.layers - 1),
            Part::Policy => Part::Whole,
            Part::Hidden => Part::Policy,
            Part::HiddenBias => Part::Hidden,
            Part::Value => Part::HiddenBias,
            Part::ValueBias => Part::Value,
        };
        self.range(before).end
    }

    /// Where the weights of a part are.
    pub const fn range(self, part: Part) -> Range<usize> {
        let start = self.start(part);
        start..start + part.len()
    }

    /// How many weights there are.
    pub const fn weights(self) -> usize {
        self.range(Part::ValueBias).end
    }

    /// The weights of a network with as many layers or fewer, among new layers that change nothing: the network computes
    /// what it did before (Chen, Goodfellow and Shlens, "Accelerating learning via knowledge transfer", 2016). `None` if it
    /// has more layers, or there is no such network.
    pub fn deepened(self, weights: &[f32]) -> Option<Vec<f32>> {
        let before = Layout::of(weights.len())?;
        let added = self.layers.checked_sub(before.layers)?;
        let in_front = self.middle() - before.middle();
        let layers = self.range(Part::Layer(0)).start;
        let each = self.range(Part::Layer(1)).start - layers;
        let (first, rest) = weights.split_at(layers);
        let (of_layers, heads) = rest.split_at(before.layers * each);
        let nothing = |layers: usize| vec![0.0; layers * each];
        let (in_front, behind) = (nothing(in_front), nothing(added - in_front));
        Some([first, &in_front, of_layers, &behind, heads].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_weights_tells_the_layers() {
        for layers in 1..=MOST_LAYERS {
            let layout = Layout::new(layers).expect("a layout");
            assert_eq!(Layout::of(layout.weights()), Some(layout));
            assert_eq!(Layout::of(layout.weights() + 1), None);
        }
        assert_eq!(Layout::new(4).map(Layout::weights), Some(34_561));
        assert_eq!(Layout::new(0), None);
        assert_eq!(Layout::new(MOST_LAYERS + 1), None);
    }

    #[test]
    fn a_network_is_not_made_less_deep() {
        let [fewer, more] = [3, 5].map(|layers| Layout::new(layers).expect("a layout"));
        assert!(fewer.deepened(&vec![0.0; more.weights()]).is_none());
        let deepened = more.deepened(&vec![1.0; fewer.weights()]).expect("weights");
        assert_eq!(deepened.len(), more.weights());
        let kept = deepened.iter().filter(|&&weight| weight > 0.5).count();
        assert_eq!(kept, fewer.weights());
    }
}
