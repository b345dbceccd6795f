//! Tournaments by a rulebook that the program knows, directed and audited: what the audit says of each event is what the
//! rules say of it on the tournament before it, folded anew; both clocks, late entries, other readings; directors at once.

use annals_events::log::{Change, Correction};
use annals_events::tournament::{
    ContributionRecorded, Deadline, FeeRecorded, Milestone, Outcome, PlayerRegistered, PlayerWithdrawn,
    ProgramSubmitted, ResultRecorded, Withdrawal,
};
use annals_events::{BoardId, Event, LogEvent, PlayerKind, StreamName, Termination, TournamentEvent};
use annals_replay::context::rulebook_in_force;
use annals_replay::handler::{self, Director, Importer, SourceNote, Step};
use annals_replay::tournament_audit::{AuditedEvent, Overturned};
use annals_replay::{
    Cut, Replayed, Scope, TournamentAudit, TournamentReplay, audit_tournament, compare_readings,
    tournament_at,
};
use annals_store::{Clock, Log};
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::context::NoContext;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::{Compliance, Verdict};

use super::scene::{DAY, SECOND, START, Scene, draft, id, stream};

const OPEN: &str = "tournament/open";
const MINUTE: i64 = 60 * SECOND;

pub fn open() -> StreamName {
    stream(OPEN)
}

/// A tournament announced, and so many players entered: people, or programs where only those take part.
pub fn entered(scene: &mut Scene, rulebook: &str, players: u32) {
    let kind = if rulebook.starts_with("olympiad") { PlayerKind::Bot } else { PlayerKind::Human };
    let rulebook = Rulebook::named(rulebook).unwrap();
    let announced = TournamentEvent::Announced(announcement(&rulebook, AnnounceOrder::default()));
    scene.take(draft(OPEN, START, announced));
    for number in 1..=players {
        scene.take(draft(OPEN, START + i64::from(number) * SECOND, entry(number, kind)));
    }
}

fn entry(number: u32, kind: PlayerKind) -> TournamentEvent {
    TournamentEvent::PlayerRegistered(PlayerRegistered {
        player: id(&format!("p{number:02}")),
        name: format!("P{number}"),
        kind,
        developers: Vec::new(),
        account: None,
        rating: Some(2_000 - 10 * number as i32),
        number: None,
        country: None,
    })
}

pub fn ask(scene: &mut Scene, command: Command) {
    scene.clock.advance(SECOND);
    super::scene::direct(&mut scene.log, &open(), &command, "director", false)
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
}

pub fn pairings(log: &Log, round: u32) -> Vec<BoardId> {
    let state = tournament_at(log, &open(), &Cut::NOW).unwrap().tournament.clone();
    state.rounds[&round].boards.keys().map(|&board| BoardId { round, board }).collect()
}

/// Plays a round: the better numbered of every second board loses.
pub fn play(scene: &mut Scene, round: u32) {
    let pairings = pairings(&scene.log, round);
    ask(scene, Command::Start { pairing: pairings[0], game: None });
    for pairing in pairings {
        let outcome = if pairing.board % 2 == 0 { Outcome::Silver } else { Outcome::Gold };
        ask(scene, result(pairing, outcome));
    }
}

pub fn result(pairing: BoardId, outcome: Outcome) -> Command {
    let termination = Some(Termination::Goal);
    Command::Result { pairing, outcome: Some(outcome), termination, game: None, territory: None }
}

/// Nine players and so many rounds of the Swiss.
pub fn swiss(rounds: u32) -> Scene {
    let mut scene = Scene::new();
    entered(&mut scene, "wc-2009", 9);
    ask(&mut scene, Command::DeclareRounds);
    for round in 1..=rounds {
        ask(&mut scene, Command::DrawLots { seed: format!("lots {round}"), commitment: None });
        ask(&mut scene, Command::Pair { seed: Some(format!("coins {round}")) });
        play(&mut scene, round);
    }
    scene
}

