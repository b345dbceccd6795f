//! What no line of a state file expresses, by event. The match is exhaustive, so that new events and announcement keys
//! are handled.

use annals_events::TournamentEvent;
use annals_events::tournament::{Announced, PlayerRegistered, RoundPaired, Withdrawal};
use annals_tournaments::rulebook::Rulebook;

use crate::imported::Recording;
use crate::state_file::events::{REASON, is_note};

pub(super) fn by(event: &TournamentEvent) -> Vec<&'static str> {
    use TournamentEvent as E;
    let where_any = |any: bool, what| if any { vec![what] } else { Vec::new() };
    match event {
        E::Announced(announced) => announcement(announced),
        E::PlayerRegistered(entry) => entered(entry),
        E::RoundPaired(paired) => where_any(has_grounds(paired), "the grounds of pairings"),
        // Seeds and the board's result are written; the rest has its own remark.
        E::Qualified(_) => Vec::new(),
        E::RoundStarted(started) => where_any(!started.programs.is_empty(), "programs"),
        E::ResultRecorded(result) => where_any(result.note.is_some(), "notes on results"),
        E::PlayerWithdrawn(left) => {
            let as_read = left.how != Withdrawal::Own && left.reason.as_deref() == Some(REASON);
            where_any(!as_read, "why players left")
        }
        E::PlayerReinstated(back) => {
            let as_read = back.appeal.is_none() && back.reason.as_deref() == Some(REASON);
            where_any(!as_read, "why players came back")
        }
        E::PairingRevoked(revoked) => where_any(revoked.reason != REASON, "why pairings were revoked"),
        E::RulingGiven(ruling) => {
            let plain = ruling.grounds.is_empty() && ruling.evidence.is_empty() && ruling.dispute.is_none();
            let as_read = plain && ruling.reason == REASON && ruling.supersedes.is_none();
            where_any(!as_read, "the reasons of rulings")
        }
        E::ScheduleChanged(_) => vec!["dates"],
        E::RoundsDeclared(_) => vec!["the declared number of rounds"],
        E::RatingsRecorded(_) => vec!["ratings that were recorded later"],
        E::FeeRecorded(_)
        | E::ContributionRecorded(_)
        | E::RefundRecorded(_)
        | E::PenaltyPaid(_)
        | E::PrizeAwarded(_)
        | E::PrizeForfeited(_)
        | E::PrizeReturned(_) => vec!["money and prizes"],
        E::PenaltyRecorded(_) | E::BanRecorded(_) | E::BanLifted(_) => vec!["penalties and bans"],
        E::AvailabilityGiven(_) | E::GameScheduled(_) | E::NoticeGiven(_) => vec!["appointments and notices"],
        E::HardwareSpecified(_)
        | E::ReferenceHardwareRecorded(_)
        | E::MachinesAssigned(_)
        | E::HardwareDeclared(_) => vec!["hardware"],
        E::AccountGiven(_) | E::AccountWithdrawn(_) => vec!["accounts"],
        E::ProgramPublished(_) | E::ProgramSubmitted(_) | E::ProgramUpdated(_) => vec!["programs"],
        E::ProgramTested(_) => vec!["tests of programs"],
        E::ProgramSubstituted(_) => vec!["programs that stand in"],
        E::BenchmarksDeclared(_) | E::QualifyingGamePlayed(_) => vec!["the games of the qualifier"],
        E::Invited(_) | E::InvitationLapsed(_) => vec!["invitations"],
        E::Disqualified(_) => vec!["disqualifications"],
        E::LotsDrawn(_) => vec!["lots"],
        E::ColourDrawn(_) | E::ColourChosen(_) => vec!["how colours were drawn or chosen"],
        E::GameAttached(_) => vec!["which games were played"],
        E::ForfeitClaimed(_) => vec!["claims of forfeits"],
        E::DisputeFiled(_) | E::AppealFiled(_) | E::AppealDecided(_) => vec!["disputes and appeals"],
        E::TablePublished(_) => vec!["the published totals and their source"],
        E::Closed(_) => vec!["the final order"],
    }
}

/// Differences from the announcement recorded when the file is read by the same rulebook. Name and readings are handled
/// elsewhere.
fn announcement(announced: &Announced) -> Vec<&'static str> {
    let Announced {
        name,
        series,
        year,
        rulebook: _,
        edition,
        options: _,
        game,
        stages,
        schedule,
        currency,
        fees,
        fund,
        directors,
        site,
        previous,
        note,
    } = announced;
    let Ok(rulebook) = Rulebook::of(announced) else {
        return vec!["the rulebook, by which no file is read", "the announcement"];
    };
    let latest = Rulebook::named(rulebook.name).is_ok_and(|latest| latest.edition == *edition);
    let read = Recording::new(name, rulebook).announcement(String::new());
    let money = (currency, fees, fund) != (&read.currency, &read.fees, &read.fund);
    let kinds = [
        ("the edition of the rulebook", !latest),
        ("the series", *series != read.series),
        ("the year", *year != read.year),
        ("the game", *game != read.game),
        ("time controls and other terms of the stages", *stages != read.stages),
        ("dates", *schedule != read.schedule),
        ("money and prizes", money),
        ("the directors", *directors != read.directors),
        ("the site", *site != read.site),
        ("the tournament before", *previous != read.previous),
        ("the note of the announcement", note.as_deref().is_some_and(|note| !is_note(note))),
    ];
    kinds.into_iter().filter(|(_, lost)| *lost).map(|(kind, _)| kind).collect()
}

fn entered(entry: &PlayerRegistered) -> Vec<&'static str> {
    let PlayerRegistered { player: _, name: _, kind: _, developers, account, rating: _, number, country } =
        entry;
    let kinds = [
        ("developers", !developers.is_empty()),
        ("the accounts of players", account.is_some()),
        ("the numbers of the entry list", number.is_some()),
        ("countries", country.is_some()),
    ];
    kinds.into_iter().filter(|(_, lost)| *lost).map(|(kind, _)| kind).collect()
}

/// Whether a pairing records its grounds.
fn has_grounds(paired: &RoundPaired) -> bool {
    let colours = paired.pairs.iter().any(|pair| pair.colour.is_some());
    let byes = paired.byes.iter().any(|bye| !bye.grounds.is_empty());
    let order = !(paired.order.is_empty() && paired.measures.is_empty());
    colours || byes || order || paired.equals.is_some()
}
