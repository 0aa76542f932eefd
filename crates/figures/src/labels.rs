//! Labels at the ends of lines, moved apart where they would lie on each other.

/// Advance widths of Inter's printable ASCII characters, in thousandths of the size.
const WIDTHS: [u16; 95] = [
    281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 631, 407, 610,
    618, 646, 593, 620, 566, 619, 620, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601,
    590, 746, 743, 269, 571, 672, 565, 903, 753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682,
    679, 629, 365, 360, 365, 471, 456, 323, 562, 612, 571, 612, 583, 370, 613, 591, 242, 242, 549,
    242, 876, 591, 600, 612, 612, 376, 528, 327, 591, 562, 818, 546, 562, 552, 426, 333, 426, 662,
];

/// The width of a text in pixels at a size in pixels.
pub fn width(text: &str, size: f64) -> f64 {
    let of = |character: char| {
        let index = (character as usize).checked_sub(32);
        index
            .and_then(|index| WIDTHS.get(index))
            .copied()
            .unwrap_or(640)
    };
    text.chars()
        .map(|character| f64::from(of(character)))
        .sum::<f64>()
        / 1000.0
        * size
}

/// Moves places apart until each two are at least `gap` from each other, within `top` and `bottom`
/// where there is room, keeping their order and moving each as little as that allows.
pub fn apart(places: &[f64], gap: f64, (top, bottom): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    // Blocks of labels that touch, each around the mean of where its labels want to be.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &index in &order {
        blocks.push((places[index], 1));
        while let [.., (above, many), (below, more)] = blocks[..] {
            let touching = gap * (many + more) as f64 / 2.0;
            if below - above >= touching {
                break;
            }
            let together = (above * many as f64 + below * more as f64) / (many + more) as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((together, many + more));
        }
    }
    let mut moved = vec![0.0; places.len()];
    let mut next = 0;
    for (centre, many) in blocks {
        let half = gap * (many as f64 - 1.0) / 2.0;
        let centre = centre.min(bottom - half).max(top + half);
        for place in 0..many {
            moved[order[next]] = centre - half + gap * place as f64;
            next += 1;
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance_and_order() {
        let moved = apart(&[50.0, 52.0, 90.0, 51.0], 10.0, (0.0, 100.0));
        assert_eq!(moved, [41.0, 61.0, 90.0, 51.0]);
        assert_eq!(apart(&[1.0], 10.0, (5.0, 100.0)), [5.0]);
        assert_eq!(apart(&[], 10.0, (5.0, 100.0)), [] as [f64; 0]);
    }

    #[test]
    fn wide_letters_are_wide() {
        assert!(width("WWW", 12.0) > 1.5 * width("iii", 12.0));
        assert!(width("Kōnane", 12.0) > 30.0);
    }
}
