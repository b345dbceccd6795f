//! What the rounds of every format share: they are numbered through, one is paired when those before it are over, it starts
//! once its colours are decided, and its pairing is revoked only before that.

use crate::rulebook::RuleId;
use annals_events::tournament::{PairingRevoked, RoundPaired, RoundStarted, Stage};
use annals_events::{Pairing, Side, TournamentEvent};

use super::round;
use crate::check::Bench;
use crate::state::Tournament;

/// An event about a round that does not stand.
pub(crate) fn never_paired(bench: &mut Bench<'_>, number: u32) {
    bench.hold(RuleId::RoundOrder, round(number), false, || {
        ("a round that is paired".to_owned(), format!("round {number} is not paired"))
    });
}

/// A round of a stage that the rulebook does not have.
pub(crate) fn no_such_stage(bench: &mut Bench<'_>, event: &TournamentEvent, stage: Stage) {
    if let TournamentEvent::RoundPaired(paired) = event {
        let stages = bench.case.rulebook.stages.iter();
        let known: Vec<String> = stages.map(|rules| rules.stage.to_string()).collect();
        bench.hold(RuleId::RoundOrder, round(paired.round), false, || {
            (
                format!("a stage of the rulebook: {}", known.join(", ")),
                format!("a round of the stage {stage}"),
            )
        });
    }
}

/// A round of a stage that is not played in rounds.
pub(crate) fn not_paired_at_all(bench: &mut Bench<'_>, event: &TournamentEvent, stage: Stage) {
    if let TournamentEvent::RoundPaired(paired) = event {
        bench.hold(RuleId::RoundOrder, round(paired.round), false, || {
            ("a stage that is played in rounds".to_owned(), format!("a round of the stage {stage}"))
        });
    }
}

/// Boards of earlier rounds that have no result.
pub(crate) fn without_result(tournament: &Tournament, before: u32) -> Vec<Pairing> {
    let earlier = tournament.rounds.range(..before);
    earlier
        .flat_map(|(&round, paired)| {
            paired.boards.iter().map(move |(&board, recorded)| (round, board, recorded))
        })
        .filter(|(_, _, recorded)| recorded.outcome().is_none())
        .map(|(round, board, _)| Pairing { round, board })
        .collect()
}

/// The number of a round and the results before it. Whether it is worth while to look at the pairing.
pub(crate) fn in_order(bench: &mut Bench<'_>, paired: &RoundPaired) -> bool {
    let tournament = bench.case.tournament;
    let next = tournament.rounds.keys().next_back().copied().unwrap_or(0).saturating_add(1);
    let open = without_result(tournament, paired.round);
    let numbered = paired.round == next;
    bench.hold(RuleId::RoundOrder, round(paired.round), numbered && open.is_empty(), || {
        if !numbered {
            let again = tournament.rounds.contains_key(&paired.round);
            let found = if again { "it is paired already and was not revoked" } else { "another number" };
            return (format!("round {next}"), format!("round {}: {found}", paired.round));
        }
        let open: Vec<String> = open.iter().map(ToString::to_string).collect();
        ("the results of all earlier rounds".to_owned(), format!("no result of {}", open.join(", ")))
    });
    boards(bench, paired);
    forfeiters(bench, paired);
    numbered && open.is_empty()
}

/// Boards are numbered from 1, each once: two pairs on one board would be one.
fn boards(bench: &mut Bench<'_>, paired: &RoundPaired) {
    let mut boards: Vec<u32> = paired.pairs.iter().map(|pair| pair.board).collect();
    boards.sort_unstable();
    let numbered = boards.iter().zip(1..).all(|(board, number)| *board == number);
    bench.hold(RuleId::RoundOrder, round(paired.round), numbered, || {
        ("boards from 1, each once".to_owned(), format!("boards {boards:?}"))
    });
}

/// Who has lost a game by forfeit plays no further round, unless an appeal on it was accepted.
fn forfeiters(bench: &mut Bench<'_>, paired: &RoundPaired) {
    // Playoffs are no further rounds: who is to play them is said by the places.
    let playoff = matches!(paired.stage, Stage::SecondPlayoff | Stage::ThirdPlayoff);
    if playoff || !bench.has(RuleId::ForfeitRemoved) {
        return;
    }
    let tournament = bench.case.tournament;
    let players = paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
    for player in players.chain(paired.byes.iter().map(|bye| &bye.player)) {
        if tournament.forfeits_of(player).next().is_some() {
            bench.hold(RuleId::ForfeitRemoved, round(paired.round), tournament.heard(player), || {
                let expected = "who forfeits a game plays no further round without an accepted appeal";
                (expected.to_owned(), format!("`{player}` forfeited a game and is paired"))
            });
        }
    }
}

/// The start of a round: it was paired, is not under way, its colours are decided, the rounds before it are over.
pub(crate) fn start(bench: &mut Bench<'_>, started: &RoundStarted) {
    let tournament = bench.case.tournament;
    let Some(recorded) = tournament.rounds.get(&started.round) else { return };
    let open = without_result(tournament, started.round);
    let first = bench.side(Side::Gold);
    let colourless: Vec<String> = recorded
        .boards
        .iter()
        .filter(|(_, board)| board.gold().is_none())
        .map(|(board, _)| Pairing { round: started.round, board: *board }.to_string())
        .collect();
    let stranger = started
        .pairing
        .filter(|pairing| pairing.round != started.round || !recorded.boards.contains_key(&pairing.board));
    let fault = if recorded.started_at.is_some() {
        Some(("one start".to_owned(), "the round has started already".to_owned()))
    } else if !open.is_empty() {
        let open: Vec<String> = open.iter().map(ToString::to_string).collect();
        Some(("the results of all earlier rounds".to_owned(), format!("no result of {}", open.join(", "))))
    } else if !colourless.is_empty() {
        Some((
            "colours for every board".to_owned(),
            format!("nobody has {first} in {}", colourless.join(", ")),
        ))
    } else {
        stranger.map(|pairing| {
            let found = format!("{pairing}, which is no board of it");
            (format!("a board of round {}", started.round), found)
        })
    };
    let holds = fault.is_none();
    bench.hold(RuleId::RoundOrder, round(started.round), holds, || fault.unwrap_or_default());
}

/// A revocation: only before the round has started, and only of what stands.
pub(crate) fn revocation(bench: &mut Bench<'_>, revoked: &PairingRevoked) {
    let Some(recorded) = bench.case.tournament.rounds.get(&revoked.round) else { return };
    let subject = match revoked.board {
        Some(board) => Pairing { round: revoked.round, board }.into(),
        None => round(revoked.round),
    };
    let stands = revoked.board.is_none_or(|board| recorded.boards.contains_key(&board));
    let later = bench.case.tournament.rounds.keys().next_back().copied().filter(|last| *last > revoked.round);
    let begun = recorded.has_begun();
    let holds = stands && !begun && later.is_none();
    bench.hold(RuleId::RoundRevoked, subject, holds, || {
        if !stands {
            ("a board that is paired".to_owned(), "no such board".to_owned())
        } else if begun {
            ("a revocation before the first game begins".to_owned(), "the round has started".to_owned())
        } else {
            let later = later.unwrap_or(revoked.round);
            ("nothing paired after it".to_owned(), format!("round {later} is paired"))
        }
    });
}
