//! The results of a match: a line for every game, a table of the contestants, and the difference of their strength.

use std::fmt::Write as _;

use annals_events::narrative;
use annals_events::{Side, StreamName};
use annals_report::{Cell, Document, Table, counted};
use serde_json::{Value, json};

use super::elo::{Difference, Results as Counted};
use super::pool::{self, PoolError, Rating};
use super::schedule::Fixture;
use super::sprt::{Sprt, SprtState, SprtVerdict};
use super::standings::{ScoreLine, Standings};
use super::{Contestant, Failure, Kind, Report, Winner};
use crate::seated::Seated;

/// Drawn games against a fixed strength, added for every contestant if one has won or lost all games.
const FIXED_DRAWS: f64 = 1.0;

/// One game that was played.
pub struct Played {
    /// Its place in the match, from 1.
    pub number: usize,
    /// The sides, and the pair of games to which it belongs.
    pub fixture: Fixture,
    /// Where it is stored; none if it is not.
    pub stream: Option<StreamName>,
    /// Its report.
    pub report: Report,
}

/// All results.
pub struct Results<S> {
    contestants: Vec<Contestant<S>>,
    standings: Standings,
    /// Losses of each that were not on the board: time, illegal turns, forfeits.
    failures: Vec<u32>,
    games: Vec<Value>,
    /// Of two contestants: the numbers of pairs of games that gave the first one 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    /// The incomplete pair, with the first one's half points in its game.
    open_pair: Option<(u64, usize)>,
    sprt: Option<(Sprt, SprtState)>,
    /// Games that began.
    begun: usize,
}

impl<S: Seated> Results<S> {
    /// Before the first game.
    pub fn new(contestants: &[Contestant<S>], sprt: Option<Sprt>) -> Results<S> {
        let names = contestants.iter().map(|contestant| contestant.name.clone()).collect();
        Results {
            contestants: contestants.to_vec(),
            standings: Standings::new(names),
            failures: vec![0; contestants.len()],
            games: Vec::new(),
            pairs: [0; 5],
            open_pair: None,
            sprt: sprt.map(|sprt| (sprt, sprt.standing(&Counted::Pairs([0; 5])))),
            begun: 0,
        }
    }

    fn name(&self, contestant: usize) -> &str {
        self.standings.names().get(contestant).map_or("", String::as_str)
    }

    /// A game as text.
    pub fn line(&self, played: &Played, of: usize) -> String {
        let Played { number, fixture, stream, report } = played;
        let (gold, silver) = (self.name(fixture.gold), self.name(fixture.silver));
        let mut line = format!("game {number} of {of}: {gold} - {silver}: ");
        let how = report.termination.map_or("", narrative::ending);
        let _ = match report.winner {
            Some(Winner::Side(Side::Gold)) => write!(line, "{gold} won by {how}"),
            Some(Winner::Side(Side::Silver)) => write!(line, "{silver} won by {how}"),
            Some(Winner::Nobody) => write!(line, "no winner, {how}"),
            None => write!(line, "halted"),
        };
        let _ = write!(line, " after {} turns", report.turns);
        if let Some((side, failure)) = &report.failure {
            let _ = write!(line, " ({}: {failure})", [gold, silver][side.index()]);
        }
        if let Some(stream) = stream {
            let _ = write!(line, ", {stream}");
        }
        line
    }

    /// Whether no game began: in each a program could not be started, or both contestants failed before the first turn.
    pub fn is_empty(&self) -> bool {
        self.begun == 0
    }

    /// Adds a game; games come in the order of the match. Returns whether the test has decided with it.
    pub fn add(&mut self, played: Played) -> bool {
        let Played { number, fixture, stream, report } = played;
        let not_started = matches!(report.failure, Some((_, Failure::NotStarted(_))));
        let has_begun = report.turns > 0 || (report.winner != Some(Winner::Nobody) && !not_started);
        self.begun += usize::from(has_begun);
        let winner = match report.winner {
            Some(Winner::Side(side)) => Some(side),
            Some(Winner::Nobody) | None => None,
        };
        self.games.push(json!({
            "number": number,
            "gold": self.name(fixture.gold),
            "silver": self.name(fixture.silver),
            "winner": winner.map(Side::word),
            "termination": report.termination,
            "failure": report.failure.as_ref().map(|(side, failure)| {
                json!({"side": side, "code": report.termination, "message": failure.to_string()})
            }),
            "turns": report.turns,
            "remarks": report.remarks.iter().map(|(side, text)| json!({"side": side, "text": text})).collect::<Vec<_>>(),
            "stream": stream,
        }));
        if report.winner.is_none() {
            return false;
        }
        self.standings.add(fixture.gold, fixture.silver, winner);
        if let Some((side, failure)) = &report.failure
            && *failure != Failure::Resigned
        {
            let failed = if *side == Side::Gold { fixture.gold } else { fixture.silver };
            if let Some(count) = self.failures.get_mut(failed) {
                *count += 1;
            }
        }
        self.count_pair(&fixture, winner)
    }

