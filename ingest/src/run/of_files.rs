//! Flags and located notes on a game of a game file.

use annals_events::{GameEvent, Side};

use crate::flags::{Flag, Flags};
use crate::game_files::GameFile;
use crate::playthrough::{Fate, Playthrough};

/// The reader's flags as dataset flags.
#[must_use]
pub fn flags(game: &GameFile) -> Flags {
    game.flags.iter().map(|flag| Flag::from_word(flag.code).unwrap_or(Flag::StrayLine)).collect()
}

/// Notes and the illegal move, each with line and move.
#[must_use]
pub fn notes(game: &GameFile, events: &[(Option<i64>, GameEvent<'_>)], played: &Playthrough) -> Vec<String> {
    let mut notes: Vec<String> = game
        .flags
        .iter()
        .map(|flag| format!("line {}{}: {}: {}", flag.line, at_move(flag.turn), flag.code, flag.what))
        .collect();
    let illegal = played.fallen().iter().find(|fallen| fallen.fate == Fate::Illegal);
    if let Some(fallen) = illegal
        && let Some((code, reason)) = &fallen.ours
    {
        let place = fallen.event as usize;
        let turn = match events.get(place) {
            Some((_, GameEvent::TurnTaken(turn))) => Some((turn.number, turn.side)),
            _ => None,
        };
        let line = game.turn_lines.get(place).copied().unwrap_or(game.line);
        notes.push(format!("line {line}{}: {code}: {reason}", at_move(turn)));
    }
    notes
}

fn at_move(turn: Option<(u32, Side)>) -> String {
    let colour = |side| if side == Side::Gold { "White" } else { "Black" };
    turn.map_or_else(String::new, |(number, side)| format!(", move {number} of {}", colour(side)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_readers_of_game_files_is_a_flag() {
        for code in crate::game_files::CODES {
            assert!(Flag::from_word(code).is_some(), "{code}");
        }
    }
}