/// The verdicts on each event, each on a tournament that is folded anew from the events before it.
fn judged_anew(log: &Log, upto: u64) -> Vec<(u64, Vec<Verdict>)> {
    let mut all = Vec::new();
    for raw in log.events(1..=upto).map(Result::unwrap).filter(|raw| raw.stream == open()) {
        let before = Cut::at_seq(raw.seq - 1);
        let fold = Replayed::<TournamentReplay>::rebuild(log, Scope::Stream(open()), &before).unwrap();
        let before = fold.into_state().tournament;
        let Event::Tournament(event) = raw.decode().unwrap() else { panic!("{raw:?}") };
        let rulebook = match (&*event, rulebook_in_force(&before).unwrap()) {
            (TournamentEvent::Announced(announced), None) => Rulebook::of(announced).unwrap(),
            (_, rulebook) => rulebook.unwrap(),
        };
        let when =
            EventMeta { seq: raw.seq, at: raw.effective_at, recorded_at: raw.recorded_at, imported: false };
        let case = JudgingContext::new(&before, &rulebook, &NoContext);
        all.push((raw.seq, check(&case, &when, &event)));
    }
    all
}

#[test]
fn the_audit_of_every_event_is_the_judgement_of_it_on_the_events_before_it() {
    let mut scene = swiss(3);
    ask(&mut scene, Command::Qualify);
    for round in 4..=5 {
        ask(&mut scene, Command::Pair { seed: Some("final".to_owned()) });
        play(&mut scene, round);
    }
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    let audited: Vec<(u64, Vec<Verdict>)> =
        audit.events.iter().map(|event| (event.seq, event.verdicts.clone())).collect();
    assert_eq!(audited, judged_anew(&scene.log, u64::MAX));
    assert!(audit.is_clean() && audit.counts.compliant > 100, "{:?}", audit.counts);

    // A ring, its games in one round.
    let mut scene = Scene::new();
    entered(&mut scene, "postal-2006", 12);
    ask(&mut scene, Command::Pair { seed: None });
    play(&mut scene, 1);
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    let audited: Vec<(u64, Vec<Verdict>)> =
        audit.events.iter().map(|event| (event.seq, event.verdicts.clone())).collect();
    assert_eq!(audited, judged_anew(&scene.log, u64::MAX));
}

#[test]
fn an_audit_at_a_cut_is_the_audit_of_what_was_known_or_had_happened() {
    let mut scene = swiss(2);
    let whole = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    // As recorded: exactly the events that the log had taken, with the same verdicts.
    let middle = &whole.events[whole.events.len() / 2];
    let known = Cut { known_at: Some(middle.recorded_at), ..Cut::NOW };
    let part = audit_tournament(&scene.log, &open(), &known, &[]).unwrap();
    let taken = |event: &&AuditedEvent| event.recorded_at <= middle.recorded_at;
    assert_eq!(part.events, whole.events.iter().filter(taken).cloned().collect::<Vec<_>>());
    // As it happened: a gift that was made at the beginning and is entered now.
    let late = ContributionRecorded { from: "Omar".to_owned(), amount: 2_000, note: None };
    let seq = scene.take(draft(OPEN, START + 20 * SECOND, TournamentEvent::ContributionRecorded(late)));
    let happened = Cut::as_of(START + MINUTE);
    let then = audit_tournament(&scene.log, &open(), &happened, &[]).unwrap();
    assert_eq!(then.events.last().map(|event| event.seq), Some(seq));
    assert_eq!(then.events.len(), 11, "the announcement, nine entries and the gift");
    let both = Cut { known_at: Some(middle.recorded_at), ..happened };
    let both = audit_tournament(&scene.log, &open(), &both, &[]).unwrap();
    assert_eq!(both.events.len(), 10, "nobody knew of the gift");
}

#[test]
fn what_came_into_the_log_long_after_it_happened_is_listed() {
    let mut scene = swiss(1);
    let entered = whole_late(&scene);
    let then = Clock::now(&scene.clock);
    scene.clock.advance(40 * DAY);
    let fee = |player: &str| {
        TournamentEvent::FeeRecorded(FeeRecorded { player: id(player), amount: 2_000, note: None })
    };
    let late = scene.take(draft(OPEN, then, fee("p01")));
    let at = Clock::now(&scene.clock);
    let prompt = scene.take(draft(OPEN, at, fee("p02")));
    let listed = whole_late(&scene);
    assert!(listed.contains(&late) && !listed.contains(&prompt), "{listed:?}");
    assert_eq!(listed.len(), entered.len() + 1);
}

