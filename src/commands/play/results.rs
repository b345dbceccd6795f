//! What came of a match: a line for every game, and a table of the contestants.

use std::fmt::Write as _;

use annals_engine::arena::{Contestant, Report, Winner};
use annals_events::{Side, StreamName};
use serde::Serialize;
use serde_json::{Value, json};

use crate::output::one_line;

/// One game that was played.
pub struct Played {
    /// Its place in the schedule, from 1.
    pub number: usize,
    /// Who had Gold.
    pub gold: usize,
    /// Who had Silver.
    pub silver: usize,
    /// Where it is kept; none where it is not.
    pub stream: Option<StreamName>,
    /// How it went.
    pub report: Report,
}

/// One contestant's results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
struct Tally {
    name: String,
    games: u32,
    wins: u32,
    losses: u32,
    /// Games that nobody won.
    abandoned: u32,
    /// Losses that were not on the board: time, illegal turns, forfeits.
    failures: u32,
}

/// All results.
pub struct Results {
    tallies: Vec<Tally>,
    games: Vec<Value>,
}

impl Results {
    /// Nobody has played yet.
    pub fn new(contestants: &[Contestant]) -> Results {
        let tally = |contestant: &Contestant| Tally { name: contestant.name.clone(), ..Tally::default() };
        Results { tallies: contestants.iter().map(tally).collect(), games: Vec::new() }
    }

    fn name(&self, contestant: usize) -> &str {
        self.tallies.get(contestant).map_or("", |tally| &tally.name)
    }

    /// A game in words.
    pub fn line(&self, played: &Played, of: usize) -> String {
        let Played { number, gold, silver, stream, report } = played;
        let (gold, silver) = (self.name(*gold), self.name(*silver));
        let mut line = format!("game {number} of {of}: {gold} - {silver}: ");
        let how = report.termination.map_or("", |how| how.word());
        let _ = match report.winner {
            Some(Winner::Side(Side::Gold)) => write!(line, "{gold} won by {how}"),
            Some(Winner::Side(Side::Silver)) => write!(line, "{silver} won by {how}"),
            Some(Winner::Nobody) => write!(line, "nobody won, {how}"),
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

    /// Adds a game.
    pub fn add(&mut self, played: Played) {
        let Played { number, gold, silver, stream, report } = played;
        self.games.push(json!({
            "number": number,
            "gold": self.name(gold),
            "silver": self.name(silver),
            "winner": match report.winner {
                Some(Winner::Side(side)) => Some(side.word()),
                Some(Winner::Nobody) | None => None,
            },
            "termination": report.termination,
            "failure": report.failure.as_ref().map(|(side, failure)| {
                json!({"side": side, "code": report.termination, "message": failure.to_string()})
            }),
            "turns": report.turns,
            "remarks": report.remarks.iter().map(|(side, text)| json!({"side": side, "text": text})).collect::<Vec<_>>(),
            "stream": stream,
        }));
        let Some(winner) = report.winner else { return };
        for (side, contestant) in [(Side::Gold, gold), (Side::Silver, silver)] {
            let Some(tally) = self.tallies.get_mut(contestant) else { continue };
            tally.games += 1;
            match winner {
                Winner::Side(of) if of == side => tally.wins += 1,
                Winner::Side(_) => tally.losses += 1,
                Winner::Nobody => tally.abandoned += 1,
            }
            let failed = report.failure.as_ref().is_some_and(|(of, failure)| {
                *of == side && *failure != annals_engine::arena::Failure::Resigned
            });
            tally.failures += u32::from(failed);
        }
    }

    /// The table, to be read.
    pub fn text(&self) -> String {
        let names: Vec<String> = self.tallies.iter().map(|tally| one_line(&tally.name)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
        let mut out = format!("{:width$}  games  wins  losses  abandoned  failures  score\n", "name");
        for (tally, name) in self.tallies.iter().zip(&names) {
            let Tally { games, wins, losses, abandoned, failures, .. } = tally;
            let score = if *games == 0 { 0.0 } else { 100.0 * f64::from(*wins) / f64::from(*games) };
            let _ = writeln!(
                out,
                "{name:width$}  {games:>5}  {wins:>4}  {losses:>6}  {abandoned:>9}  {failures:>8}  {score:>4.0}%"
            );
        }
        out
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        json!({"contestants": self.tallies, "games": self.games})
    }
}
