//! The rejected turns of a game of the dataset, as remarks on the places where they happened.

use annals_events::{GameKind, Side};
use annals_replay::remarks::{Remark, RemarkKind};
use annals_rules::TurnLabel;
use serde::Deserialize;

use crate::session::Session;
use crate::{Error, Reads};

/// A row of `rejected_turns`.
#[derive(Deserialize)]
struct RejectedTurnRow {
    seq: i64,
    kind: String,
    ply: i64,
    number: Option<u32>,
    side: Option<Side>,
    steps: String,
    reason: Option<String>,
    illegal_reason: Option<String>,
}

/// Turns that the server rejected or that were taken back, and the illegal one at which the game stops, in the order of
/// the record.
///
/// # Errors
/// If the dataset cannot be read.
pub fn remarks_of_game(
    session: &Session,
    game_id: u64,
    kind: GameKind,
) -> Result<(Vec<Remark>, Reads), Error> {
    let (rows, reads) = session.of_key("rejected_turns", ("game_id", game_id), |_| true)?;
    let mut rows: Vec<RejectedTurnRow> = rows.into_iter().map(|(_, row)| row).collect();
    rows.retain(|row| row.kind != "unplayed");
    rows.sort_by_key(|row| row.seq);
    Ok((rows.into_iter().map(|row| row.remark(kind)).collect(), reads))
}

impl RejectedTurnRow {
    fn remark(self, game: GameKind) -> Remark {
        let kind = match self.kind.as_str() {
            "rejected" => RemarkKind::Rejected,
            "taken back" => RemarkKind::TakenBack,
            _ => RemarkKind::Illegal,
        };
        let label = self.number.zip(self.side).map(|(number, side)| TurnLabel { number, side }.text_in(game));
        Remark {
            place: usize::try_from(self.ply.saturating_sub(1)).unwrap_or_default(),
            seq: None,
            kind,
            turn: label,
            steps: Some(self.steps).filter(|steps| !steps.is_empty()),
            reason: self.reason,
            rule: self.illegal_reason,
            code: None,
        }
    }
}
