//! The table of what the rules make of the championship, as it was worked out apart from this program.

/// The table.
pub const TABLE: &str = include_str!("expected.txt");

/// The fields of a line, which has to have so many.
pub fn fields<const N: usize>(line: &str) -> [&str; N] {
    let all: Vec<&str> = line.split_whitespace().collect();
    all.try_into().unwrap_or_else(|all: Vec<&str>| panic!("{} fields and not {N}: {line}", all.len()))
}

/// The lines that begin with a word, without it.
pub fn lines(word: &str) -> Vec<&'static str> {
    let found: Vec<&str> =
        TABLE.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')).collect();
    assert!(!found.is_empty(), "the table has no line `{word}`");
    found
}

/// One line of expected standings.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub rank: u64,
    pub player: &'static str,
    pub seed: u64,
    pub won: u64,
    pub lost: u64,
    pub byes: u64,
    /// The rating of those who are in.
    pub rating: Option<f64>,
    pub active: bool,
}

/// All standings of the table: the point in time, and the rows.
pub fn standings() -> Vec<(&'static str, Vec<Row>)> {
    let mut all: Vec<(&str, Vec<Row>)> = Vec::new();
    for line in TABLE.lines() {
        if let Some(point) = line.strip_prefix("standings ") {
            all.push((point, Vec::new()));
        } else if line.starts_with("  ") {
            let [rank, player, seed, won, lost, byes, rating, is_in] = fields(line);
            let number = |text: &str| text.parse::<u64>().unwrap();
            all.last_mut().expect("a heading comes before the rows").1.push(Row {
                rank: number(rank),
                player,
                seed: number(seed),
                won: number(won),
                lost: number(lost),
                byes: number(byes),
                rating: (rating != "-").then(|| rating.parse().unwrap()),
                active: is_in == "in",
            });
        }
    }
    all
}