fn whole_late(scene: &Scene) -> Vec<u64> {
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    audit.late.iter().map(|late| late.seq).collect()
}

#[test]
fn another_reading_changes_the_verdicts_that_rest_on_it_and_no_others() {
    let scene = swiss(2);
    let compared =
        compare_readings(&scene.log, &open(), &Cut::NOW, &[("T10".to_owned(), "B".to_owned())]).unwrap();
    assert_eq!(compared.readings.len(), 1);
    assert!(compared.changes(), "a bye without a point puts its player elsewhere");
    assert!(
        compared.verdicts.iter().all(|changed| {
            changed.rule.starts_with("swiss.") || changed.rule.starts_with("announcement.")
        })
    );
    let is_violation =
        |holds: &Vec<Compliance>| holds.iter().any(|held| matches!(held, Compliance::Violation { .. }));
    assert!(
        compared
            .verdicts
            .iter()
            .any(|changed| !is_violation(&changed.before) && is_violation(&changed.after))
    );
    assert_eq!(compared.counts_before.violations, 0);
    assert!(!compared.clean_after && compared.counts_after.violations > 0);
    // With nothing changed nothing is told.
    let same =
        compare_readings(&scene.log, &open(), &Cut::NOW, &[("T11".to_owned(), "A".to_owned())]).unwrap();
    assert!(same.readings.is_empty() && !same.changes(), "{same:?}");
}

#[test]
fn the_door_of_the_desk_refuses_what_an_import_takes_and_the_audit_finds() {
    let mut scene = swiss(1);
    let wrong = TournamentEvent::ResultRecorded(ResultRecorded {
        pairing: BoardId { round: 1, board: 1 },
        outcome: Outcome::Silver,
        termination: None,
        attempt: None,
        game: None,
        territory: None,
        note: None,
    });
    let at = START + DAY + 3_600 * SECOND;
    scene.clock.set(at + SECOND);
    assert_eq!(scene.refused(draft(OPEN, at, wrong)), "result.once");

    // The same record, with the wrong bye, brought in from elsewhere.
    let drafts: Vec<handler::Draft> = scene
        .all()
        .into_iter()
        .filter(|raw| raw.stream == open())
        .map(|raw| {
            let Event::Tournament(mut event) = raw.decode().unwrap() else { panic!() };
            if let TournamentEvent::RoundPaired(paired) = &mut *event {
                std::mem::swap(&mut paired.byes[0].player, &mut paired.pairs[0].lower);
            }
            draft(OPEN, raw.effective_at, *event)
        })
        .collect();
    let mut other = Scene::with_id([7; 16]);
    other.clock.set(at);
    let mut importer = Importer::new(&mut other.log, "importer").unwrap();
    importer.stream(&drafts).unwrap();
    importer.finish_with(&source(), START).unwrap();
    let audit = audit_tournament(&other.log, &open(), &Cut::NOW, &[]).unwrap();
    let is_violation: Vec<&str> = audit
        .events
        .iter()
        .flat_map(|event| &event.verdicts)
        .filter(|verdict| matches!(verdict.holds, Compliance::Violation { .. }))
        .map(|verdict| verdict.rule.id.name())
        .collect();
    assert!(is_violation.contains(&"swiss.bye"), "{is_violation:?}");
    assert!(audit.late.is_empty(), "an import is always late, and says nothing by it");
}

/// Where an import says that it is from.
pub fn source() -> SourceNote {
    SourceNote {
        source: "record.jsonl".to_owned(),
        format: "json_lines".to_owned(),
        digest: format!("sha256:{}", "0".repeat(64)),
        bytes: 1,
        program: "test".to_owned(),
        rejected: 0,
        left_out: 0,
    }
}

