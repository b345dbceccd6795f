//! The crosstable: who made how much against whom.

use super::encounter::OlympiadRound;

/// What one entrant made against another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Half points.
    pub half_points: u32,
    /// Games with a result.
    pub games: u32,
}

/// A crosstable: a row and a column for each entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crosstable<P> {
    /// The entrants, in the order of rows and columns.
    pub players: Vec<P>,
    /// The cells by row; none where two have not met, and of an entrant with themselves.
    pub cells: Vec<Vec<Option<Cell>>>,
    /// How many encounters do not appear, since somebody in them is not among the players.
    pub left_out: u32,
}

/// Makes the crosstable of some players, in the order given, which is that of the ranking as a rule. Byes do not appear.
#[must_use]
pub fn crosstable<P: Clone + PartialEq>(players: &[P], rounds: &[OlympiadRound<P>]) -> Crosstable<P> {
    let mut cells = vec![vec![None; players.len()]; players.len()];
    let mut left_out = 0;
    let position = |player: &P| players.iter().position(|other| other == player);
    for encounter in rounds.iter().flat_map(|round| &round.encounters) {
        let (Some(one), Some(other)) = (position(&encounter.pair.0), position(&encounter.pair.1)) else {
            left_out += 1;
            continue;
        };
        for (row, column) in [(one, other), (other, one)] {
            let cell: &mut Cell = cells[row][column].get_or_insert_default();
            for half_points in encounter.games.iter().filter_map(|game| game.half_points(&players[row])) {
                cell.games += 1;
                cell.half_points += half_points;
            }
        }
    }
    Crosstable { players: players.to_vec(), cells, left_out }
}
