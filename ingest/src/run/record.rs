//! From a game played through to the rows of the tables. Nothing is decided here and nothing allocated for a turn: values
//! go straight from the row, its events and the plies into the columns.

use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};
use annals_rules::any_game::AnyState;
use annals_rules::arimaa::{Generator, Phase, State, first_steps};
use annals_rules::clock::{GameLimit, TimeControl};

use super::{of_amazons, of_files};
use crate::flags::{Flag, Flags, flags_of};
use crate::game_files::GameFile;
use crate::playthrough::Playthrough;
use crate::row::{Column, Row};
use crate::row_events::RowEvents;
use crate::server_log::{LogKind, LogLine};
use crate::stored_board::of_planes;
use crate::tables::{GameRows, RejectedTurnRows, ServerLogRows, TurnRows};

/// Where a row stands in its source.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Name of the source.
    pub source: &'a str,
    /// Offset of the row in the source's text.
    pub byte_offset: u64,
    /// Its line.
    pub line: u64,
    /// Its digest.
    pub digest: [u8; 16],
    /// The stream of the log that holds the game; none for a game of a file.
    pub stream: Option<&'a str>,
    /// The game file that it stands in, which says more of it than its events; none elsewhere.
    pub file: Option<&'a GameFile>,
}

/// The year by which a game is filed: that of its start, or else its end (UTC); 0 where both are unknown.
#[must_use]
pub fn year_of(row: &Row<'_>) -> i16 {
    let at = row.started_at.or(row.ended_at);
    let time = at.and_then(|at| jiff::Timestamp::from_microsecond(at).ok());
    time.map_or(0, |time| time.to_zoned(jiff::tz::TimeZone::UTC).year())
}

/// Appends the row of a game; returns what is remarkable about it.
pub fn game(
    out: &mut GameRows,
    row: &Row<'_>,
    events: &RowEvents<'_>,
    played: &Playthrough,
    place: Place<'_>,
) -> Flags {
    let control = (!row.time_control.is_empty()).then(|| TimeControl::parse(&row.time_control));
    let flags = flags_of(row, events, played, matches!(control, Some(Err(_))));
    let control = control.and_then(Result::ok);

    out.game_id.push(row.id);
    let started = started(events);
    let amazons = played.state().and_then(AnyState::amazons);
    out.game.push(started.map_or(GameKind::Arimaa, |started| started.game).word());
    players(out, row);
    out.event.push(stated(&row.event));
    out.site.push(stated(&row.site));
    out.time_control.push(stated(&row.time_control));
    out.tc_move.push(control.map(|c| c.move_time()));
    out.tc_reserve.push(control.map(|c| c.reserve()));
    out.tc_percent.push(control.map(|c| c.percent()));
    out.tc_reserve_limit.push(control.and_then(|c| c.reserve_limit()));
    let limit = control.and_then(|c| c.game_limit());
    out.tc_game_seconds.push(match limit {
        Some(GameLimit::Seconds(seconds)) => Some(seconds),
        _ => None,
    });
    out.tc_game_turns.push(match limit {
        Some(GameLimit::Turns(turns)) => Some(turns),
        _ => None,
    });
    out.tc_turn_limit.push(control.and_then(|c| c.turn_limit()));
    out.postal.push(row.postal);
    out.started_at.push(row.started_at);
    out.ended_at.push(row.ended_at);
    out.board_size.push(amazons.map(|position| position.board().size().to_string()).as_deref());
    out.start.push(started.and_then(|started| started.position.as_deref()));
    out.year.push(year_of(row));
    out.result.push(row.result.word());
    out.termination.push(row.termination.map(annals_events::Termination::word));
    let letter = row.text(Column::Termination);
    out.stated_termination.push(stated(&letter).filter(|_| row.termination.is_none()));
    out.plycount.push(row.plycount);
    out.plies.push(u32::try_from(played.standing().len()).unwrap_or(u32::MAX));
    out.mode.push(stated(&row.mode));
    out.rated.push(row.rated);
    out.corrupt.push(row.corrupt);
    let board = played.board_says();
    out.board_result.push(board.map(|outcome| outcome.winner.map_or("draw", Side::word)));
    out.board_termination.push(board.map(|outcome| outcome.termination.word()));
    let score = amazons.and_then(|position| position.score());
    out.territory.push(score.and_then(|(_, territory)| u8::try_from(territory).ok()));
    out.ending_check.push(played.ending().map_or("not_reached", |check| check.word()));
    out.status.push(if flags.is_empty() { "accepted" } else { "flagged" });
    out.flags.push(flags.iter().map(Flag::word));
    let notes = place.file.and_then(|file| of_files::notes(file, &events.events, played));
    out.notes.push(notes.as_deref());
    let illegal = played.first_illegal();
    out.illegal_ply.push(illegal.map(|illegal| illegal.ply));
    out.illegal_code.push(illegal.map(|illegal| illegal.code));
    out.illegal_reason.push(illegal.map(|illegal| illegal.reason.as_str()));
    out.has_log.push(!row.log.is_empty());
    out.source.push(place.source);
    // Known when the source was read to its end; filled in then.
    out.source_digest.push("");
    out.byte_offset.push(place.byte_offset);
    out.line.push(place.line);
    out.row_digest.push(Hex::of(&place.digest).as_str());
    out.stream.push(place.stream);
    flags
}

