//! Narratives of rounds: lots, pairings, colours, games, results.

use super::narrator::{Narrative, Narrator};
use super::wording::{
    Why, because, counted, digest, draw, ending, equals, list, measures, outcome, part, plain, points,
    score_measures, stage,
};
use crate::tournament::{
    Bye, ColourChosen, ColourDrawn, ForfeitClaimed, GameAttached, GameScheduled, Lot, LotsDrawn, Outcome,
    Pair, PairingRevoked, ProgramDigest, Ranked, ResultRecorded, RoundPaired, RoundStarted,
};
use crate::vocabulary::Side;

pub fn lots_drawn(narrator: &Narrator<'_>, e: &LotsDrawn) -> Narrative {
    let lots: Vec<String> =
        e.lots.iter().map(|lot: &Lot| format!("{} {}", narrator.name(&lot.player), lot.number)).collect();
    let lots = if lots.is_empty() { "none".to_owned() } else { lots.join(", ") };
    plain(format!("Lots were drawn for round {} {}: {lots}.", e.round, draw(&e.draw)))
}

pub fn paired(narrator: &Narrator<'_>, e: &RoundPaired) -> Narrative {
    let pairs: Vec<String> = e.pairs.iter().map(|of| pair(narrator, of)).collect();
    let pairs = if pairs.is_empty() { "no pairs".to_owned() } else { pairs.join("; ") };
    let byes: Vec<String> = e.byes.iter().map(|of| bye(narrator, of)).collect();
    let byes = if byes.is_empty() { String::new() } else { format!("; bye: {}", list(&byes)) };
    let inferred =
        if e.inferred { " This was inferred from the games; no director published it." } else { "" };
    let what = format!("Round {} of {} was paired: {pairs}{byes}.{inferred}", e.round, stage(e.stage));
    let mut rests = Vec::new();
    if !e.measures.is_empty() {
        rests.push(format!("The pairing measures {}.", measures(narrator, &e.measures)));
    }
    rests.extend(e.equals.map(|n| super::wording::sentence(&equals(n))));
    if !e.order.is_empty() {
        let order: Vec<String> = e.order.iter().map(|place| ranked(narrator, place)).collect();
        rests.push(format!("It rests on the order {}.", order.join(", ")));
    }
    let colours = e.pairs.iter().filter_map(|pair| pair.colour.as_ref());
    let byes = e.byes.iter().flat_map(|bye| &bye.grounds);
    let rests = rests.join(" ");
    let rests = (!rests.is_empty()).then_some(rests.as_str());
    because(what, Why::default().reason(rests).grounds(colours.chain(byes)))
}

fn pair(narrator: &Narrator<'_>, pair: &Pair) -> String {
    let encounter = part(pair.encounter, |n| format!(" (encounter {n})"));
    match (pair.player(Side::Gold), pair.player(Side::Silver)) {
        (Some(gold), Some(silver)) => {
            let (first, gold, silver) =
                (narrator.side(Side::Gold), narrator.name(gold), narrator.name(silver));
            format!("board {}, {gold} as {first} against {silver}{encounter}", pair.board)
        }
        _ => format!(
            "board {}, {} against {}, colours still open{encounter}",
            pair.board,
            narrator.name(&pair.upper),
            narrator.name(&pair.lower)
        ),
    }
}

fn bye(narrator: &Narrator<'_>, bye: &Bye) -> String {
    let worth = part(bye.half_points, |halves| match halves {
        2 => " (worth 1 point)".to_owned(),
        halves => format!(" (worth {} points)", points(halves)),
    });
    format!("{}{worth}", narrator.name(&bye.player))
}

fn ranked(narrator: &Narrator<'_>, ranked: &Ranked) -> String {
    let rests = if ranked.measures.is_empty() {
        String::new()
    } else {
        format!(" ({})", score_measures(narrator, &ranked.measures))
    };
    format!("{}. {}{rests}", ranked.rank, narrator.name(&ranked.player))
}

pub fn pairing_revoked(e: &PairingRevoked) -> Narrative {
    let what = match e.board {
        Some(board) => {
            format!("The pairing of round {}, board {board}, was revoked: it counts as never made.", e.round)
        }
        None => format!("The pairing of round {} was revoked: it counts as never made.", e.round),
    };
    because(what, Why::default().reason(e.reason.as_str()))
}

pub fn colour_drawn(narrator: &Narrator<'_>, e: &ColourDrawn) -> Narrative {
    let first = narrator.side(Side::Gold);
    let what = format!("{} drew {first} for {} {}.", narrator.name(&e.gold), e.pairing, draw(&e.draw));
    because(what, Why::default().grounds(&e.ground))
}

pub fn colour_chosen(narrator: &Narrator<'_>, e: &ColourChosen) -> Narrative {
    let what =
        format!("{} chose to play {} in {}.", narrator.name(&e.player), narrator.side(e.side), e.pairing);
    because(what, Why::default().grounds(&e.ground))
}

pub fn started(narrator: &Narrator<'_>, e: &RoundStarted) -> Narrative {
    let pairing = part(e.pairing, |pairing| format!(" with {pairing}"));
    let game = part(e.game.as_ref(), |game| format!(", game {game}"));
    let one =
        |program: &ProgramDigest| format!("{} {}", narrator.name(&program.player), digest(&program.digest));
    let programs: Vec<String> = e.programs.iter().map(one).collect();
    let programs =
        if programs.is_empty() { String::new() } else { format!(" Programs: {}.", programs.join(", ")) };
    let frozen =
        if narrator.freezes { ": from here on nothing of an earlier round can be altered" } else { "" };
    plain(format!("Round {} began{pairing}{game}{frozen}.{programs}", e.round))
}

pub fn game_scheduled(narrator: &Narrator<'_>, e: &GameScheduled) -> Narrative {
    let what = format!("The game of {} was fixed for {}.", e.pairing, narrator.at(e.at));
    because(what, Why::default().reason(e.reason.as_deref()).grounds(&e.ground))
}

pub fn game_attached(e: &GameAttached) -> Narrative {
    plain(format!("Game {} was attached to {} as attempt {}.", e.game, e.pairing, e.attempt))
}

pub fn result_recorded(narrator: &Narrator<'_>, e: &ResultRecorded) -> Narrative {
    let result = match e.outcome {
        Outcome::Gold | Outcome::Silver => outcome(narrator, e.outcome),
        Outcome::Draw => "it was a draw".to_owned(),
        Outcome::DoubleLoss => "both lost".to_owned(),
        Outcome::DoubleWin => "both won".to_owned(),
        Outcome::NoDecision => "it was played without a decision".to_owned(),
    };
    let by = part(e.termination, |how| format!(" by {}", ending(how)));
    let mut of = Vec::new();
    of.extend(e.attempt.map(|attempt| format!("attempt {attempt}")));
    of.extend(e.game.as_ref().map(|game| format!("game {game}")));
    let of = if of.is_empty() { String::new() } else { format!(" ({})", of.join(", ")) };
    let territory =
        part(e.territory, |squares| format!(", with {} of territory", counted(squares, "square")));
    let what = format!("The result of {} was recorded: {result}{by}{territory}{of}.", e.pairing);
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn forfeit_claimed(narrator: &Narrator<'_>, e: &ForfeitClaimed) -> Narrative {
    let fixed = part(e.scheduled_at, |at| format!("; the game was fixed for {}", narrator.at(at)));
    let waited = part(e.waited_until, |at| format!("; the claimant waited until {}", narrator.at(at)));
    plain(format!("{} claimed {} by forfeit{fixed}{waited}.", narrator.name(&e.claimant), e.pairing))
}
