//! Writes games of Arimaa as header lines and moves (`docs/reference/game-files.md`). There is no reader.

use annals_events::Side;

use super::dates;
use super::ending;
use super::record::one_line;
use crate::archive_row::{MoveListEntry, StoredGame, next_label};

#[must_use]
pub fn write(game: &StoredGame<'_, '_>) -> String {
    let header = game.header;
    let mut out = String::new();
    let mut say = |key: &str, value: &str| {
        let value = one_line(value);
        if !value.is_empty() {
            out += &format!("{key}: {value}\n");
        }
    };
    let yes = |said: Option<bool>| said.map_or("", |yes| if yes { "yes" } else { "no" });
    let time = |at: Option<i64>| at.and_then(dates::date_or_time).unwrap_or_default();
    say("Game", &game.id.to_string());
    for (key, side) in [("Gold", Side::Gold), ("Silver", Side::Silver)] {
        let player = header.player(side);
        say(key, &player.name);
        say(&format!("{key} rating"), &player.rating.map_or_else(String::new, |rating| rating.to_string()));
        say(&format!("{key} kind"), player.kind.map_or("", |kind| kind.word()));
    }
    say("Event", header.event.as_deref().unwrap_or_default());
    say("Site", header.site.as_deref().unwrap_or_default());
    say("Date", &time(header.started_at));
    say("Ended", &time(header.ended_at));
    say("Rated", yes(header.rated));
    say("Postal", yes(header.postal));
    say("Time", header.time_control.as_deref().unwrap_or_default());
    say("Position", header.position.as_deref().unwrap_or_default());
    say("Result", &game.ended().map_or_else(|| "*".to_owned(), |ended| ending::to_list(&ended, None)));
    out.push('\n');
    for said in game.said() {
        match said {
            MoveListEntry::Turn(turn) => {
                let (number, letter) = (turn.number, turn.side.archive_letter());
                out += &format!("{number}{letter} {}", one_line(&turn.steps));
                out += &turn.used.map_or_else(String::new, |used| format!(" {used}s"));
                out.push('\n');
            }
            MoveListEntry::Takeback(turn) => {
                let (number, side) = next_label(turn.number, turn.side);
                out += &format!("{number}{} takeback\n", side.archive_letter());
            }
        }
    }
    out
}
