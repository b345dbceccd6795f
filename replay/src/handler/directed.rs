//! What came of a request, for programs and as a history.

use annals_events::narrative::Narrator;
use annals_events::{EventId, Micros};
use annals_tournaments::verdict::Compliance;
use serde_json::{Value, json};

use super::append::Directed;
use super::draft::Draft;
use super::session::{DirectorSession, SessionError, game_played};
use crate::point::show;

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

    /// The events as lines of a history, then the verdicts that are more than compliant.
    ///
    /// # Errors
    /// When an event or the tournament cannot be read.
    pub fn narrative(&self, session: &DirectorSession) -> Result<Vec<String>, SessionError> {
        let time = |at: Micros| show(at, &session.zone);
        let narrator = Narrator::new(&time).of_game(game_played(&session.state()?));
        let mut lines = Vec::new();
        for draft in &self.drafts {
            lines.push(narrator.narrate(&draft.decode()?).what);
        }
        let shown = self.verdicts.iter().filter(|verdict| !matches!(verdict.holds, Compliance::Compliant));
        lines.extend(shown.map(|verdict| format!("  {verdict}")));
        Ok(lines)
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
