//! Processes that are killed at any instant (`kill -9`), and processes that write to one log at the same time.

use std::collections::HashMap;
use std::process::Command;
use std::time::Duration;

use annals_events::{Event, GameEvent};
use annals_store::Log;

use crate::child::{Ack, Said, command, events_of, hold, kill_after, let_go, listen};
use crate::scene::{Scene, sample};
use crate::work::{STREAMS, dice};

/// Kills that one log has to bear.
const KILLS_OF_ONE_LOG: u64 = 25;

#[test]
fn no_kill_at_any_instant_loses_or_doubles_anything() {
    let kills = sample(50, 2_000) as u64;
    let (mut acknowledged, mut left_open, mut before_any, mut finished) = (0, 0, 0, 0);
    for log in 0..kills.div_ceil(KILLS_OF_ONE_LOG) {
        let scene = Scene::on_disk();
        let path = scene.path();
        let mut acks: Vec<(u64, Ack)> = Vec::new();
        // The first transaction that is not known to be acknowledged.
        let mut next = 0;
        for kill in 0..KILLS_OF_ONE_LOG {
            // The last ones that were acknowledged are sent again: that must change nothing.
            let first = u64::saturating_sub(next, dice(&[10, log, kill]) % 4);
            // Sometimes it has little to do, and is met while it closes the log.
            let count = 1 + dice(&[11, log, kill]) % if kill % 3 == 0 { 6 } else { 200 };
            let mut child = command(&["wait", "append"], &path, &[log, first, count]).spawn().unwrap();
            let_go(&mut child);
            // Some are met while they start, create or open the log; the others while they append.
            let lines = if kill % 5 == 0 { 0 } else { dice(&[12, log, kill]) % 40 };
            let then =
                Duration::from_micros(dice(&[13, log, kill]) % if lines == 0 { 30_000 } else { 5_000 });
            let said = kill_after(child, lines, then);
            assert_eq!(said.refusals, [""; 0], "log {log}, kill {kill}");
            finished += usize::from(said.done);
            before_any += usize::from(said.acks.is_empty());
            for ack in said.acks {
                match acks.iter().find(|(_, known)| known.transaction == ack.transaction) {
                    Some((_, known)) => {
                        assert_eq!(*known, ack, "log {log}, kill {kill}: sent again, stored twice")
                    }
                    None => acks.push((log, ack)),
                }
                next = next.max(ack.transaction + 1);
            }
            if path.exists() {
                let events = hold(&path, &acks, &format!("log {log}, kill {kill}"));
                left_open += usize::from(events > 1 + events_of(log, next));
            } else {
                assert!(acks.is_empty(), "log {log}, kill {kill}: the log is gone");
            }
        }
        // Everything is sent once more, by a process that is left alone: each event is in the log once.
        let said = listen(command(&["append"], &path, &[log, 0, next + 1]).spawn().unwrap());
        assert!(said.done && said.refusals.is_empty(), "{:?}", said.refusals);
        let all: Vec<(u64, Ack)> = said.acks.into_iter().map(|ack| (log, ack)).collect();
        assert!(acks.iter().all(|known| all.contains(known)));
        assert_eq!(hold(&path, &all, &format!("log {log}, at the end")), 1 + events_of(log, next + 1));
        acknowledged += all.len();
    }
    println!(
        "{kills} kills ({before_any} before anything was acknowledged, {finished} after the end, {left_open} left a \
         transaction committed and not acknowledged): {acknowledged} transactions, 0 lost, 0 double"
    );
    assert!(acknowledged as u64 > kills);
}

/// Lets children loose at the same moment, and waits for all.
fn at_once(commands: Vec<Command>) -> Vec<Said> {
    let mut children: Vec<_> = commands.into_iter().map(|mut command| command.spawn().unwrap()).collect();
    children.iter_mut().for_each(let_go);
    children.into_iter().map(listen).collect()
}