    /// Counts a game of two contestants in its pair, and a whole pair in the test.
    fn count_pair(&mut self, fixture: &Fixture, winner: Option<Side>) -> bool {
        let first = if fixture.gold == 0 { Side::Gold } else { Side::Silver };
        let half_points = match winner {
            Some(side) if side == first => 2,
            Some(_) => 0,
            None => 1,
        };
        match self.open_pair.take() {
            Some((pair, before)) if pair == fixture.pair => {
                if let Some(count) = self.pairs.get_mut(before + half_points) {
                    *count += 1;
                }
            }
            _ => {
                self.open_pair = Some((fixture.pair, half_points));
                return false;
            }
        }
        let counted = Counted::Pairs(self.pairs);
        self.sprt.as_mut().is_some_and(|(sprt, standing)| {
            *standing = sprt.standing(&counted);
            standing.verdict != SprtVerdict::Open
        })
    }

    /// The difference in strength of two: by pairs of games, or by games if a pair is incomplete.
    fn difference(&self) -> Option<Difference> {
        if self.contestants.len() != 2 {
            return None;
        }
        let games = self.standings.against(0, 1);
        let pairs = Counted::Pairs(self.pairs);
        let whole = pairs.games() == games.games();
        Difference::of(&if whole { pairs } else { Counted::Games(games) })
    }

    /// The ratings of more than two, with the number of drawn games that had to be added for each.
    fn ratings(&self) -> Option<(Vec<Rating>, f64)> {
        let table = self.standings.table();
        let played = table.iter().flatten().any(|record| record.games() > 0);
        if self.contestants.len() < 3 || !played {
            return None;
        }
        match pool::ratings(&table, 0.0) {
            Ok(ratings) => Some((ratings, 0.0)),
            Err(PoolError::Apart { .. }) => Some((pool::ratings(&table, FIXED_DRAWS).ok()?, FIXED_DRAWS)),
            Err(_) => None,
        }
    }

    /// The table as a document, and its evaluation.
    pub fn document(&self) -> Document {
        let ratings = self.ratings();
        let percent = |score: Option<f64>| {
            Cell::Figure(score.map_or("-".to_owned(), |score| format!("{:.0}%", 100.0 * score)))
        };
        let elo = |line: &ScoreLine| {
            let rating = ratings.as_ref()?.0.get(line.contestant)?;
            Some(format!("{:+.0} ±{:.0}", rating.elo, rating.error))
        };
        let table = Table::of("", self.standings.lines())
            .column("", |line| Cell::count(line.place))
            .column("name", |line| Cell::text(&line.name))
            .column("games", |line| Cell::count(line.total.games()))
            .column("wins", |line| Cell::count(line.total.wins))
            .column("losses", |line| Cell::count(line.total.losses))
            .column("abandoned", |line| Cell::count(line.total.draws))
            .column("failures", |line| Cell::count(self.failures.get(line.contestant).copied().unwrap_or(0)))
            .column("score", |line| percent(line.total.score()))
            .column("gold", |line| percent(line.gold.score()))
            .column("silver", |line| percent(line.silver.score()))
            .column("Elo", |line| Cell::some(elo(line)));
        let mut lines = Vec::new();
        if let Some((_, given)) = ratings {
            let drawn = match given > 0.0 {
                true => {
                    ". A contestant won or lost everything, so each was given a drawn game against a fixed strength"
                }
                false => "",
            };
            lines.push(format!("Elo has the mean of all at 0; the errors are standard errors{drawn}"));
        }
        if let Some(difference) = self.difference() {
            lines.push(format!("{} against {}, Elo: {difference}", self.name(0), self.name(1)));
        }
        lines.extend(self.sprt.as_ref().map(|(sprt, standing)| self.test_in_words(sprt, standing)));
        Document::default().table(table.table()).lines("", lines)
    }

    fn test_in_words(&self, sprt: &Sprt, standing: &SprtState) -> String {
        let [elo0, elo1] = sprt.differences();
        let first = self.name(0);
        let verdict = match standing.verdict {
            SprtVerdict::Open => format!("not decided between {elo0:+} and {elo1:+} Elo"),
            SprtVerdict::Lower => format!("{first} is stronger by {elo0:+} Elo at most"),
            SprtVerdict::Upper => format!("{first} is stronger by {elo1:+} Elo at least"),
        };
        let pairs = Counted::Pairs(self.pairs).observations();
        format!(
            "sequential test after {}: {verdict} (log likelihood ratio {:+.2}, bounds {:+.2} and {:+.2})",
            counted(pairs, "pair"),
            standing.ratio,
            standing.lower,
            standing.upper
        )
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let ratings = self.ratings();
        let mut lines = self.standings.lines();
        lines.sort_by_key(|line| line.contestant);
        let contestant = |line: &ScoreLine| {
            let plays = self.contestants.get(line.contestant).map(|contestant| match &contestant.kind {
                Kind::Program { command, .. } => json!({ "program": command.to_string() }),
                Kind::Player(settings) => json!({ "settings": settings.to_string() }),
            });
            json!({
                "name": line.name,
                "plays": plays,
                "place": line.place,
                "games": line.total.games(),
                "wins": line.total.wins,
                "losses": line.total.losses,
                "abandoned": line.total.draws,
                "failures": self.failures.get(line.contestant),
                "score": line.total.score(),
                "with_gold": line.gold,
                "with_silver": line.silver,
                "rating": ratings.as_ref().and_then(|(all, _)| all.get(line.contestant)),
            })
        };
        json!({
            "contestants": lines.iter().map(contestant).collect::<Vec<_>>(),
            "games": self.games,
            "pairs": (self.contestants.len() == 2).then_some(self.pairs),
            "elo": self.difference(),
            "given_draws": ratings.as_ref().map(|(_, given)| given),
            "sprt": self.sprt.map(|(test, standing)| json!({ "test": test, "standing": standing })),
        })
    }
}
