//! Narratives of disputes, rulings and appeals.

use super::narrator::{Narrative, Narrator};
use super::wording::{Why, because, clock, counted, ending, failure, list, outcome, part};
use crate::ids::{BoardId, GameId};
use crate::tournament::{AppealDecided, AppealFiled, Clocks, DisputeFiled, Effect, RulingGiven};
use crate::vocabulary::Side;

pub fn dispute_filed(narrator: &Narrator<'_>, e: &DisputeFiled) -> Narrative {
    let against = part(e.against.as_ref(), |player| format!(" against {}", narrator.name(player)));
    let about = part(e.pairing, |pairing| format!(" about {pairing}"));
    let what = format!("{} filed dispute {}{against}{about}.", narrator.name(&e.by), e.number);
    because(what, Why::default().reason(e.claim.as_str()).grounds(&e.grounds).evidence(&e.evidence))
}

pub fn appeal_filed(narrator: &Narrator<'_>, e: &AppealFiled) -> Narrative {
    let against = part(e.ruling, |ruling| format!(" against ruling {ruling}"));
    let about = part(e.pairing, |pairing| format!(" about {pairing}"));
    let what = format!("{} filed appeal {}{against}{about}.", narrator.name(&e.by), e.number);
    because(what, Why::default().reason(e.claim.as_str()).evidence(&e.evidence))
}

pub fn appeal_decided(narrator: &Narrator<'_>, e: &AppealDecided) -> Narrative {
    let decided = if e.accepted { "accepted" } else { "rejected" };
    let what = format!("Appeal {} of {} was {decided}.", e.number, narrator.name(&e.by));
    because(what, Why::default().reason(e.reason.as_str()).grounds(&e.grounds))
}

pub fn given(narrator: &Narrator<'_>, e: &RulingGiven) -> Narrative {
    let dispute = part(e.dispute, |dispute| format!(" on dispute {dispute}"));
    let (instead, effect) = match (e.supersedes, &e.effect) {
        (Some(earlier), Effect::Nothing) => (String::new(), format!("ruling {earlier} is undone")),
        (earlier, new) => {
            let instead = part(earlier, |earlier| format!(", in the place of ruling {earlier}"));
            (instead, effect(narrator, new))
        }
    };
    let what = format!("Ruling {}{dispute}{instead}: {effect}.", e.number);
    because(what, Why::default().reason(e.reason.as_str()).grounds(&e.grounds).evidence(&e.evidence))
}

pub fn effect(narrator: &Narrator<'_>, effect: &Effect) -> String {
    match effect {
        Effect::Halt { pairing, game, ply, failure: cause, clocks } => format!(
            "{} is halted for {}, made unrated, and to be resumed after ply {ply}{}",
            game_of(*pairing, game.as_ref()),
            failure(*cause),
            from_clocks(narrator, *clocks)
        ),
        Effect::Invalidate { pairing, game, ply, failure: cause, clocks } => format!(
            "the result of {} is invalidated for {}, the game made unrated and to be replayed after ply {ply}{}",
            game_of(*pairing, game.as_ref()),
            failure(*cause),
            from_clocks(narrator, *clocks)
        ),
        Effect::Rematch { pairing, failure: cause } => {
            format!("{pairing} is to be played again from the start for {}", failure(*cause))
        }
        Effect::SetResult { pairing, outcome: result, termination } => {
            let by = part(*termination, |how| format!(" by {}", ending(how)));
            format!("the result of {pairing} is set: {}{by}", outcome(narrator, *result))
        }
        Effect::Vacate { pairing } => format!("{pairing} counts as never paired"),
        Effect::SetTerritory { pairing, squares } => {
            format!("the winner's territory in {pairing} is set at {}", counted(*squares, "square"))
        }
        Effect::SetRated { pairing, game, rated } => {
            let word = if *rated { "rated" } else { "unrated" };
            format!("{} is {word} from here on", game_of(*pairing, game.as_ref()))
        }
        Effect::SetColours { pairing, gold } => {
            format!("{} plays {} in {pairing}", narrator.name(gold), narrator.side(Side::Gold))
        }
        Effect::Remove { player } => format!("{} plays no more", narrator.name(player)),
        Effect::Reinstate { player } => format!("{} plays again", narrator.name(player)),
        Effect::Place { players, place } => {
            let players: Vec<String> = players.iter().map(|player| narrator.name(player)).collect();
            match players.len() {
                0 => format!("place {place} stays vacant"),
                1 => format!("{} gets place {place}", players[0]),
                _ => format!("{} share place {place}", list(&players)),
            }
        }
        Effect::Read { option, reading } => {
            format!("the option {option} of the rulebook is read as {reading} from here on")
        }
        Effect::Nothing => "nothing changes".to_owned(),
    }
}

fn game_of(pairing: BoardId, game: Option<&GameId>) -> String {
    format!("the game of {pairing}{}", part(game, |game| format!(" ({game})")))
}

fn from_clocks(narrator: &Narrator<'_>, clocks: Option<Clocks>) -> String {
    let Some(clocks) = clocks else { return ", with the clocks as they were then".to_owned() };
    let time = part(clocks.game_time, |seconds| {
        format!(", game time {}", clock(i64::try_from(seconds).unwrap_or(i64::MAX)))
    });
    format!(
        ", with reserves of {} for {} and {} for {}{time}",
        clock(clocks.gold_reserve),
        narrator.side(Side::Gold),
        clock(clocks.silver_reserve),
        narrator.side(Side::Silver)
    )
}