#[test]
fn eight_processes_that_append_to_the_same_streams_leave_no_gap_and_no_double() {
    let scene = Scene::on_disk();
    let path = scene.path();
    let each = sample(20, 400) as u64;
    // The eight also race to create the log.
    let commands = (0..8).map(|writer| command(&["wait", "append"], &path, &[writer, 0, each])).collect();
    let mut acks = Vec::new();
    for (writer, said) in at_once(commands).into_iter().enumerate() {
        assert!(said.done, "{:?}", said.refusals);
        assert_eq!(said.refusals, [""; 0]);
        assert_eq!(said.acks.len() as u64, each);
        acks.extend(said.acks.into_iter().map(|ack| (writer as u64, ack)));
    }
    let events = hold(&path, &acks, "eight processes");
    assert_eq!(events, 1 + (0..8).map(|writer| events_of(writer, each)).sum::<u64>());
    println!("8 processes appended {} transactions with {events} events", acks.len());
}

#[test]
fn eight_processes_that_count_together_lose_no_update() {
    let scene = Scene::on_disk();
    let path = scene.path();
    drop(
        annals_store::Log::create(&path, &crate::work::new_log(), Box::new(annals_store::MachineClock))
            .unwrap(),
    );
    let each = sample(20, 400) as u64;
    let commands = (0..8).map(|writer| command(&["wait", "count"], &path, &[writer, each])).collect();
    let mut acknowledged = 0;
    for said in at_once(commands) {
        assert!(said.done, "{:?}", said.refusals);
        acknowledged += said.acks.len() as u64;
    }
    assert_eq!(acknowledged, 8 * each);
    let log = Log::open(&path).unwrap();
    assert_eq!(log.last_seq().unwrap(), 1 + 8 * each);
    let mut counted: HashMap<String, u64> = HashMap::new();
    for event in log.events(2..=u64::MAX) {
        let event = event.unwrap();
        let count = counted.entry(event.stream.to_string()).or_default();
        *count += 1;
        let Ok(Event::Game(GameEvent::TurnTaken(turn))) = event.decode() else { panic!("{event:?}") };
        // What its writer had read, and one more: nobody wrote in between.
        assert_eq!((event.version, u64::from(turn.number)), (*count, *count), "a lost update");
    }
    assert_eq!(counted.len() as u64, STREAMS);
    drop(log);
    hold(&path, &[], "counting");
    println!("8 processes counted to {acknowledged} together: {counted:?}");
}

#[test]
fn a_process_that_is_killed_among_others_costs_them_nothing() {
    let scene = Scene::on_disk();
    let path = scene.path();
    let each = sample(30, 300) as u64;
    let mut acks: Vec<(u64, Ack)> = Vec::new();
    let rounds = sample(3, 20) as u64;
    for round in 0..rounds {
        let start =
            |writer| command(&["wait", "append"], &path, &[writer, round * each, each]).spawn().unwrap();
        let mut children: Vec<_> = (0..8).map(start).collect();
        children.iter_mut().for_each(let_go);
        for killed in &mut children[..3] {
            std::thread::sleep(Duration::from_micros(dice(&[20, round]) % 20_000));
            killed.kill().unwrap();
        }
        let mut said: Vec<Said> = children.into_iter().map(listen).collect();
        assert!(said[3..].iter().all(|said| said.done && said.refusals.is_empty()), "{said:?}");
        // The killed ones are sent again, from their beginning.
        for writer in 0..3 {
            let again = listen(command(&["append"], &path, &[writer, round * each, each]).spawn().unwrap());
            let first = std::mem::replace(&mut said[writer as usize], again);
            assert!(first.acks.iter().all(|ack| said[writer as usize].acks.contains(ack)), "stored twice");
        }
        for (writer, said) in said.into_iter().enumerate() {
            assert_eq!(said.acks.len() as u64, each, "{:?}", said.refusals);
            acks.extend(said.acks.into_iter().map(|ack| (writer as u64, ack)));
        }
        let expected: u64 = (0..8).map(|writer| events_of(writer, (round + 1) * each)).sum();
        assert_eq!(hold(&path, &acks, &format!("round {round}")), 1 + expected);
    }
    println!("{} transactions of 8 processes, {} kills: 0 lost, 0 double", acks.len(), 3 * rounds);
}