#[test]
fn a_correction_that_would_break_a_rule_is_refused() {
    let mut scene = swiss(1);
    let recorded =
        scene.all().into_iter().find(|raw| raw.event_type == "tournament.result_recorded").unwrap();
    let replaced = |outcome: Outcome, scene: &Scene| {
        let Event::Tournament(event) = scene.log.event(recorded.seq).unwrap().unwrap().decode().unwrap()
        else {
            panic!()
        };
        let TournamentEvent::ResultRecorded(result) = *event else { panic!() };
        let entry = Event::from(TournamentEvent::ResultRecorded(ResultRecorded { outcome, ..result }));
        let draft = draft(OPEN, START, entry);
        annals_events::log::Change::Replace {
            payload: draft.payload.clone(),
            schema: draft.schema,
            effective_at: None,
        }
    };
    let correction = |outcome: Outcome, scene: &Scene| {
        let change = replaced(outcome, scene);
        let correction = Correction { corrects: recorded.seq, change, reason: "a slip".to_owned() };
        draft(OPEN, Clock::now(&scene.clock), LogEvent::Correction(correction))
    };
    let draw = correction(Outcome::Draw, &scene);
    assert_eq!(scene.refused(draw), "result.draw");
    let other = correction(Outcome::Silver, &scene);
    scene.take(other);
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    assert!(audit.is_clean() && audit.counts.corrected == 1, "{:?}", audit.counts);
}

