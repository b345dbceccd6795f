//! Common to all formats: rounds are numbered consecutively, paired after the previous ones, started once
//! colours are decided, and revoked only before that.

use std::collections::BTreeSet;

use crate::rulebook::RuleId;
use annals_events::tournament::{PairingRevoked, RoundPaired, RoundStarted, Stage};
use annals_events::{BoardId, PlayerId, Side, TournamentEvent};

use crate::check::checker::Checker;
use crate::formats::meetings::numbered;
use crate::state::{Board, Entrant, Round, Tournament, pairs_who_left};
use crate::subject::Subject;

/// An event about a round that is not paired.
pub(crate) fn never_paired(check: &mut Checker<'_>, number: u32) {
    check.hold(RuleId::RoundOrder, Subject::Round(number), false, || {
        ("a round that is paired".to_owned(), format!("round {number} is not paired"))
    });
}

pub(crate) fn no_such_stage(check: &mut Checker<'_>, event: &TournamentEvent, stage: Stage) {
    if let TournamentEvent::RoundPaired(paired) = event {
        let stages = check.case.rulebook.stages.iter();
        let known: Vec<String> = stages.map(|rules| rules.stage.to_string()).collect();
        check.hold(RuleId::RoundOrder, Subject::Round(paired.round), false, || {
            (
                format!("a stage of the rulebook: {}", known.join(", ")),
                format!("a round of the stage {stage}"),
            )
        });
    }
}

pub(crate) fn not_paired_at_all(check: &mut Checker<'_>, event: &TournamentEvent, stage: Stage) {
    if let TournamentEvent::RoundPaired(paired) = event {
        check.hold(RuleId::RoundOrder, Subject::Round(paired.round), false, || {
            ("a stage that is played in rounds".to_owned(), format!("a round of the stage {stage}"))
        });
    }
}

pub(crate) fn without_result(tournament: &Tournament, before: u32) -> Vec<BoardId> {
    let earlier = tournament.rounds.range(..before);
    earlier
        .flat_map(|(&round, paired)| {
            paired.boards.iter().map(move |(&board, recorded)| (round, board, recorded))
        })
        .filter(|(_, _, recorded)| recorded.outcome().is_none())
        .map(|(round, board, _)| BoardId { round, board })
        .collect()
}

/// The number of a round and earlier results. Returns whether to check the pairing.
pub(crate) fn in_order(check: &mut Checker<'_>, paired: &RoundPaired) -> bool {
    let tournament = check.case.tournament;
    let next = tournament.next_round();
    let open = without_result(tournament, paired.round);
    let numbered = paired.round == next;
    check.hold(RuleId::RoundOrder, Subject::Round(paired.round), numbered && open.is_empty(), || {
        if !numbered {
            let again = tournament.rounds.contains_key(&paired.round);
            let found = if again { "it is paired already and was not revoked" } else { "another number" };
            return (format!("round {next}"), format!("round {}: {found}", paired.round));
        }
        let open: Vec<String> = open.iter().map(ToString::to_string).collect();
        ("the results of all earlier rounds".to_owned(), format!("no result of {}", open.join(", ")))
    });
    boards(check, paired);
    forfeiters(check, paired);
    numbered && open.is_empty()
}

fn boards(check: &mut Checker<'_>, paired: &RoundPaired) {
    let fault = numbered(paired).err();
    check.hold(RuleId::RoundOrder, Subject::Round(paired.round), fault.is_none(), || {
        ("boards from 1, each once".to_owned(), format!("boards {}", fault.unwrap_or_default()))
    });
}

/// A player who lost a game by forfeit plays no further round, unless an appeal was accepted.
fn forfeiters(check: &mut Checker<'_>, paired: &RoundPaired) {
    if pairs_who_left(paired.stage) || !check.has(RuleId::ForfeitRemoved) {
        return;
    }
    let tournament = check.case.tournament;
    let players = paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
    let boards = tournament.rounds.values().flat_map(|round| round.boards.values());
    let forfeited: BTreeSet<&PlayerId> = boards.flat_map(Board::forfeited_by).collect();
    for player in players.chain(paired.byes.iter().map(|bye| &bye.player)) {
        if forfeited.contains(player) {
            check.hold(
                RuleId::ForfeitRemoved,
                Subject::Round(paired.round),
                tournament.heard(player, None),
                || {
                    let expected = "who forfeits a game plays no further round without an accepted appeal";
                    (expected.to_owned(), format!("`{player}` forfeited a game and is paired"))
                },
            );
        }
    }
}

pub(crate) fn start(check: &mut Checker<'_>, started: &RoundStarted) {
    let tournament = check.case.tournament;
    let Some(recorded) = tournament.rounds.get(&started.round) else { return };
    let open = without_result(tournament, started.round);
    let first = check.side(Side::Gold);
    let colourless: Vec<String> = recorded
        .boards
        .iter()
        .filter(|(_, board)| board.gold().is_none())
        .map(|(board, _)| BoardId { round: started.round, board: *board }.to_string())
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
    } else if let Some(player) = without_a_game(check, recorded) {
        let found = format!("the pairing of `{player}` was revoked; revoke the round and pair it again");
        Some(("a game or a bye for each player of the round who takes part".to_owned(), found))
    } else {
        stranger.map(|pairing| {
            let found = format!("{pairing}, which is no board of it");
            (format!("a board of round {}", started.round), found)
        })
    };
    let holds = fault.is_none();
    check.hold(RuleId::RoundOrder, Subject::Round(started.round), holds, || fault.unwrap_or_default());
}

/// Players of a round, still in, without a game or bye since a board was revoked.
fn without_a_game<'a>(check: &Checker<'a>, round: &'a Round) -> Option<&'a PlayerId> {
    if check.case.rulebook.edition < 2 || pairs_who_left(round.stage) {
        return None;
    }
    let takes_part =
        |player: &&PlayerId| check.case.tournament.entrants.get(*player).is_some_and(Entrant::is_in);
    let plays = |player: &PlayerId| {
        round.byes.iter().any(|bye| bye.player == *player)
            || round.boards.values().any(|board| board.has(player))
    };
    let mut paired = round.paired.fact.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
    paired.find(|player| takes_part(player) && !plays(player))
}

/// A revocation: only before the start, and only of a pairing in force.
pub(crate) fn revocation(check: &mut Checker<'_>, revoked: &PairingRevoked) {
    let Some(recorded) = check.case.tournament.rounds.get(&revoked.round) else { return };
    let subject = match revoked.board {
        Some(board) => BoardId { round: revoked.round, board }.into(),
        None => Subject::Round(revoked.round),
    };
    let stands = revoked.board.is_none_or(|board| recorded.boards.contains_key(&board));
    let later = Some(check.case.tournament.last_round()).filter(|last| *last > revoked.round);
    let begun = recorded.has_begun();
    let holds = stands && !begun && later.is_none();
    check.hold(RuleId::RoundRevoked, subject, holds, || {
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
