//! Random tournaments of every rulebook, recorded in a log through the handler, with games in their own streams: they audit
//! clean, and every round is explained at every cut. What is altered in such a log is found on the rule that it breaks.

mod log_desk;
mod rewritten;

use std::collections::BTreeSet;

use annals_events::tournament::Effect;
use annals_events::{GameEvent, Termination, TournamentEvent as E};
use annals_replay::queries::{TournamentAt, explain};
use annals_replay::{Cut, TournamentAudit, audit_tournament, end_of_round, tournament_at};
use annals_report::ToDocument as _;
use annals_store::Log;
use annals_tournaments::verdict::Verdict;
use jiff::tz::TimeZone;

use crate::driver::corrupt::{self, Kind, Record};
use crate::driver::desk::Desk as _;
use crate::driver::numbers::{Numbers, cases};
use crate::driver::record::Entry;
use crate::driver::{RULEBOOKS, Wildness, play};
use log_desk::{LogDesk, open};
use rewritten::{entries, written};

const WILD: Wildness = Wildness {
    players: 9,
    forfeit: 6,
    double_forfeit: 2,
    trouble: 20,
    withdrawal: 10,
    recorded: 25,
    untold: 30,
};

fn audit(log: &Log) -> TournamentAudit {
    audit_tournament(log, &open(), &Cut::NOW, &[]).unwrap()
}

fn violations(audit: &TournamentAudit) -> Vec<&Verdict> {
    audit.violations().collect()
}

#[test]
fn random_tournaments_go_through_the_handler_audit_clean_and_explain_every_round() {
    let mut met = BTreeSet::new();
    for case in 0..cases(8, 200) {
        let name = RULEBOOKS[usize::try_from(case % 4).unwrap()];
        let mut numbers = Numbers::new(7_000_000 + case);
        let desk = play(name, &mut numbers, WILD, LogDesk::announced);
        println!("{name} {case}");
        let log = &desk.scene.log;
        let folded = tournament_at(log, &open(), &Cut::NOW).unwrap();
        assert_eq!((folded.findings(), &folded.tournament), (&[][..], &desk.tournament), "{name} {case}");
        let audit = audit(log);
        let found = (violations(&audit), &audit.overturned, &audit.findings, &audit.games, &audit.overdue);
        assert!(audit.is_clean(), "{name} {case}: {:?} {found:?}", audit.counts);
        explained(&desk, &mut numbers);
        met.extend(entries(&desk.scene).iter().filter_map(word));
    }
    let all = [
        "a game that ended by score",
        "a game that ended by resignation",
        "a game that goes on from another",
        "a ruling in the place of another",
        "a correction",
        "a strike",
    ];
    assert_eq!(met, BTreeSet::from(all));
}

/// What a log had of what makes tournaments hard.
fn word(entry: &Entry) -> Option<&'static str> {
    match entry {
        Entry::Correction(_, Some(_)) => Some("a correction"),
        Entry::Correction(_, None) => Some("a strike"),
        Entry::Event(_, _, event) => match &**event {
            E::RulingGiven(ruling) => {
                let on_a_game = !matches!(ruling.effect, Effect::Place { .. });
                (on_a_game && ruling.supersedes.is_some()).then_some("a ruling in the place of another")
            }
            _ => None,
        },
        Entry::Game(_, _, event) => match &**event {
            GameEvent::Started(started) if started.position.is_some() => {
                Some("a game that goes on from another")
            }
            GameEvent::Ended(ended) => match ended.termination {
                Some(Termination::Score) => Some("a game that ended by score"),
                Some(Termination::Resignation) => Some("a game that ended by resignation"),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Every round is explained at every cut at which it is paired.
fn explained(desk: &LogDesk, numbers: &mut Numbers) {
    let log = &desk.scene.log;
    let last = desk.length();
    for (&number, round) in &desk.tournament.rounds {
        let paired = round.paired.seq;
        let recorded = log.event(paired).unwrap().unwrap();
        let any = paired + numbers.below(usize::try_from(last - paired).unwrap() + 1) as u64;
        let cuts = [
            Cut::NOW,
            Cut::at_seq(paired),
            Cut::at_seq(any),
            Cut::as_of(recorded.effective_at),
            Cut { known_at: Some(recorded.recorded_at), ..Cut::NOW },
            end_of_round(log, &open(), number, &Cut::NOW).unwrap(),
        ];
        for cut in cuts {
            let opened = TournamentAt::at(log, &open(), &cut).unwrap();
            let explained = explain::round(&opened, number, &explain::Asked::default())
                .unwrap_or_else(|error| panic!("round {number} at {cut:?}: {error}"));
            let published = explained.published.as_ref().expect("it is paired");
            assert!(published.in_order, "round {number} at {cut:?}: {:?}", published.verdicts);
            assert_eq!((explained.seq, explained.boards.len()), (Some(paired), round.boards.len()));
            let unexplained = explained.boards.iter().find(|board| board.reason.is_none());
            assert!(unexplained.is_none(), "round {number} at {cut:?}: {unexplained:?}");
            let shown = explained.document(&TimeZone::UTC).text(&TimeZone::UTC, None);
            assert!(shown.contains(&format!("round {number}")), "{shown}");
        }
    }
}

#[test]
fn a_log_that_was_altered_is_found_on_the_rule_that_it_breaks() {
    for case in 0..cases(13, 130) {
        let kind = corrupt::KINDS[usize::try_from(case).unwrap() % corrupt::KINDS.len()];
        is_found(kind, &mut Numbers::new(8_000_000 + case));
    }
}

/// Plays tournaments until one offers an occasion, alters its log, and audits that.
fn is_found(kind: Kind, numbers: &mut Numbers) {
    for _ in 0..100 {
        let name = corrupt::rulebook_for(kind, numbers);
        let desk = play(name, numbers, WILD, LogDesk::announced);
        let entries = entries(&desk.scene);
        let begun = desk.scene.log.event(1).unwrap().unwrap().recorded_at;
        let audited = |entries: &[Entry]| audit(&written(entries, begun).log);
        let verdicts = |entries: &[Entry]| violations(&audited(entries)).into_iter().cloned().collect();
        let record = Record { entries: &entries, audit: &verdicts };
        let Some((seq, altered)) = corrupt::alter(kind, &record, numbers) else { continue };
        let audit = audited(&altered);
        let found: Vec<_> = violations(&audit).iter().map(|one| (one.seq, one.rule.id.name())).collect();
        let right = |(at, rule): &(u64, &str)| *at == seq && corrupt::expected(kind).contains(rule);
        assert!(found.iter().any(right), "{kind:?} in {name} at {seq}: {found:?}");
        assert!(found.iter().all(|(at, _)| *at >= seq), "{kind:?} in {name} at {seq}: {found:?}");
        return;
    }
    panic!("{kind:?}: no tournament offered an occasion");
}
