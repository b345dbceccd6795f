//! From a game record to table rows, directly into columns, without allocation per turn.

use annals_events::{GameEvent, Side};
use annals_rules::any_game::AnyState;
use annals_rules::arimaa::{Generator, Phase, State, first_steps};
use annals_rules::clock::GameLimit;

use super::of_amazons;
use crate::archive_row::text::push_label;
use crate::archive_row::turn_of;
use crate::flags::Flag;
use crate::game_record::{GameRecord, Header};
use crate::stored_board::of_planes;
use crate::stored_games::NOT_REACHED;
use crate::tables::{GameRows, RejectedTurnRows, ServerLogRows, TurnRows};

pub fn game(out: &mut GameRows, record: &GameRecord<'_, '_>) {
    let GameRecord { header, played, provenance, .. } = record;
    let control = header.control().and_then(Result::ok);

    out.game_id.push(record.id);
    out.game.push(record.game().word());
    players(out, header);
    out.event.push(header.event.as_deref());
    out.site.push(header.site.as_deref());
    out.time_control.push(header.time_control.as_deref());
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
    out.postal.push(header.postal);
    out.started_at.push(header.started_at);
    out.ended_at.push(header.ended_at);
    let amazons = played.state().and_then(AnyState::amazons);
    out.board_size.push(amazons.map(|position| position.board().size().to_string()).as_deref());
    out.start.push(header.position.as_deref());
    out.year.push(record.year());
    out.result.push(header.result.word());
    out.termination.push(header.termination.map(annals_events::Termination::word));
    let stated = header.stated_termination.as_deref();
    out.stated_termination.push(stated.filter(|_| header.termination.is_none()));
    out.plycount.push(header.plycount);
    out.plies.push(u32::try_from(played.standing().len()).unwrap_or(u32::MAX));
    out.mode.push(header.mode.as_deref());
    out.rated.push(header.rated);
    out.corrupt.push(header.corrupt);
    let board = played.board_says();
    out.board_result.push(board.map(|outcome| outcome.winner.map_or("draw", Side::word)));
    out.board_termination.push(board.map(|outcome| outcome.termination.word()));
    let score = amazons.and_then(|position| position.score());
    out.territory.push(score.and_then(|(_, territory)| u8::try_from(territory).ok()));
    out.ending_check.push(played.ending().map_or(NOT_REACHED, |check| check.word()));
    out.status.push(if record.flags.is_empty() { "accepted" } else { "flagged" });
    out.flags.push(record.flags.iter().map(Flag::word));
    out.notes.push(record.notes);
    let illegal = played.first_illegal();
    out.illegal_ply.push(illegal.map(|illegal| illegal.ply));
    out.illegal_code.push(illegal.map(|illegal| illegal.code));
    out.illegal_reason.push(illegal.map(|illegal| illegal.reason.as_str()));
    out.has_log.push(!record.log.is_empty());
    out.resign_listed.push(record.archive.resign_listed);
    out.archive_fields.push(&record.archive.fields);
    out.source.push(provenance.source);
    // Filled in at the end of the source.
    out.source_digest.push("");
    out.byte_offset.push(provenance.byte_offset);
    out.line.push(provenance.line);
    out.row_digest.push(&hex::encode(provenance.digest));
    out.stream.push(provenance.stream);
}

fn players(out: &mut GameRows, header: &Header<'_>) {
    let Header { gold, silver, .. } = header;
    out.gold.push(&gold.name);
    out.silver.push(&silver.name);
    out.gold_id.push(gold.player_id);
    out.silver_id.push(silver.player_id);
    out.gold_kind.push(gold.kind.map(|kind| kind.word()));
    out.silver_kind.push(silver.kind.map(|kind| kind.word()));
    out.gold_title.push(gold.title.as_deref());
    out.silver_title.push(silver.title.as_deref());
    out.gold_country.push(gold.country.as_deref());
    out.silver_country.push(silver.country.as_deref());
    out.gold_rating.push(gold.rating);
    out.silver_rating.push(silver.rating);
    out.gold_k.push(gold.k);
    out.silver_k.push(silver.k);
}

pub fn turns(out: &mut TurnRows, record: &GameRecord<'_, '_>, mut counter: Option<&mut Generator>) {
    let mut label = Vec::with_capacity(8);
    for (i, (ply, event)) in record.played.standing().enumerate() {
        let Some((_, GameEvent::TurnTaken(turn))) = record.events.get(event as usize) else { continue };
        out.game_id.push(record.id);
        out.ply.push(i as u32 + 1);
        out.number.push(ply.number);
        label.clear();
        push_label(&mut label, ply.number, ply.side);
        out.label.push(std::str::from_utf8(&label).unwrap_or_default());
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
    let (frozen, mobile) = board.frozen_and_mobile(Side::Gold);
    out.gold_frozen.push(Some(frozen.count_ones() as u8));
    out.gold_mobile.push(mobile.count_ones() as u8);
    let (frozen, mobile) = board.frozen_and_mobile(Side::Silver);
    out.silver_frozen.push(Some(frozen.count_ones() as u8));
    out.silver_mobile.push(mobile.count_ones() as u8);
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

pub fn rejected_turns(out: &mut RejectedTurnRows, record: &GameRecord<'_, '_>) {
    for (seq, fallen) in (1..).zip(record.played.fallen()) {
        let Some((at, event)) = record.events.get(fallen.event as usize) else { continue };
        let (number, side, steps, reason) = match event {
            GameEvent::TurnTaken(turn) => (turn.number, turn.side, &turn.steps, None),
            GameEvent::TurnRejected(turn) => (turn.number, turn.side, &turn.steps, Some(&turn.reason)),
            _ => continue,
        };
        out.game_id.push(record.id);
        out.seq.push(seq);
        out.kind.push(fallen.fate.word());
        out.ply.push(fallen.ply);
        out.number.push(Some(number));
        out.side.push(Some(side.word()));
        out.steps.push(steps);
        out.reason.push(reason.map(|reason| reason.as_ref()));
        out.illegal_code.push(fallen.ours.as_ref().map(|(code, _)| *code));
        out.illegal_reason.push(fallen.ours.as_ref().map(|(_, reason)| reason.as_str()));
        out.agrees.push(fallen.agrees);
        out.at.push(*at);
    }
}

pub fn server_log(out: &mut ServerLogRows, record: &GameRecord<'_, '_>) {
    for line in record.log {
        out.game_id.push(record.id);
        out.line.push(line.line);
        out.at.push(line.at);
        out.utc_offset.push(line.utc_offset);
        out.kind.push(line.kind.word());
        out.number.push(line.number);
        out.side.push(line.side.map(Side::word));
        let known = turn_of(record.turns, line).map(|turn| turn.steps.as_bytes());
        let steps = line.steps.filter(|steps| Some(*steps) != known);
        out.steps.push(steps.map(String::from_utf8_lossy).as_deref());
        out.used.push(line.used);
        out.gold_reserve.push(line.gold_reserve);
        out.silver_reserve.push(line.silver_reserve);
        out.game_time.push(line.game_time);
        let text = (!line.text.is_empty()).then(|| String::from_utf8_lossy(line.text));
        out.text.push(text.as_deref());
    }
}
