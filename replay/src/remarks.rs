//! What happened in a game at the place of a turn without being one: rejected turns, turns taken back, and findings.

use annals_events::{Event, Family, GameEvent, StreamName};
use annals_rules::TurnLabel;
use annals_store::Log;
use serde::Serialize;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::game::GameReplay;
use crate::projection::Projection;
use crate::read::{of_family, state_at};
use crate::timeline::EffectiveEvent;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// The server rejected a turn.
    Rejected,
    /// The last turn was taken back.
    TakenBack,
    /// A stored game ends before this turn, which the rules reject.
    Illegal,
    /// The record and the rules disagree.
    Finding,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// Turns in force before the turn to which it belongs.
    pub place: usize,
    /// The event; none of a game of the dataset.
    pub seq: Option<u64>,
    pub kind: RemarkKind,
    /// The turn that was rejected or taken back.
    pub turn: Option<String>,
    pub steps: Option<String>,
    /// The reason as recorded; of a finding what was found.
    pub reason: Option<String>,
    /// Why the rules reject a turn that the server rejected; none if they allow it.
    pub rule: Option<String>,
    /// The code of a finding.
    pub code: Option<&'static str>,
}

/// A game with its remarks, in log order.
#[derive(Debug, Default)]
pub struct RemarkedGame {
    pub replay: GameReplay,
    pub remarks: Vec<Remark>,
}

impl RemarkedGame {
    /// # Errors
    /// As [`game_at`](crate::game_at).
    pub fn at(log: &Log, stream: &StreamName, cut: &Cut) -> Result<RemarkedGame, ReplayError> {
        of_family(stream, Family::Game)?;
        state_at(log, stream, cut)
    }

    /// The remark on an event that is not folded yet.
    fn remark_on(&self, seq: u64, event: &GameEvent<'_>) -> Option<Remark> {
        let game = self.replay.game();
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let label = |number, side| Some(TurnLabel { number, side }.text_in(self.replay.kind()));
        let seq = Some(seq);
        let remark = |place, kind| Remark {
            place,
            seq,
            kind,
            turn: None,
            steps: None,
            reason: None,
            rule: None,
            code: None,
        };
        match event {
            GameEvent::TurnRejected(turn) => Some(Remark {
                turn: label(turn.number, turn.side),
                steps: text(&turn.steps),
                reason: text(&turn.reason),
                ..remark(game.plies().len(), RemarkKind::Rejected)
            }),
            GameEvent::TurnRetracted(retracted) => {
                let (last, before) = game.plies().split_last()?;
                Some(Remark {
                    turn: label(last.number, last.side),
                    steps: self.replay.words(before.len()).and_then(text),
                    reason: retracted.reason.as_deref().and_then(text),
                    ..remark(before.len(), RemarkKind::TakenBack)
                })
            }
            _ => None,
        }
    }

    /// Findings after the first `known` belong to the turn that `place` turns precede.
    fn add_findings(&mut self, known: usize, place: usize) {
        self.remarks.extend(self.replay.findings().iter().skip(known).map(|finding| Remark {
            place,
            seq: Some(finding.seq),
            kind: RemarkKind::Finding,
            turn: None,
            steps: None,
            reason: Some(finding.message.clone()),
            rule: None,
            code: Some(finding.code),
        }));
    }
}

impl Projection for RemarkedGame {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        let (known, place) = (self.replay.findings().len(), self.replay.game().plies().len());
        let remark = match event.decode().map(|entry| entry.event) {
            Ok(Event::Game(game_event)) => self.remark_on(event.seq, &game_event),
            _ => None,
        };
        self.replay.apply(event);
        self.remarks.extend(remark.map(|remark| match remark.kind {
            RemarkKind::Rejected => Remark { rule: self.replay.last_rule().map(str::to_owned), ..remark },
            _ => remark,
        }));
        self.add_findings(known, place);
    }

    fn happens_later(&mut self, event: &EffectiveEvent<'_>) {
        self.replay.happens_later(event);
    }

    fn find(&mut self, finding: Finding) {
        let (known, place) = (self.replay.findings().len(), self.replay.game().plies().len());
        self.replay.find(finding);
        self.add_findings(known, place);
    }
}

#[cfg(test)]
mod tests {
    use annals_events::{GameKind, Side, Started, TurnRejected, TurnRetracted, TurnTaken};
    use annals_store::FoldEvent;

    use super::*;

    fn folded(events: Vec<GameEvent<'_>>) -> RemarkedGame {
        let mut game = RemarkedGame::default();
        for (seq, event) in (1..).zip(events) {
            let event = Event::Game(event);
            let payload = event.to_payload().unwrap();
            let (at, event_type) = (seq as i64, event.event_type());
            game.apply(&EffectiveEvent::as_recorded(&FoldEvent {
                seq,
                stream: "game/one",
                event_type: event_type.name(),
                schema: event_type.schema(),
                effective_at: at,
                recorded_at: at,
                actor: "server",
                payload: payload.as_str(),
            }));
        }
        game
    }

    #[test]
    fn a_rejected_and_a_retracted_turn_belong_to_the_turn_at_which_they_happened() {
        let taken = |number, side, steps| GameEvent::TurnTaken(TurnTaken::plain(number, side, steps));
        let rejected = |steps: &'static str| {
            let (number, side, reason) = (1, Side::Silver, "blocked".into());
            GameEvent::TurnRejected(TurnRejected { number, side, steps: steps.into(), reason })
        };
        let game = folded(vec![
            GameEvent::Started(Box::new(Started::plain(GameKind::Amazons, None))),
            taken(1, Side::Gold, "d1-d2(d3)"),
            rejected("d10-d1(d5)"),
            rejected("d10-d9(d8)"),
            taken(1, Side::Silver, "d10-d9(d8)"),
            GameEvent::TurnRetracted(TurnRetracted { reason: Some("a slip".into()) }),
        ]);
        let found: Vec<_> = game
            .remarks
            .iter()
            .map(|remark| {
                (
                    remark.seq.unwrap(),
                    remark.kind,
                    remark.place,
                    remark.steps.as_deref(),
                    remark.rule.is_some(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (3, RemarkKind::Rejected, 1, Some("d10-d1(d5)"), true),
                (4, RemarkKind::Rejected, 1, Some("d10-d9(d8)"), false),
                (4, RemarkKind::Finding, 1, None, false),
                (6, RemarkKind::TakenBack, 1, Some("d10-d9(d8)"), false),
            ]
        );
        assert_eq!(game.remarks[0].turn.as_deref(), Some("1b"));
        assert_eq!(game.remarks[0].reason.as_deref(), Some("blocked"));
        assert_eq!(game.remarks[2].code, Some("rejection_disagrees"));
        assert_eq!(game.remarks[3].reason.as_deref(), Some("a slip"));
    }
}