#[test]
fn directors_at_once_all_get_their_entries_in_and_only_one_of_them_the_pairing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let clock = annals_store::SetClock::at(START + DAY);
    let new = annals_store::NewLog {
        log_id: annals_events::LogId([9; 16]),
        program: "test".to_owned(),
        note: None,
        actor: "tester".to_owned(),
    };
    let mut log = Log::create(&path, &new, Box::new(clock.clone())).unwrap();
    let rulebook = Rulebook::named("wc-2009").unwrap();
    let announced = TournamentEvent::Announced(announcement(&rulebook, AnnounceOrder::default()));
    handler::append(&mut log, &[draft(OPEN, START, announced)], "director", &[]).unwrap();
    let at_once = |steps: Vec<Step>| -> Vec<bool> {
        let threads: Vec<_> = steps
            .into_iter()
            .map(|step| {
                let (path, clock) = (path.clone(), clock.clone());
                std::thread::spawn(move || {
                    let mut log = Log::open_for_append(&path, Box::new(clock)).unwrap();
                    let stream = open();
                    let director = Director { stream: &stream, at: None, actor: "director", dry_run: false };
                    handler::direct_steps(&mut log, &director, &[step]).is_ok()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    };
    let entries = (1..=6).map(|number| entry(number, PlayerKind::Human).into()).collect();
    assert_eq!(at_once(entries), [true; 6], "each is decided again on what the others appended");
    let pair = || Step::from(Command::Pair { seed: Some("coins".to_owned()) });
    let paired = at_once((0..4).map(|_| pair()).collect());
    assert_eq!(paired.iter().filter(|done| **done).count(), 1, "{paired:?}");
    let log = Log::open(&path).unwrap();
    let events = log.events(1..=u64::MAX).map(Result::unwrap);
    assert_eq!(events.filter(|raw| raw.event_type == "tournament.round_paired").count(), 1);
}

/// A correction of an event, with what it says changed; none strikes it.
pub fn correction(
    scene: &Scene,
    corrects: u64,
    changed: Option<&dyn Fn(&mut TournamentEvent)>,
) -> handler::Draft {
    let change = match changed {
        None => Change::Strike,
        Some(changed) => {
            let raw = scene.log.event(corrects).unwrap().unwrap();
            let Event::Tournament(mut event) = raw.decode().unwrap() else { panic!("{raw:?}") };
            changed(&mut event);
            let new = draft(OPEN, START, *event);
            Change::Replace { payload: new.payload, schema: new.schema, effective_at: None }
        }
    };
    let correction = Correction { corrects, change, reason: "a slip".to_owned() };
    draft(OPEN, Clock::now(&scene.clock), LogEvent::Correction(correction))
}

pub fn to_silver(event: &mut TournamentEvent) {
    let TournamentEvent::ResultRecorded(result) = event else { panic!("{event:?}") };
    assert_eq!(result.outcome, Outcome::Gold);
    result.outcome = Outcome::Silver;
}

fn noted(event: &mut TournamentEvent) {
    let TournamentEvent::ResultRecorded(result) = event else { panic!("{event:?}") };
    result.note = Some("in forty turns".to_owned());
}

/// The place of the first event of a type that is of a round or of nothing else.
pub fn first(scene: &Scene, event_type: &str, round: u32) -> u64 {
    let of_round = |raw: &annals_events::RawEnvelope| match raw.decode() {
        Ok(Event::Tournament(event)) => match &*event {
            TournamentEvent::ResultRecorded(result) => result.pairing.round == round,
            TournamentEvent::RoundPaired(paired) => paired.round == round,
            TournamentEvent::RoundStarted(started) => started.round == round,
            _ => true,
        },
        _ => false,
    };
    let found = scene.all().into_iter().find(|raw| raw.event_type == event_type && of_round(raw));
    found.unwrap_or_else(|| panic!("{event_type} of round {round}")).seq
}

#[test]
fn no_correction_changes_a_round_when_a_later_one_has_begun() {
    let mut scene = swiss(1);
    let withdrawn = TournamentEvent::PlayerWithdrawn(PlayerWithdrawn {
        player: id("p09"),
        how: Withdrawal::Own,
        reason: None,
    });
    let at = Clock::now(&scene.clock);
    let left = scene.take(draft(OPEN, at, withdrawn));
    ask(&mut scene, Command::DrawLots { seed: "lots 2".to_owned(), commitment: None });
    ask(&mut scene, Command::Pair { seed: Some("coins 2".to_owned()) });
    let result = first(&scene, "tournament.result_recorded", 1);
    // Round 2 is only paired: nothing is frozen by that.
    let changed = correction(&scene, result, Some(&to_silver));
    let paired = scene.log.last_seq().unwrap();
    assert!(handler::Handler::at(&scene.log, paired).unwrap().decide(0, &changed).unwrap().is_ok());
    play(&mut scene, 2);

    for (seq, changed) in [
        (result, Some(&to_silver as &dyn Fn(&mut TournamentEvent))),
        (result, None),
        (first(&scene, "tournament.round_paired", 1), None),
        (first(&scene, "tournament.round_started", 1), None),
        (left, None),
    ] {
        let correction = correction(&scene, seq, changed);
        assert_eq!(scene.refused(correction), "ruling.frozen", "event {seq}");
    }
    // Words may be put right, and what no later round rests on.
    let words = correction(&scene, result, Some(&noted));
    scene.take(words);
    let last = correction(&scene, first(&scene, "tournament.result_recorded", 2), Some(&to_silver));
    scene.take(last);
    let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
    assert!(audit.is_clean() && audit.counts.corrected == 2, "{:?}", audit.counts);
}

#[test]
fn an_imported_correction_of_a_frozen_round_is_found_and_the_record_is_audited_as_corrected() {
    let scene = swiss(2);
    let result = first(&scene, "tournament.result_recorded", 1);
    let mut drafts: Vec<handler::Draft> = Vec::new();
    for raw in scene.all().into_iter().filter(|raw| raw.stream == open()) {
        let Event::Tournament(event) = raw.decode().unwrap() else { panic!("{raw:?}") };
        drafts.push(draft(OPEN, raw.effective_at, *event));
    }
    let departing = |changes: &[handler::Draft]| -> (TournamentAudit, Vec<(u64, &'static str)>) {
        let mut other = Scene::with_id([7; 16]);
        other.clock.set(Clock::now(&scene.clock) + DAY);
        let mut importer = Importer::new(&mut other.log, "importer").unwrap();
        let all: Vec<handler::Draft> = drafts.iter().chain(changes).cloned().collect();
        importer.stream(&all).unwrap();
        importer.finish_with(&source(), Clock::now(&scene.clock)).unwrap();
        let audit = audit_tournament(&other.log, &open(), &Cut::NOW, &[]).unwrap();
        let found = audit.violations().map(|found| (found.seq, found.rule.id.name())).collect();
        (audit, found)
    };
    let after = scene.log.last_seq().unwrap() + 1;
    assert_eq!(departing(&[]).1, []);
    assert_eq!(departing(&[correction(&scene, result, Some(&noted))]).1, []);
    for change in [Some(&to_silver as &dyn Fn(&mut TournamentEvent)), None] {
        let (audit, found) = departing(&[correction(&scene, result, change)]);
        assert!(found.contains(&(after, "ruling.frozen")) && !audit.is_clean(), "{found:?}");
        let event = audit.events.last().unwrap();
        assert_eq!((event.seq, event.event_type.as_str()), (after, "log.correction"));
        assert!(event.imported);
        // What followed when it was recorded still does; that the correction changes it is said of both events.
        assert!(found.iter().all(|(seq, _)| *seq == after), "{found:?}");
        let paired = first(&scene, "tournament.round_paired", 2);
        let names_both = |changed: &&Overturned| changed.correction == after && changed.verdict.seq == paired;
        let changed: Vec<&Overturned> = audit.overturned.iter().filter(names_both).collect();
        assert!(!changed.is_empty() && changed.iter().all(|one| one.verdict.is_violation()), "{changed:?}");
        assert_eq!(audit.counts.overturned, audit.overturned.len() as u64);
    }
}

#[test]
fn a_correction_does_not_move_a_violation_to_another_subject() {
    let scene = swiss(1);
    let last = scene.log.last_seq().unwrap();
    let mut drafts: Vec<handler::Draft> = Vec::new();
    for raw in scene.all().into_iter().filter(|raw| raw.stream == open()) {
        let Event::Tournament(event) = raw.decode().unwrap() else { panic!("{raw:?}") };
        drafts.push(draft(OPEN, raw.effective_at, *event));
    }
    let now = Clock::now(&scene.clock);
    drafts.push(draft(OPEN, now, super::scene::result(9, 1, Outcome::Gold)));
    let mut other = Scene::with_id([7; 16]);
    other.clock.set(now + DAY);
    let mut importer = Importer::new(&mut other.log, "importer").unwrap();
    importer.stream(&drafts).unwrap();
    importer.finish_with(&source(), now).unwrap();
    let moved = |event: &mut TournamentEvent| {
        let TournamentEvent::ResultRecorded(result) = event else { panic!("{event:?}") };
        result.pairing.board = 2;
    };
    let changed = correction(&other, last + 1, Some(&moved));
    assert_eq!(other.refused(changed), "result.paired");
}

#[test]
fn what_a_correction_says_was_said_when_the_log_took_the_correction() {
    let mut scene = Scene::new();
    let rulebook = Rulebook::named("wcc-2015").unwrap();
    let date = |milestone, at| Deadline { milestone, at };
    let schedule = vec![
        date(Milestone::RegistrationOpens, START - DAY),
        date(Milestone::RegistrationCloses, START + 2 * DAY),
        date(Milestone::ProgramsDue, START + 3 * DAY),
    ];
    let order = AnnounceOrder { schedule, ..AnnounceOrder::default() };
    scene.take(draft(OPEN, START - 2 * DAY, TournamentEvent::Announced(announcement(&rulebook, order))));
    let TournamentEvent::PlayerRegistered(bot) = entry(1, PlayerKind::Human) else { panic!() };
    let bot =
        PlayerRegistered { kind: PlayerKind::Bot, developers: vec!["Ann".to_owned()], rating: None, ..bot };
    scene.take(draft(OPEN, START, TournamentEvent::PlayerRegistered(bot)));
    let submitted = TournamentEvent::ProgramSubmitted(ProgramSubmitted {
        player: id("p01"),
        program: "P1 1.0".to_owned(),
        digest: format!("sha256:{}", "0".repeat(64)),
        note: None,
    });
    let at = Clock::now(&scene.clock);
    let seq = scene.take(draft(OPEN, at, submitted));
    let deadline = |scene: &Scene| -> Vec<String> {
        let audit = audit_tournament(&scene.log, &open(), &Cut::NOW, &[]).unwrap();
        let verdicts = audit.events.iter().flat_map(|event| &event.verdicts);
        let asked =
            verdicts.filter(|verdict| verdict.seq == seq && verdict.rule.id.name() == "program.deadline");
        asked.map(|verdict| verdict.holds.word()).collect()
    };
    assert_eq!(deadline(&scene), ["compliant"]);
    let other = |event: &mut TournamentEvent| {
        let TournamentEvent::ProgramSubmitted(program) = event else { panic!("{event:?}") };
        program.digest = format!("sha256:{}", "1".repeat(64));
    };
    // In time it may still be another program.
    let prompt = correction(&scene, seq, Some(&other));
    scene.take(prompt);
    assert_eq!(deadline(&scene), ["compliant"]);
    scene.clock.set(START + 4 * DAY);
    let late = correction(&scene, seq, Some(&other));
    scene.take(late);
    assert_eq!(deadline(&scene), ["undetermined"], "it came after the deadline, and is said to be of before");
}
