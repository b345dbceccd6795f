//! Games by their words on the command line.

use annals_events::GameKind;

/// The game of a word.
pub fn game_kind(text: &str) -> Result<GameKind, String> {
    let all = [GameKind::Arimaa, GameKind::Amazons];
    let found = all.into_iter().find(|kind| kind.word() == text);
    found.ok_or_else(|| format!("`{text}` is no game that is kept here; write arimaa or amazons"))
}
