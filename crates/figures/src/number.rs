//! Numbers as short text.

/// About three digits that count: `0.0123`, `4.5`, `126.6` as `127`, `1234567` as `1230000`; whole
/// numbers below 100,000 in full.
pub fn short(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value.fract() == 0.0 && value.abs() < 100_000.0 {
        return format!("{}", value + 0.0);
    }
    let magnitude = libm::log10(value.abs()).floor();
    let step = libm::pow(10.0, magnitude - 2.0);
    let rounded = (value / step).round() * step;
    let decimals = (2.0 - magnitude).max(0.0) as usize;
    let text = format!("{rounded:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_count() {
        let texts: Vec<String> = [
            0.012_345,
            4.5,
            126.6,
            1_234_567.0,
            35_000.0,
            0.0,
            -0.0,
            2.0,
            f64::NAN,
            -2.71301,
        ]
        .map(short)
        .into();
        assert_eq!(
            texts,
            [
                "0.0123", "4.5", "127", "1230000", "35000", "0", "0", "2", "–", "-2.71"
            ]
        );
    }
}
