//! The results of a run of games.

use std::collections::BTreeMap;
use std::time::Duration;

use annals_events::{GameKind, Side};
use annals_report::{Document, counted, grouped};
use serde_json::{Value, json};

use super::{Generated, SelfPlay};
use crate::arena::elo::{Difference, PairCount, Results};
use crate::arena::standings::Record;
use crate::seated::Seated;

/// One of the two players, as text.
struct Named {
    name: String,
    settings: String,
}

/// The results of a run of games.
pub struct Summary {
    seed: u64,
    /// The game, for the names of its sides.
    kind: GameKind,
    contestants: [Named; 2],
    is_match: bool,
    in_pairs: bool,
    /// Games so far.
    pub games: u64,
    /// Turns, setups included.
    pub turns: u64,
    /// Searched positions.
    pub nodes: u64,
    /// Games won by Gold and by Silver.
    by_side: [u64; 2],
    /// Results of the first contestant with Gold and with Silver.
    first: [Record; 2],
    endings: BTreeMap<&'static str, u64>,
    pairs: PairCount,
}

impl Summary {
    /// Without games.
    pub fn new<S: Seated>(run: &SelfPlay<S>) -> Summary {
        let options = run.options();
        Summary {
            seed: options.seed,
            kind: S::KIND,
            contestants: options.contestants.each_ref().map(|contestant| Named {
                name: contestant.name.clone(),
                settings: contestant.settings.to_string(),
            }),
            is_match: run.is_match(),
            in_pairs: run.in_pairs(),
            games: 0,
            turns: 0,
            nodes: 0,
            by_side: [0; 2],
            first: [Record::default(); 2],
            endings: BTreeMap::new(),
            pairs: PairCount::default(),
        }
    }

    /// Adds the next game.
    pub fn add(&mut self, game: &Generated) {
        self.games += 1;
        self.turns += game.turns;
        self.nodes += game.nodes;
        self.by_side[game.winner.index()] += 1;
        *self.endings.entry(game.termination.word()).or_default() += 1;
        let side = if game.seats[Side::Gold.index()] == 0 { Side::Gold } else { Side::Silver };
        let won = game.winner == side;
        self.first[side.index()].add(Some(won));
        self.pairs.add(2 * usize::from(won));
    }

    /// The first contestant's games.
    fn total(&self) -> Record {
        let mut total = self.first[0];
        total += self.first[1];
        total
    }

    /// The difference in strength, if the two players differ.
    fn difference(&self) -> Option<Difference> {
        let whole = self.games.is_multiple_of(2);
        let results =
            if self.in_pairs && whole { self.pairs.results() } else { Results::Games(self.total()) };
        self.is_match.then(|| Difference::of(&results))?
    }

    fn mean_turns(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.turns as f64 / self.games as f64 }
    }

    /// The summary as text.
    #[must_use]
    pub fn document(&self) -> Document {
        let [gold, silver] = self.by_side.map(grouped);
        let [first, second] = side_words(self.kind);
        let endings = self.endings.iter().map(|(word, count)| format!("{word} {}", grouped(*count)));
        let mut lines = vec![
            format!(
                "{}, seed {}: {} (mean {:.1}), {}",
                counted(self.games, "game"),
                self.seed,
                counted(self.turns, "turn"),
                self.mean_turns(),
                counted(self.nodes, "position"),
            ),
            format!("won by {first} {gold}, by {second} {silver}"),
            format!("endings: {}", endings.collect::<Vec<_>>().join(", ")),
        ];
        let [a, b] = &self.contestants;
        if !self.is_match {
            lines.push(format!("{} against itself ({})", a.name, a.settings));
            return Document::default().lines("", lines);
        }
        for (one, total) in [(a, self.total()), (b, self.total().reversed())] {
            let (won, lost) = (grouped(total.wins), grouped(total.losses));
            lines.push(format!("{}: won {won}, lost {lost} ({})", one.name, one.settings));
        }
        if let Some(difference) = self.difference() {
            lines.push(format!("{} against {}, Elo: {difference}", a.name, b.name));
        }
        Document::default().lines("", lines)
    }

    /// The speed of the games.
    #[must_use]
    pub fn speed(&self, elapsed: Duration, threads: usize) -> String {
        let seconds = elapsed.as_secs_f64().max(1e-9);
        format!(
            "{} in {seconds:.1} s: {:.1} games/s, {} turns/s, {} positions/s on {}",
            counted(self.games, "game"),
            self.games as f64 / seconds,
            grouped((self.turns as f64 / seconds) as u64),
            grouped((self.nodes as f64 / seconds) as u64),
            counted(threads as u64, "thread"),
        )
    }

    /// The summary as JSON.
    pub fn as_json(&self) -> Value {
        let contestant = |place: usize| {
            let of_first = place == 0;
            let seen = |record: Record| if of_first { record } else { record.reversed() };
            // The first one's games with Silver are the other one's with Gold.
            let places = if of_first { [0, 1] } else { [1, 0] };
            let [gold, silver] = places.map(|side| seen(self.first[side]));
            json!({
                "name": self.contestants[place].name,
                "settings": self.contestants[place].settings,
                "total": seen(self.total()),
                "with_gold": gold,
                "with_silver": silver,
            })
        };
        let contestants: Vec<Value> = (0..if self.is_match { 2 } else { 1 }).map(contestant).collect();
        json!({
            "seed": self.seed,
            "games": self.games,
            "turns": self.turns,
            "mean_turns": self.mean_turns(),
            "nodes": self.nodes,
            "won": { "gold": self.by_side[0], "silver": self.by_side[1] },
            "endings": self.endings,
            "contestants": contestants,
            "elo": self.difference(),
        })
    }
}

/// The names of the sides in texts.
fn side_words(kind: GameKind) -> [&'static str; 2] {
    match kind {
        GameKind::Arimaa => ["gold", "silver"],
        GameKind::Amazons => ["White", "Black"],
    }
}
