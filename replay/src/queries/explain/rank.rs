//! Why one player is above another: both players' tie-breaks in rulebook order, and the first that differs.

use annals_events::tournament::Measure;
use annals_events::{BoardId, PlayerId};
use annals_report::{Cell, Document, Table, ToDocument};
use annals_tournaments::formats::{self, RankGroup};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::READINGS;
use crate::queries::Heading;
use crate::queries::error::QueryError;
use crate::queries::overview::{ReadingLine, readings_of};
use crate::queries::standings::{self, StandingRow, cell_of, measure_names};
use crate::queries::tournament_at::TournamentAt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RankExplained {
    #[serde(flatten)]
    pub heading: Heading,
    pub order: String,
    /// The higher one, or the first given if they share a rank.
    pub upper: StandingRow,
    pub lower: StandingRow,
    /// They share a rank.
    pub level: bool,
    /// By priority, with both values.
    pub measures: Vec<Compared>,
    /// The first tie-break that differs, if any.
    pub decided_by: Option<String>,
    pub answer: String,
    /// Readings in force of the texts on ranks and places.
    pub readings: Vec<ReadingLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compared {
    pub name: String,
    /// None if the player has no value.
    pub upper: Option<Vec<i64>>,
    /// None if the player has no value.
    pub lower: Option<Vec<i64>>,
}

/// Explains the order of two players.
///
/// # Errors
/// If one is not in the standings, or both are the same.
pub fn rank(
    opened: &TournamentAt<'_>,
    one: &PlayerId,
    other: &PlayerId,
) -> Result<RankExplained, QueryError> {
    let standings = standings::ask(opened);
    let order = standings.by();
    let row = |player: &PlayerId| {
        let found = standings.rows.iter().find(|row| row.player == *player);
        found.cloned().ok_or_else(|| {
            QueryError::Nothing(format!("{player} is not in the standings of {}", opened.stream))
        })
    };
    let (one, other) = (row(one)?, row(other)?);
    if one.player == other.player {
        return Err(QueryError::Nothing(format!("{} is named twice: name two players", one.player)));
    }
    let (mut upper, mut lower) = (one, other);
    if lower.rank < upper.rank {
        std::mem::swap(&mut upper, &mut lower);
    }
    let measures = compared(&upper, &lower);
    let differs = measures.iter().find(|measure| measure.upper != measure.lower);
    let level = upper.rank == lower.rank;
    let answer = match (level, differs) {
        (true, _) => format!("{} and {} share rank {}.", upper.name, lower.name, upper.rank),
        (false, None) => format!(
            "{} has rank {} and {} rank {}; what is measured does not tell them apart.",
            upper.name, upper.rank, lower.name, lower.rank
        ),
        (false, Some(measure)) => {
            let before = measures.iter().take_while(|other| other.name != measure.name);
            let same: Vec<&str> = before.map(|measure| measure.name.as_str()).collect();
            let same =
                if same.is_empty() { String::new() } else { format!("level on {}, but ", same.join(", ")) };
            format!(
                "{} is above {}: {same}{} is {} against {}.",
                upper.name,
                lower.name,
                measure.name,
                shown(&measure.name, measure.upper.as_ref()),
                shown(&measure.name, measure.lower.as_ref())
            )
        }
    };
    let answer = answer + &by_playoff(opened, &upper, &lower).unwrap_or_default();
    // The present stage does not rank two players who are not in it.
    let is_ranked = !upper.is_not_in_final || !lower.is_not_in_final;
    let texts = opened
        .rulebook()
        .ok()
        .filter(|_| is_ranked)
        .map_or(&[][..], |rulebook| formats::texts_of_ranking(opened.tournament(), rulebook));
    Ok(RankExplained {
        heading: opened.heading(&if level {
            format!("why {} and {} share a rank", upper.name, lower.name)
        } else {
            format!("why {} is above {}", upper.name, lower.name)
        }),
        order,
        level,
        decided_by: differs.filter(|_| !level).map(|measure| measure.name.clone()),
        measures,
        answer,
        readings: readings_of(opened, texts),
        upper,
        lower,
    })
}

/// That a playoff gave the lower one the better place: the ranks are those of the rounds before it.
fn by_playoff(opened: &TournamentAt<'_>, upper: &StandingRow, lower: &StandingRow) -> Option<String> {
    let (above, below) = (upper.place?, lower.place?);
    let rounds = opened.tournament().rounds.iter().filter(|(_, round)| round.stage.is_playoff());
    let playoffs: Vec<String> = rounds
        .flat_map(|(&round, paired)| {
            paired.boards.keys().map(move |&board| BoardId { round, board }.to_string())
        })
        .collect();
    (above > below && !playoffs.is_empty()).then(|| {
        format!(
            " After the playoff {} {} has place {below} and {} place {above}.",
            playoffs.join(", "),
            lower.name,
            upper.name
        )
    })
}

/// What is compared before the tie-breaks: whether a player is in the final, then what the order of the final has first.
const IN_FINAL: &str = "in the final";
const GROUPS: [(&str, RankGroup); 3] =
    [("champion", RankGroup::Champion), ("still in", RankGroup::StillIn), ("takes a place", RankGroup::Out)];

/// Both players' tie-breaks in rulebook order, else by score.
fn compared(upper: &StandingRow, lower: &StandingRow) -> Vec<Compared> {
    let of = |row: &StandingRow| -> Vec<Measure> {
        if !row.measures.is_empty() {
            return row.measures.clone();
        }
        let one = |name: &str, value: u32| Measure { name: name.to_owned(), values: vec![value.into()] };
        vec![one("points", row.half_points), one("wins", row.won)]
    };
    let (uppers, lowers) = (of(upper), of(lower));
    let mut all = Vec::new();
    let yes_or_no = |name: &str, [upper, lower]: [bool; 2]| {
        let [upper, lower] = [upper, lower].map(|holds| Some(vec![i64::from(holds)]));
        (upper != lower).then(|| Compared { name: name.to_owned(), upper, lower })
    };
    all.extend(yes_or_no(IN_FINAL, [upper, lower].map(|row| !row.is_not_in_final)));
    if let (Some(one), Some(other)) = (upper.group, lower.group) {
        let differs = |(name, last): (&str, RankGroup)| yes_or_no(name, [one <= last, other <= last]);
        all.extend(GROUPS.into_iter().find_map(differs));
    }
    let value = |all: &[Measure], name: &str| {
        all.iter().find(|measure| measure.name == name).map(|measure| measure.values.clone())
    };
    all.extend(measure_names(uppers.iter().chain(&lowers)).into_iter().map(|name| Compared {
        name: name.to_owned(),
        upper: value(&uppers, name),
        lower: value(&lowers, name),
    }));
    all
}

fn shown(name: &str, values: Option<&Vec<i64>>) -> String {
    match values {
        Some(values) if name == IN_FINAL || GROUPS.iter().any(|(group, _)| *group == name) => {
            if values == &[1] { "yes" } else { "no" }.to_owned()
        }
        Some(values) => {
            cell_of(&Measure { name: name.to_owned(), values: values.clone() }).shown(&TimeZone::UTC)
        }
        None => "not measured".to_owned(),
    }
}

impl RankExplained {
    fn rows(&self, for_programs: bool) -> Table {
        let heads = if for_programs {
            [self.upper.player.to_string(), self.lower.player.to_string()]
        } else {
            [self.upper.name.clone(), self.lower.name.clone()]
        };
        Table::of("", &self.measures)
            .column("Measure", |measure| Cell::text(&measure.name))
            .column(&heads[0], |measure| Cell::Text(shown(&measure.name, measure.upper.as_ref())))
            .column(&heads[1], |measure| Cell::Text(shown(&measure.name, measure.lower.as_ref())))
            .table()
    }
}

impl ToDocument for RankExplained {
    fn document(&self, zone: &TimeZone) -> Document {
        self.heading
            .document(zone)
            .facts(vec![
                ("By", Cell::text(&self.order)),
                ("Answer", Cell::text(&self.answer)),
                ("Tie-breaks", Cell::some(standings::counted_apart([&self.upper, &self.lower]))),
            ])
            .table(self.rows(false))
            .lines(READINGS, self.readings.iter().map(ReadingLine::in_words).collect())
    }

    fn table(&self) -> Table {
        self.rows(true)
    }
}
