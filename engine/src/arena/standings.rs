//! Numbers of games won, drawn and lost: of two contestants against each other, and of all of them. Plain values, from which
//! tables are printed and ratings computed.

use annals_events::Side;

/// Games won, drawn and lost by one contestant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Record {
    pub wins: u64,
    /// Drawn, or without a winner.
    pub draws: u64,
    pub losses: u64,
}

impl Record {
    /// Games altogether.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points in halves: two for a win, one for a draw.
    #[must_use]
    pub const fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points for each game, from 0 to 1; none before the first game.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.half_points() as f64 / (2 * self.games()) as f64)
    }

    /// The same games from the view of the other side.
    #[must_use]
    pub const fn reversed(&self) -> Record {
        Record { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Adds a game: `Some(true)` won, `Some(false)` lost, none drawn.
    pub const fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }
}

impl std::ops::AddAssign for Record {
    fn add_assign(&mut self, other: Record) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// The results of all contestants against each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standings {
    names: Vec<String>,
    /// The record of the row's contestant with Gold against the column's.
    as_gold: Vec<Record>,
}

/// One line of a table.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ScoreLine {
    /// Place in the table, from 1; contestants with the same score share it.
    pub place: usize,
    /// The contestant, by the order in which they were named.
    pub contestant: usize,
    pub name: String,
    pub total: Record,
    pub gold: Record,
    pub silver: Record,
}

impl Standings {
    /// Before the first game.
    #[must_use]
    pub fn new(names: Vec<String>) -> Standings {
        let cells = names.len() * names.len();
        Standings { names, as_gold: vec![Record::default(); cells] }
    }

    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Adds a game; returns whether both contestants are in the table.
    pub fn add(&mut self, gold: usize, silver: usize, winner: Option<Side>) -> bool {
        if gold >= self.names.len() || silver >= self.names.len() {
            return false;
        }
        let at = gold * self.names.len() + silver;
        if let Some(cell) = self.as_gold.get_mut(at) {
            cell.add(winner.map(|side| side == Side::Gold));
        }
        true
    }

    /// The record of a contestant with Gold against another.
    #[must_use]
    pub fn with_gold(&self, contestant: usize, against: usize) -> Record {
        let known = contestant < self.names.len() && against < self.names.len();
        let at = known.then(|| contestant * self.names.len() + against);
        at.and_then(|at| self.as_gold.get(at)).copied().unwrap_or_default()
    }

    /// The record of a contestant against another, with both colours.
    #[must_use]
    pub fn against(&self, contestant: usize, other: usize) -> Record {
        let mut record = self.with_gold(contestant, other);
        if contestant != other {
            record += self.with_gold(other, contestant).reversed();
        }
        record
    }

    /// All results as a table of the row's record against the column, for ratings.
    #[must_use]
    pub fn table(&self) -> Vec<Vec<Record>> {
        let all = 0..self.names.len();
        all.clone().map(|row| all.clone().map(|column| self.against(row, column)).collect()).collect()
    }

    /// The table: by score, then by the order in which they were named. Games of a contestant against itself do not count.
    #[must_use]
    pub fn lines(&self) -> Vec<ScoreLine> {
        let mut lines: Vec<ScoreLine> = (0..self.names.len())
            .map(|contestant| {
                let (mut gold, mut silver) = (Record::default(), Record::default());
                for other in (0..self.names.len()).filter(|other| *other != contestant) {
                    gold += self.with_gold(contestant, other);
                    silver += self.with_gold(other, contestant).reversed();
                }
                let mut total = gold;
                total += silver;
                let name = self.names[contestant].clone();
                ScoreLine { place: 0, contestant, name, total, gold, silver }
            })
            .collect();
        // Exactly, without fractions; contestants without games are last.
        let compare = |a: &ScoreLine, b: &ScoreLine| {
            let (a, b) = (&a.total, &b.total);
            let left = u128::from(a.half_points()) * u128::from(b.games());
            let right = u128::from(b.half_points()) * u128::from(a.games());
            (a.games() == 0).cmp(&(b.games() == 0)).then(right.cmp(&left))
        };
        lines.sort_by(compare);
        for at in 0..lines.len() {
            let level = at > 0 && compare(&lines[at - 1], &lines[at]).is_eq();
            lines[at].place = if level { lines[at - 1].place } else { at + 1 };
        }
        lines
    }
}