fn started<'e>(events: &'e RowEvents<'_>) -> Option<&'e Started<'e>> {
    events.events.iter().find_map(|(_, event)| match event {
        GameEvent::Started(started) => Some(started.as_ref()),
        _ => None,
    })
}

fn players(out: &mut GameRows, row: &Row<'_>) {
    let (gold, silver) = (&row.gold, &row.silver);
    out.gold.push(&gold.name);
    out.silver.push(&silver.name);
    out.gold_id.push(gold.id);
    out.silver_id.push(silver.id);
    out.gold_kind.push(gold.kind.map(|kind| kind.word()));
    out.silver_kind.push(silver.kind.map(|kind| kind.word()));
    out.gold_title.push(stated(&gold.title));
    out.silver_title.push(stated(&silver.title));
    out.gold_country.push(stated(&gold.country));
    out.silver_country.push(stated(&silver.country));
    out.gold_rating.push(gold.rating);
    out.silver_rating.push(silver.rating);
    out.gold_k.push(gold.k);
    out.silver_k.push(silver.k);
}

fn stated(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// Appends the turns of a game that stand.
pub fn turns(
    out: &mut TurnRows,
    id: u64,
    events: &RowEvents<'_>,
    played: &Playthrough,
    mut counter: Option<&mut Generator>,
) {
    for (i, (ply, event)) in played.standing().enumerate() {
        let Some((_, GameEvent::TurnTaken(turn))) = events.events.get(event as usize) else { continue };
        out.game_id.push(id);
        out.ply.push(i as u32 + 1);
        out.number.push(ply.number);
        out.side.push(ply.side.word());
        out.steps.push(&turn.steps);
        out.step_count.push(ply.played.steps);
        out.capture_count.push(ply.played.captures);
        out.setup.push(ply.played.setup);
        out.used.push(turn.used);
        out.gold_reserve.push(turn.gold_reserve);
        out.silver_reserve.push(turn.silver_reserve);
        out.game_time.push(turn.game_time);
        out.at.push(ply.at);
        out.clock_ok.push(ply.clock_matches);
        out.hash_before.push(ply.hash_before);
        out.hash_after.push(ply.hash_after);
        out.to_move.push(ply.state_after.to_move().word());
        match &ply.state_after {
            AnyState::Arimaa(state) => of_arimaa(out, state, counter.as_deref_mut()),
            AnyState::Amazons(position) => of_amazons::position(out, position, counter.is_some()),
        }
    }
}

/// The columns of a position of Arimaa.
fn of_arimaa(out: &mut TurnRows, state: &State, counter: Option<&mut Generator>) {
    let position = state.position();
    let board = position.board();
    let (key, flipped) = position.key();
    out.key.push(key);
    out.flipped.push(flipped);
    out.symmetry.push(None);
    out.board.push(&of_planes(board.planes()));
    let [rabbits, cats, dogs, horses, camel, elephant] = board.counts(Side::Gold).map(Some);
    out.g_rabbits.push(rabbits);
    out.g_cats.push(cats);
    out.g_dogs.push(dogs);
    out.g_horses.push(horses);
    out.g_camel.push(camel);
    out.g_elephant.push(elephant);
    let [rabbits, cats, dogs, horses, camel, elephant] = board.counts(Side::Silver).map(Some);
    out.s_rabbits.push(rabbits);
    out.s_cats.push(cats);
    out.s_dogs.push(dogs);
    out.s_horses.push(horses);
    out.s_camel.push(camel);
    out.s_elephant.push(elephant);
    out.g_queens.push(None);
    out.s_queens.push(None);
    out.gold_territory.push(None);
    out.silver_territory.push(None);
    out.gold_frozen.push(Some(board.frozen(Side::Gold).count_ones() as u8));
    out.silver_frozen.push(Some(board.frozen(Side::Silver).count_ones() as u8));
    out.gold_mobile.push(board.mobile(Side::Gold).count_ones() as u8);
    out.silver_mobile.push(board.mobile(Side::Silver).count_ones() as u8);
    let in_play = matches!(state.phase(), Phase::SetUp | Phase::Play);
    match counter.filter(|_| in_play) {
        Some(generator) => {
            out.first_steps.push(u16::try_from(first_steps(position)).ok());
            out.distinct_turns.push(u32::try_from(generator.count(position)).ok());
        }
        None => {
            out.first_steps.push(None);
            out.distinct_turns.push(None);
        }
    }
}

/// Appends the turns of a game that do not stand.
pub fn rejected_turns(out: &mut RejectedTurnRows, id: u64, events: &RowEvents<'_>, played: &Playthrough) {
    for (seq, fallen) in (1..).zip(played.fallen()) {
        let Some((at, event)) = events.events.get(fallen.event as usize) else { continue };
        let (number, side, steps, reason) = match event {
            GameEvent::TurnTaken(turn) => (turn.number, turn.side, &turn.steps, None),
            GameEvent::TurnRejected(turn) => (turn.number, turn.side, &turn.steps, Some(&turn.reason)),
            _ => continue,
        };
        out.game_id.push(id);
        out.seq.push(seq);
        out.what.push(fallen.fate.word());
        out.ply.push(fallen.ply);
        out.number.push(Some(number));
        out.side.push(Some(side.word()));
        out.steps.push(steps);
        out.reason.push(reason.map(|reason| reason.as_ref()));
        out.our_code.push(fallen.ours.as_ref().map(|(code, _)| *code));
        out.our_reason.push(fallen.ours.as_ref().map(|(_, reason)| reason.as_str()));
        out.agrees.push(fallen.agrees);
        out.at.push(*at);
    }
}

/// Appends the lines of a game's server log.
pub fn server_log(out: &mut ServerLogRows, id: u64, events: &RowEvents<'_>) {
    for line in &events.log {
        out.game_id.push(id);
        out.line.push(line.line);
        out.at.push(line.at);
        out.kind.push(line.kind.word());
        out.number.push(line.number);
        out.side.push(line.side.map(Side::word));
        let steps = line.steps.filter(|steps| !stands_in_turns(line, steps, events));
        out.steps.push(steps.map(String::from_utf8_lossy).as_deref());
        out.used.push(line.used);
        out.gold_reserve.push(line.gold_reserve);
        out.silver_reserve.push(line.silver_reserve);
        out.game_time.push(line.game_time);
        let text = (!line.text.is_empty()).then(|| String::from_utf8_lossy(line.text));
        out.text.push(text.as_deref());
    }
}

/// Whether the steps of a line are those of the turn that it became.
fn stands_in_turns(line: &LogLine<'_>, steps: &[u8], events: &RowEvents<'_>) -> bool {
    let event = line.event.and_then(|event| events.events.get(event as usize));
    match event {
        Some((_, GameEvent::TurnTaken(TurnTaken { steps: played, .. }))) => {
            line.kind == LogKind::MoveReceived && played.as_bytes() == steps
        }
        _ => false,
    }
}

/// Sixteen bytes in hexadecimal, without allocation.
pub struct Hex([u8; 32]);

impl Hex {
    /// The digits of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8; 16]) -> Hex {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut digits = [0; 32];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        Hex(digits)
    }

    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Back from its digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<[u8; 16]> {
        let digits: &[u8; 32] = text.as_bytes().try_into().ok()?;
        let value = |digit: u8| char::from(digit).to_digit(16);
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = (value(pair[0])? << 4 | value(pair[1])?) as u8;
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_survives_its_digits() {
        let bytes = [0, 1, 0x9a, 0xff, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        let hex = Hex::of(&bytes);
        assert_eq!(hex.as_str(), "00019aff0405060708090a0b0c0d0e0f");
        assert_eq!(Hex::parse(hex.as_str()), Some(bytes));
        assert_eq!(Hex::parse("0"), None);
    }
}
