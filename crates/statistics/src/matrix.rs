//! The inverse of a small symmetric matrix.

/// The inverse by Gauss and Jordan with the greatest pivot of each column; `None` where there is none.
pub(crate) fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut result: Vec<Vec<f64>> = (0..n)
        .map(|row| {
            (0..n)
                .map(|column| f64::from(u8::from(row == column)))
                .collect()
        })
        .collect();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        result.swap(column, pivot);
        let scale = matrix[column][column];
        if scale.abs() < 1e-12 || !scale.is_finite() {
            return None;
        }
        for value in matrix[column].iter_mut().chain(&mut result[column]) {
            *value /= scale;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for other in 0..n {
                matrix[row][other] -= factor * matrix[column][other];
                result[row][other] -= factor * result[column][other];
            }
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![
            vec![0.0, 2.0, 1.0],
            vec![2.0, 5.0, 3.0],
            vec![1.0, 3.0, 4.0],
        ];
        let inverse = inverse(matrix.clone()).unwrap();
        for (i, row) in matrix.iter().enumerate() {
            for j in 0..3 {
                let sum: f64 = row
                    .iter()
                    .zip(&inverse)
                    .map(|(value, other)| value * other[j])
                    .sum();
                assert!((sum - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn some_have_none() {
        assert_eq!(inverse(vec![vec![1.0, 1.0], vec![1.0, 1.0]]), None);
        assert_eq!(inverse(vec![vec![f64::NAN]]), None);
    }
}
