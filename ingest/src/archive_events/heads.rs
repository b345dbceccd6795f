//! The head of a row: players, times, event, result.

use std::borrow::Cow;
use std::collections::HashSet;

use annals_events::{Micros, PlayerAtStart, PlayerKind, Side, Termination};

use crate::game_record::{Header, StatedResult};
use crate::row::Row;
use crate::source::{Blocks, Piece, RowStatus, SourceFile};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    pub name: String,
    pub account: Option<u64>,
    pub kind: Option<PlayerKind>,
    pub rating: Option<i32>,
    pub country: Option<String>,
}

impl Seat {
    /// By account if both rows have one, else by name.
    #[must_use]
    pub fn is(&self, other: &Seat) -> bool {
        match (self.account, other.account) {
            (Some(a), Some(b)) => a == b,
            _ => self.name.to_lowercase() == other.name.to_lowercase(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub id: u64,
    pub source: String,
    pub line: u64,
    pub seats: [Seat; 2],
    /// Trimmed.
    pub event: String,
    pub time_control: String,
    /// If the row states it.
    pub rated: Option<bool>,
    pub started_at: Option<Micros>,
    pub ended_at: Option<Micros>,
    pub result: StatedResult,
    pub termination: Option<Termination>,
}

impl Head {
    #[must_use]
    pub fn seat(&self, side: Side) -> &Seat {
        let [gold, silver] = &self.seats;
        if side == Side::Gold { gold } else { silver }
    }
}

/// A row that is not a game of two players, or a source that is not an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    pub source: String,
    /// None for a whole source.
    pub line: Option<u64>,
    pub code: &'static str,
    pub reason: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeadCounts {
    pub rows: u64,
    /// With the reasons.
    pub unread: Vec<Unread>,
}

/// Reads the heads of archive files, packed or not, in order. Repeated games and games of a player against themselves
/// are unread.
pub fn heads(files: &[SourceFile], mut each: impl FnMut(Head)) -> HeadCounts {
    let mut counts = HeadCounts::default();
    let mut seen = HashSet::new();
    for piece in Blocks::new(files, |id| !seen.insert(id)) {
        match piece {
            Piece::Block(block) => {
                let source = &block.source.name;
                for at in &block.rows {
                    counts.rows += 1;
                    let unread =
                        |code, reason| Unread { source: source.clone(), line: Some(at.line), code, reason };
                    let found = match &at.status {
                        RowStatus::New { id } => {
                            let row = Row::read(&block.columns, block.row_text(at));
                            head(*id, source, at.line, &row.header).map_err(|(code, why)| unread(code, why))
                        }
                        RowStatus::Duplicate { id } => {
                            Err(unread("duplicate", format!("a row of game {id} came before")))
                        }
                        RowStatus::Rejected(reason) => Err(unread(reason.code(), reason.to_string())),
                    };
                    match found {
                        Ok(head) => each(head),
                        Err(unread) => counts.unread.push(unread),
                    }
                }
            }
            // Heads are those of archives.
            Piece::Games(_) => {}
            Piece::End(end) => counts.unread.extend(end.incomplete.map(|why| Unread {
                source: end.source.name.clone(),
                line: None,
                code: "incomplete_source",
                reason: format!("it could not be read to its end: {why}"),
            })),
            Piece::Rejected(rejected) => counts.unread.push(Unread {
                source: rejected.source.name.clone(),
                line: None,
                code: rejected.reason.code(),
                reason: rejected.reason.to_string(),
            }),
        }
    }
    counts
}

fn head(id: u64, source: &str, line: u64, header: &Header<'_>) -> Result<Head, (&'static str, String)> {
    let seats = [seat(&header.gold), seat(&header.silver)];
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().unwrap_or_default().trim().to_owned();
    let [Some(gold), Some(silver)] = seats else {
        return Err(("no_player", format!("game {id} does not name both of its players")));
    };
    if gold.is(&silver) {
        return Err(("oneself", format!("game {id} is of `{}` against themselves", gold.name)));
    }
    Ok(Head {
        id,
        source: source.to_owned(),
        line,
        seats: [gold, silver],
        event: text(&header.event),
        time_control: text(&header.time_control),
        rated: header.rated,
        started_at: header.started_at,
        ended_at: header.ended_at,
        result: header.result,
        termination: header.termination,
    })
}

fn seat(player: &PlayerAtStart<'_>) -> Option<Seat> {
    let name = player.name.trim();
    let country = player.country.as_deref().map(str::trim).filter(|country| !country.is_empty());
    (!name.is_empty()).then(|| Seat {
        name: name.to_owned(),
        account: player.player_id,
        kind: player.kind,
        rating: player.rating,
        country: country.map(str::to_owned),
    })
}
