//! Explains the qualifier: every score in order, or one by game. Computed from recorded games and shown next to the
//! publication.

use annals_events::{Micros, PlayerId, Side, TournamentEvent};
use annals_report::{Cell, Document, Table, ToDocument};
use annals_tournaments::formats::qualifier::explain::{
    GameExplanation, ScoreExplanation, TEXTS, qualifier as explain,
};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::READINGS;
use crate::queries::error::QueryError;
use crate::queries::overview::{ReadingLine, readings_of};
use crate::queries::tournament_at::TournamentAt;
use crate::queries::{Heading, Person};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QualifierExplained {
    #[serde(flatten)]
    pub heading: Heading,
    /// None for all.
    pub player: Option<PlayerId>,
    pub scores: Vec<ScoreExplanation>,
    /// As published, best first.
    pub published: Vec<PlayerId>,
    /// Published, and without a score now.
    #[serde(skip)]
    left: Vec<PlayerId>,
    /// Readings in force of the texts on scores and order.
    pub readings: Vec<ReadingLine>,
    pub players: Vec<Person>,
}

/// Explains the qualifier, or one score.
///
/// # Errors
/// If the rulebook cannot be applied, the period or the benchmarks are missing, or the player is not in it.
pub fn qualifier(
    opened: &TournamentAt<'_>,
    player: Option<&PlayerId>,
) -> Result<QualifierExplained, QueryError> {
    let tournament = opened.tournament();
    let published = tournament.order_to_final();
    let published: Vec<PlayerId> =
        published.iter().flat_map(|order| &order.order).map(|place| place.player.clone()).collect();
    let mut scores = explain(tournament, opened.rulebook()?)?;
    let is_scored = |player: &PlayerId| scores.iter().any(|score| score.player == *player);
    let left = published.iter().filter(|player| !is_scored(player)).cloned().collect();
    if let Some(player) = player {
        scores.retain(|score| score.player == *player);
        if scores.is_empty() {
            let stream = opened.stream.clone();
            if published.contains(player)
                && let Some(published_at) = published_at(opened)?
            {
                return Err(QueryError::LeftSince { stream, player: player.clone(), published_at });
            }
            return Err(QueryError::Nothing(format!("{player} is not in the qualifier of {stream}")));
        }
    }
    let what = match player {
        Some(player) => format!("the qualifier score of {}", opened.person(player).name),
        None => "the order of the qualifier".to_owned(),
    };
    let known = tournament.entrants.keys().chain(
        tournament.benchmarks.iter().flat_map(|stable| &stable.stable).map(|benchmark| &benchmark.player),
    );
    let mut players: Vec<Person> = known.map(|player| opened.person(player)).collect();
    for benchmark in tournament.benchmarks.iter().flat_map(|stable| &stable.stable) {
        let shown = players.iter_mut().find(|person| person.player == benchmark.player);
        if let Some(person) = shown {
            person.name.clone_from(&benchmark.name);
        }
    }
    Ok(QualifierExplained {
        heading: opened.heading(&what),
        player: player.cloned(),
        scores,
        published,
        left,
        readings: readings_of(opened, TEXTS),
        players,
    })
}

/// When the last order of the qualifier was published.
fn published_at(opened: &TournamentAt<'_>) -> Result<Option<Micros>, QueryError> {
    let events = opened.event_history()?.events;
    let published = events.iter().rev().find(|event| matches!(*event.event, TournamentEvent::Qualified(_)));
    Ok(published.map(|event| event.at))
}

impl QualifierExplained {
    /// The place in the published order, where it is that of the scores; else the place by the scores.
    fn place(&self, score: &ScoreExplanation) -> u32 {
        let is_scored = |player: &&PlayerId| self.scores.iter().any(|score| score.player == **player);
        let published = self.published.iter().filter(is_scored);
        let same = self.player.is_none() && self.scores.iter().map(|score| &score.player).eq(published);
        let place = self.published.iter().zip(1..).find(|(player, _)| same && **player == score.player);
        place.map_or(score.place, |(_, place)| place)
    }

    fn name(&self, player: &PlayerId) -> String {
        Person::name_in(&self.players, player)
    }

