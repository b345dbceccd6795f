//! The result of a request, for programs and as text.

use annals_events::narrative::Narrator;
use annals_events::tournament::{PlayerWithdrawn, TournamentEvent};
use annals_events::{BoardId, Event, EventId, LogEvent, Micros, PlayerId};
use annals_tournaments::formats::RankedPlayer;
use annals_tournaments::rulebook::RuleId;
use annals_tournaments::verdict::{Compliance, Verdict};
use annals_tournaments::{Tournament, formats};
use serde_json::{Value, json};

use super::append::Directed;
use super::draft::Draft;
use super::session::{DirectorSession, SessionError, game_played};
use crate::point::show;
use crate::queries::{freezes, rulebook_of};
use crate::tournament_audit::without_place;

impl Directed {
    /// The events with their verdicts, and their place in the log.
    ///
    /// # Errors
    /// When an event cannot be written.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let events = self.drafts.iter().map(Draft::to_json).collect::<Result<Vec<Value>, _>>()?;
        Ok(json!({
            "dry_run": self.appended.is_none(),
            "events": events,
            "verdicts": self.verdicts,
            "first_seq": self.appended.map(|appended| appended.first_seq),
            "last_seq": self.appended.map(|appended| appended.last_seq),
            "receipt": self.appended.map(|appended| appended.head.to_string()),
        }))
    }

    /// The events as lines of a history, the verdicts that are more than compliant, and the receipt if they
    /// were appended.
    ///
    /// # Errors
    /// When an event or the tournament cannot be read.
    pub fn lines(&self, session: &DirectorSession) -> Result<Vec<String>, SessionError> {
        let time = |at: Micros| show(at, &session.zone);
        let state = session.state()?;
        let freezes = rulebook_of(&state).is_ok_and(|rulebook| freezes(&rulebook));
        let narrator = Narrator::new(&time).of_game(game_played(&state)).freezing(freezes);
        let mut lines = Vec::new();
        for draft in &self.drafts {
            let entry = draft.decode()?;
            let narrative = match &entry.event {
                Event::Log(LogEvent::Correction(correction)) => {
                    let corrected = session.log.event(correction.corrects)?;
                    let of = corrected.as_ref().map_or("", |event| event.event_type.as_str());
                    narrator.tell_correction(correction, of)
                }
                _ => narrator.narrate(&entry),
            };
            lines.push(narrative.what);
        }
        let shown = self.verdicts.iter().filter(|verdict| !matches!(verdict.holds, Compliance::Compliant));
        lines.extend(shown.map(|verdict| format!("  {verdict}")));
        lines.extend(self.appended.map(|appended| appended.head.to_string()));
        Ok(lines)
    }

    /// The notes: the positions in the log, or that nothing was appended.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        match self.appended.map(|appended| (appended.first_seq, appended.last_seq)) {
            Some((first, last)) if first == last => vec![format!("appended event {first}")],
            Some((first, last)) => vec![format!("appended events {first} to {last}")],
            None => {
                // One line for several equal verdicts.
                let mut notes: Vec<String> = Vec::new();
                for verdict in self.verdicts.iter().map(ToString::to_string) {
                    if !notes.contains(&verdict) {
                        notes.push(verdict);
                    }
                }
                notes.push("a dry run; nothing was appended".to_owned());
                notes
            }
        }
    }

    /// The players who leave.
    fn withdrawn(&self) -> Result<Vec<PlayerId>, SessionError> {
        let mut players = Vec::new();
        for draft in &self.drafts {
            let Event::Tournament(event) = draft.decode()?.event else { continue };
            if let TournamentEvent::PlayerWithdrawn(PlayerWithdrawn { player, .. }) = *event {
                players.push(player);
            }
        }
        Ok(players)
    }

    /// Games not begun of players who leave, each a forfeit that is still to be recorded.
    ///
    /// # Errors
    /// When an event cannot be read.
    pub fn forfeits_due(&self, tournament: &Tournament) -> Result<Vec<(BoardId, PlayerId)>, SessionError> {
        let mut due = Vec::new();
        for player in self.withdrawn()? {
            let left = tournament.entrants.get(&player).and_then(|entrant| entrant.left.as_ref());
            for (&round, paired) in &tournament.rounds {
                let had_begun = |board: u32| {
                    paired.started(board).is_some_and(|began| left.is_none_or(|left| began < left.at))
                };
                let boards = paired.boards.iter().filter(|(number, board)| {
                    let open = board.has(&player) && board.outcome().is_none();
                    open && board.last_attempt() == 0 && !had_begun(**number)
                });
                due.extend(boards.map(|(&board, _)| (BoardId { round, board }, player.clone())));
            }
        }
        Ok(due)
    }

    /// Players who leave, and whom the present stage would pair in no further round if they were in.
    ///
    /// # Errors
    /// When an event cannot be read.
    pub fn was_out(&self, tournament: &Tournament) -> Result<Vec<PlayerId>, SessionError> {
        let mut out = Vec::new();
        for player in self.withdrawn()? {
            let mut without = tournament.clone();
            without.entrants.entry(player.clone()).and_modify(|entrant| entrant.left = None);
            let ranking =
                rulebook_of(tournament).ok().and_then(|book| formats::ranking(&without, &book).ok());
            let is_out = |ranking: Vec<RankedPlayer>| {
                !ranking.is_empty() && !ranking.iter().any(|line| line.player == player && line.active)
            };
            if !tournament.rounds.is_empty() && ranking.is_some_and(is_out) {
                out.push(player);
            }
        }
        Ok(out)
    }

    /// Other entrants with the name of a player who enters.
    ///
    /// # Errors
    /// When an event cannot be read.
    pub fn namesakes(&self, tournament: &Tournament) -> Result<Vec<(PlayerId, String)>, SessionError> {
        let mut found = Vec::new();
        for draft in &self.drafts {
            let Event::Tournament(event) = draft.decode()?.event else { continue };
            let TournamentEvent::PlayerRegistered(entry) = *event else { continue };
            let others = tournament.entrants.iter().filter(|(player, entrant)| {
                **player != entry.player && entrant.name.to_lowercase() == entry.name.to_lowercase()
            });
            found.extend(others.map(|(player, entrant)| (player.clone(), entrant.name.clone())));
        }
        Ok(found)
    }

    fn closes(&self) -> bool {
        self.drafts.iter().any(|draft| draft.event_type == "tournament.closed")
    }

    /// Players who withdrew and get no place at a close, each with the reason.
    pub fn left_out_at_close(&self, tournament: &Tournament) -> Vec<String> {
        let places = rulebook_of(tournament).ok().filter(|_| self.closes());
        let places = places.and_then(|rulebook| formats::places(tournament, &rulebook).ok());
        places.unwrap_or_default().left_out.iter().map(without_place).collect()
    }

    /// The rules that a close leaves undetermined.
    pub fn undetermined_at_close(&self) -> impl Iterator<Item = RuleId> {
        let closes = self.closes();
        let undetermined =
            move |verdict: &&Verdict| closes && matches!(verdict.holds, Compliance::Undetermined { .. });
        self.verdicts.iter().filter(undetermined).map(|verdict| verdict.rule.id)
    }
}

impl Draft {
    /// The event as `annals log append` reads it.
    ///
    /// # Errors
    /// When its payload is not JSON.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let payload: Value = serde_json::from_str(self.payload.as_str())?;
        let mut line = json!({
            "stream": self.stream, "type": self.event_type, "payload": payload, "effective_at": self.effective_at,
        });
        if let (Some(id), Some(fields)) = (self.id, line.as_object_mut()) {
            fields.insert("id".to_owned(), json!(EventId::to_string(&id)));
        }
        Ok(line)
    }
}
