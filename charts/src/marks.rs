//! Rows of marks at an edge, without overlaps.

/// Most rows; the last takes the rest.
const MOST_ROWS: usize = 3;

/// From left to right: center, row (0 at the edge) and label. `signs` have their wanted positions, `width` is that
/// of the edge, `wide` that of a label.
pub(crate) fn rows(
    signs: &[(i32, String)],
    width: i32,
    wide: impl Fn(&str) -> i32,
) -> Vec<(i32, i32, String)> {
    let mut sorted: Vec<&(i32, String)> = signs.iter().collect();
    sorted.sort_by_key(|(at, _)| *at);
    let mut taken: Vec<i32> = Vec::new();
    let mut placed = Vec::with_capacity(signs.len());
    for (at, sign) in sorted {
        let half = wide(sign) / 2;
        let at = (*at).min(width - half).max(half);
        let free = taken.iter().position(|taken| *taken <= at - half);
        let row = match free {
            Some(row) => row,
            None if taken.len() < MOST_ROWS => {
                taken.push(0);
                taken.len() - 1
            }
            None => MOST_ROWS - 1,
        };
        if let Some(taken) = taken.get_mut(row) {
            *taken = at + half;
        }
        placed.push((at, i32::try_from(row).unwrap_or(0), sign.clone()));
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(signs: &[(i32, &str)]) -> Vec<(i32, i32)> {
        let signs: Vec<(i32, String)> = signs.iter().map(|(at, sign)| (*at, (*sign).to_owned())).collect();
        let ten = |sign: &str| 10 * i32::try_from(sign.len()).unwrap();
        rows(&signs, 100, ten).into_iter().map(|(at, row, _)| (at, row)).collect()
    }

    #[test]
    fn signs_that_meet_stand_in_several_rows_and_all_within_the_edge() {
        assert_eq!(placed(&[(20, "a"), (30, "b"), (50, "c")]), [(20, 0), (30, 0), (50, 0)]);
        assert_eq!(placed(&[(20, "a"), (24, "b"), (31, "c")]), [(20, 0), (24, 1), (31, 0)]);
        assert_eq!(placed(&[(0, "a"), (99, "won")]), [(5, 0), (85, 0)]);
        let crowd = placed(&[(50, "a"), (50, "b"), (50, "c"), (50, "d")]);
        assert_eq!(crowd.iter().map(|(_, row)| *row).collect::<Vec<_>>(), [0, 1, 2, 2]);
    }
}