    fn published_words(&self) -> Cell {
        if self.published.is_empty() {
            return Cell::text("not yet");
        }
        match self.player {
            None => {
                let found = || self.scores.iter().map(|score| &score.player);
                let (there, gone): (Vec<&PlayerId>, Vec<&PlayerId>) =
                    self.published.iter().partition(|player| found().any(|found| found == *player));
                match (found().eq(there), gone.as_slice()) {
                    (false, _) => Cell::text("in another order"),
                    (true, []) => Cell::text("in this order"),
                    (true, gone) => {
                        let gone: Vec<String> = gone.iter().map(|player| self.name(player)).collect();
                        Cell::Text(format!("in this order, with {} who left since", gone.join(", ")))
                    }
                }
            }
            Some(ref player) => {
                let place = self.published.iter().position(|known| known == player);
                let Some(at) = place else { return Cell::text("without this player") };
                let gone = self.published.iter().take(at).filter(|known| self.left.contains(*known));
                let gone: Vec<String> = gone.map(|player| self.name(player)).collect();
                let gone = match gone.as_slice() {
                    [] => String::new(),
                    gone => format!(", with {} above who left since", gone.join(", ")),
                };
                Cell::Text(format!("at place {}{gone}", at + 1))
            }
        }
    }

    fn order(&self, for_programs: bool) -> Table {
        let player = |player: &PlayerId| if for_programs { player.to_string() } else { self.name(player) };
        Table::of("", &self.scores)
            .column("Place", |score| Cell::count(self.place(score)))
            .column("Player", |score| Cell::named(player(&score.player), &score.player))
            .column("Points", |score| Cell::count(score.points))
            .column("Counted games", |score| Cell::count(score.counted))
            .column("Losses before", |score| Cell::Number(score.losses_before.saturating_neg()))
            .column("Complete", |score| Cell::time(score.completed_at))
            .column("Rating", |score| Cell::number(score.rating))
            .column("Below the one above", |score| {
                Cell::some(score.below.as_ref().map(|why| format!("{} ({})", why.because, why.paragraph)))
            })
            .table()
    }

    fn games<'g>(title: String, games: impl IntoIterator<Item = &'g GameExplanation>) -> Table {
        let name = |game: &GameExplanation| {
            let number = game.number.map(|number| number.to_string());
            let name = number.or_else(|| game.game.as_ref().map(ToString::to_string));
            name.unwrap_or_else(|| format!("no. {} of the record", game.listed))
        };
        Table::of(title, games)
            .column("Game", |game| Cell::Text(name(game)))
            .column("Side", |game| Cell::text(if game.side == Side::Gold { "gold" } else { "silver" }))
            .column("Rated", |game| Cell::text(if game.rated { "yes" } else { "no" }))
            .column("Result", |game| Cell::text(game.result))
            .column("Started", |game| Cell::Time(game.started_at))
            .column("Over", |game| Cell::Time(game.ended_at))
            .column("Counted", |game| Cell::number(game.counted))
            .column("Weight", |game| Cell::text(game.weight))
            .column("Because", |game| Cell::text(&game.because))
            .column("Paragraph", |game| Cell::text(game.paragraph))
            .table()
    }
}

impl ToDocument for QualifierExplained {
    fn document(&self, zone: &TimeZone) -> Document {
        let mut page = self
            .heading
            .document(zone)
            .facts(vec![("Published", self.published_words())])
            .table(self.order(false));
        let readings = self.readings.iter().map(ReadingLine::in_words).collect();
        if self.player.is_none() {
            return page.lines(READINGS, readings);
        }
        for score in &self.scores {
            for benchmark in &score.benchmarks {
                let (name, points, counted) =
                    (self.name(&benchmark.benchmark), benchmark.points, benchmark.counted);
                let streak = benchmark.streak.map_or(String::new(), |(from, to)| {
                    format!(", the streak is counted games {from} to {to}")
                });
                let of =
                    |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
                let (points, counted) = (of(points.into(), "point"), of(counted.into(), "counted game"));
                let title = format!("Against {name}: {points} of {counted}{streak}");
                page = page.table(Self::games(title, &benchmark.games));
            }
            page = page.table(Self::games("Against others".to_owned(), &score.others));
        }
        page.lines(READINGS, readings)
    }

    fn table(&self) -> Table {
        match (&self.player, self.scores.as_slice()) {
            (Some(_), [score]) => {
                let games = score.benchmarks.iter().flat_map(|benchmark| &benchmark.games);
                Self::games(String::new(), games.chain(&score.others)).for_programs()
            }
            _ => self.order(true).for_programs(),
        }
    }
}
