//! The table of rounds (2009 WC, Preliminary 1). The print omits column separators: `9-1131` is 9 to 11
//! players, 3 rounds, 1 win needed. One formula gives the table: with `r` rounds and `r - 2` wins needed, a
//! row begins at the least number of players of whom eight are expected to win that often if every game is
//! random. It extends beyond the printed 55 players.

/// Upper limit of the extended table.
pub const MOST_PLAYERS: u32 = 1_000_000;

/// Printed rows: first and last number of players, rounds, wins needed to be among eight (informative).
const PRINTED: [(u32, u32, u32, u32); 6] =
    [(1, 8, 0, 0), (9, 11, 3, 1), (12, 15, 4, 2), (16, 23, 5, 3), (24, 35, 6, 4), (36, 55, 7, 5)];

/// The greatest number of players for which the table gives no round.
pub const WITHOUT_ROUNDS: u32 = PRINTED[0].1;

/// The greatest number of players in the printed table.
pub(super) const LAST_PRINTED: u32 = PRINTED[PRINTED.len() - 1].1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error("there is no player, and the table of rounds begins at one")]
    NoPlayers,
    #[error(
        "{found} players are more than the {MOST_PLAYERS} for which the program continues the table of rounds. \
         Declare the number of rounds"
    )]
    TooManyPlayers { found: u32 },
}

/// The number of rounds for a number of players.
///
/// # Errors
/// For zero or more than [`MOST_PLAYERS`] players.
pub const fn rounds_for(players: u32) -> Result<u32, TableError> {
    if players == 0 {
        return Err(TableError::NoPlayers);
    }
    if players > MOST_PLAYERS {
        return Err(TableError::TooManyPlayers { found: players });
    }
    let mut row = 0;
    while row < PRINTED.len() {
        let (_, to, rounds, _) = PRINTED[row];
        if players <= to {
            return Ok(rounds);
        }
        row += 1;
    }
    let mut rounds = 8;
    while players >= row_start(rounds + 1) {
        rounds += 1;
    }
    Ok(rounds)
}

/// The least number of players of whom eight are expected to win at least `rounds - 2` games. Of `2^rounds`
/// sequences of results, `1 + rounds + rounds (rounds - 1) / 2` have at most two losses. Valid up to about 30
/// rounds.
const fn row_start(rounds: u32) -> u32 {
    let enough = 1 + rounds as u64 + rounds as u64 * (rounds as u64 - 1) / 2;
    (8 * (1u64 << rounds)).div_ceil(enough) as u32
}

#[cfg(test)]
mod tests {
    use super::{PRINTED, TableError, rounds_for, row_start};

    #[test]
    fn the_law_makes_every_printed_row_but_the_first_two() {
        for (from, to, rounds, wins) in &PRINTED[2..] {
            assert_eq!((row_start(*rounds), row_start(*rounds + 1) - 1, *rounds - 2), (*from, *to, *wins));
        }
        // Eight players need no Swiss, so the row of three rounds begins at nine and not at the ten of the law.
        assert_eq!((row_start(3), row_start(4) - 1), (10, 11));
    }

    #[test]
    fn the_print_is_the_run_together_text() {
        let text: Vec<String> =
            PRINTED.iter().map(|(from, to, rounds, wins)| format!("{from}-{to}{rounds}{wins}")).collect();
        assert_eq!(text, ["1-800", "9-1131", "12-1542", "16-2353", "24-3564", "36-5575"]);
    }

    #[test]
    fn beyond_the_print_the_rows_go_on_without_a_gap() {
        assert_eq!([55, 56, 89, 90, 146].map(|players| rounds_for(players).unwrap()), [7, 8, 8, 9, 9]);
        let mut next = 56;
        while next <= super::MOST_PLAYERS {
            let rounds = rounds_for(next).unwrap();
            assert_eq!(row_start(rounds), next);
            let to = row_start(rounds + 1) - 1;
            assert_eq!(rounds_for(to.min(super::MOST_PLAYERS)), Ok(rounds));
            next = to + 1;
        }
        assert_eq!(rounds_for(0), Err(TableError::NoPlayers));
        assert_eq!(rounds_for(1_000_001), Err(TableError::TooManyPlayers { found: 1_000_001 }));
    }

    #[test]
    fn a_round_without_a_rematch_exists_for_every_row() {
        // Before the last round each of n players has met rounds - 1 others; Dirac: degree n - rounds >= n / 2 suffices.
        for players in 9..=146 {
            let even = players - players % 2;
            assert!(2 * (even - rounds_for(players).unwrap()) >= even, "{players} players");
        }
    }
}
