//! Appointments and notices.

use crate::rulebook::RuleId;
use annals_events::tournament::{GameScheduled, Notice, NoticeGiven, Stage};
use annals_events::{BoardId, Micros, PlayerId, TournamentEvent};

use super::play::board;
use crate::appointment::{self, told};
use crate::check::{EventMeta, JudgingContext};
use crate::refusal::{Refusal, Remedy};
use crate::state::calendar::utc;

pub(super) fn appoint(
    case: &JudgingContext<'_>,
    when: &EventMeta,
    pairing: BoardId,
    at: Option<Micros>,
    reason: Option<&str>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let (round, _) = board(case, pairing)?;
    let rule = case.rulebook.rule(RuleId::ScheduleSlot);
    let choice = appointment::choose(case.tournament, case.rulebook, pairing, when.at);
    let (at, why) = match (at, choice.filter(|_| rule.is_some())) {
        (Some(at), Some(choice)) if choice.at == at => (at, Some(choice.why.to_owned())),
        (Some(at), _) => (at, reason.map(str::to_owned)),
        (None, Some(choice)) => (choice.at, Some(choice.why.to_owned())),
        (None, None) if rule.is_some() => {
            let to = utc(appointment::Week::after(round.paired.at).to);
            let window = case.rulebook.rule(RuleId::ScheduleWindow);
            return Err(Refusal::by(window, format!("the week of {pairing} was over at {to}")));
        }
        (None, None) => {
            let what = format!("the rulebook {} does not fix the times of games", case.rulebook.name);
            return Err(Refusal::lacking(what).hint("say the time"));
        }
    };
    Ok(vec![TournamentEvent::GameScheduled(GameScheduled {
        pairing,
        at,
        ground: rule.map(|rule| rule.ground(why)),
        reason: reason.map(str::to_owned),
    })])
}

/// Notifies every player of opponent and time, of all games still to be played.
pub(super) fn notify(
    case: &JudgingContext<'_>,
    stage: Option<Stage>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let tournament = case.tournament;
    let mut events = Vec::new();
    for entrant in tournament.entrants.values().filter(|entrant| stage.is_none() && entrant.left.is_none()) {
        let Some(invited) = &entrant.invited else { continue };
        let player = &invited.fact.player;
        if told(tournament, invited.seq, Notice::Invitation, player, |_| true).is_none() {
            let until =
                invited.fact.due.map_or(String::new(), |due| format!(", with a program by {}", utc(due)));
            let text = format!("{player} is invited to the final{until}");
            events.extend(notice(std::iter::once(player), Notice::Invitation, None, None, text));
        }
    }
    for (&number, round) in &tournament.rounds {
        if stage.is_some_and(|stage| stage != round.stage) {
            continue;
        }
        // A pairing made again after revocation is notified again.
        let paired = round.paired.seq;
        for (&at, board) in round.boards.iter().filter(|(_, board)| board.outcome().is_none()) {
            let pairing = BoardId { round: number, board: at };
            let players = board.players();
            let text = format!("round {number}: {} against {}", board.upper(), board.lower());
            let untold = players.into_iter().filter(|player| {
                told(tournament, paired, Notice::Pairing, player, |said| said.pairing == Some(pairing))
                    .is_none()
            });
            events.extend(notice(untold, Notice::Pairing, Some(number), Some(pairing), text));
            if let Some(time) = board.scheduled_at() {
                let untold = |player: &&PlayerId| !appointment::told_the_time(tournament, pairing, player);
                let text = format!("{pairing} begins at {}", utc(time));
                let untold = players.into_iter().filter(untold);
                events.extend(notice(untold, Notice::GameTime, Some(number), Some(pairing), text));
            }
        }
        if !round.is_over() {
            let untold = round.byes.iter().map(|bye| &bye.player).filter(|player| {
                told(tournament, paired, Notice::Pairing, player, |said| said.round == Some(number)).is_none()
            });
            events.extend(notice(
                untold,
                Notice::Pairing,
                Some(number),
                None,
                format!("round {number}: a bye"),
            ));
        }
    }
    if events.is_empty() {
        let what =
            "all players have been told of their invitations and pairings, and of the times that are fixed";
        return Err(Refusal::lacking(what).hint(Remedy::Notices));
    }
    Ok(events)
}

fn notice<'a>(
    to: impl Iterator<Item = &'a PlayerId>,
    about: Notice,
    round: Option<u32>,
    pairing: Option<BoardId>,
    text: String,
) -> Option<TournamentEvent> {
    let to: Vec<PlayerId> = to.cloned().collect();
    let notice = NoticeGiven { to, about, round, pairing, text: Some(text) };
    (!notice.to.is_empty()).then_some(TournamentEvent::NoticeGiven(notice))
}
