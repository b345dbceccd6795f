//! The power fails at any instant: from a recording of what a process wrote and synced, the disk is made as it may be
//! found afterwards. What was synced is there. What was not is there, or not, or in part, in any order; names that
//! were made or moved may be missing while the folder was not synced. On every such disk the log must open,
//! be whole, hold everything that had been acknowledged, and go on.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use annals_store::{Log, MachineClock};

use crate::child::{Ack, Said, command, events_of, held, kill_after, let_go, listen};
use crate::scene::{sample, tempdir_in_memory};
use crate::trace::{Op, Trace, record};
use crate::work::{self, dice};

/// Numbers without end, from a seed.
struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.thrown += 1;
        dice(&[30, self.seed, self.thrown]) % n
    }

    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// What becomes of what was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// All of it is lost.
    Lost,
    /// All of it is there, but the last, which is torn at a sector.
    LastTorn,
    /// Each write is there or not.
    Any,
    /// Each piece of so many bytes is there or not, whichever write it came from.
    Pieces(usize),
}

/// A file on its way to the disk.
#[derive(Debug, Clone, Default)]
struct OnDisk<'t> {
    synced: Vec<u8>,
    pending: Vec<&'t Op>,
}

fn apply(op: &Op, bytes: &mut Vec<u8>, mut keep: impl FnMut(usize) -> bool, piece: usize) {
    match op {
        Op::Truncate { length, .. } if keep(0) => bytes.resize(*length as usize, 0),
        Op::Write { at, bytes: written, .. } => {
            let (mut from, end) = (*at as usize, *at as usize + written.len());
            while from < end {
                // Pieces lie on the disk at multiples of their length.
                let to = end.min((from / piece + 1) * piece);
                if keep(from / piece) {
                    if bytes.len() < to {
                        bytes.resize(to, 0);
                    }
                    bytes[from..to].copy_from_slice(&written[from - *at as usize..to - *at as usize]);
                }
                from = to;
            }
        }
        _ => {}
    }
}

/// Larger than any write: such a piece is the whole write.
const WHOLE: usize = 1 << 30;

impl OnDisk<'_> {
    fn sync(&mut self) {
        for op in std::mem::take(&mut self.pending) {
            apply(op, &mut self.synced, |_| true, WHOLE);
        }
    }

    fn fail(&mut self, fate: Fate, dice: &mut Dice) {
        let pending = std::mem::take(&mut self.pending);
        let count = pending.len();
        for (i, op) in pending.into_iter().enumerate() {
            match fate {
                Fate::Lost => {}
                Fate::LastTorn if i + 1 < count => apply(op, &mut self.synced, |_| true, WHOLE),
                Fate::LastTorn => {
                    // The beginning is there, up to a sector.
                    let sectors = dice.below(10) as usize;
                    let mut seen = BTreeSet::new();
                    apply(
                        op,
                        &mut self.synced,
                        |sector| {
                            seen.insert(sector);
                            seen.len() <= sectors
                        },
                        512,
                    );
                }
                Fate::Any => {
                    let kept = dice.once_in(2);
                    apply(op, &mut self.synced, |_| kept, WHOLE);
                }
                Fate::Pieces(piece) => apply(op, &mut self.synced, |_| dice.once_in(2), piece),
            }
        }
    }
}

/// The names of the folder, applied in order: those that are synced, and those of the rest that are kept.
fn name(names: &mut HashMap<String, usize>, op: &Op) {
    match op {
        Op::Create { name, file } => {
            names.insert(name.clone(), *file);
        }
        Op::Rename { from, to } => {
            // Without its first name a file cannot get a second.
            if let Some(file) = names.remove(from) {
                names.insert(to.clone(), file);
            }
        }
        Op::Unlink { name } => {
            names.remove(name);
        }
        _ => {}
    }
}

/// A disk after the power failed.
struct Image {
    files: Vec<(String, Vec<u8>)>,
    acks: Vec<Ack>,
    what: String,
    /// Whether anything was not on the disk that had been written.
    something_lost: bool,
}

impl Image {
    fn of(trace: &Trace, seed: u64) -> Image {
        let mut dice = Dice { seed, thrown: 0 };
        let instant = dice.below(trace.ops.len() as u64 + 1) as usize;
        let fate = match dice.below(6) {
            0 => Fate::Lost,
            1 => Fate::LastTorn,
            2 => Fate::Any,
            3 => Fate::Pieces(4096),
            _ => Fate::Pieces(512),
        };
        let mut files: Vec<OnDisk<'_>> = trace
            .before
            .iter()
            .map(|(_, bytes)| OnDisk { synced: bytes.clone(), pending: Vec::new() })
            .collect();
        let mut names: HashMap<String, usize> =
            trace.before.iter().enumerate().map(|(file, (name, _))| (name.clone(), file)).collect();
        let mut unnamed: Vec<&Op> = Vec::new();
        let mut said = Vec::new();
        for op in &trace.ops[..instant] {
            match op {
                Op::Create { file, .. } => {
                    files.resize_with(files.len().max(file + 1), OnDisk::default);
                    unnamed.push(op);
                }
                Op::Rename { .. } | Op::Unlink { .. } => unnamed.push(op),
                Op::Write { file, .. } | Op::Truncate { file, .. } => files[*file].pending.push(op),
                Op::Sync { file } => files[*file].sync(),
                Op::SyncFolder => unnamed.drain(..).for_each(|op| name(&mut names, op)),
                Op::Say { bytes } => said.extend_from_slice(bytes),
            }
        }
        let something_lost = !unnamed.is_empty() || files.iter().any(|file| !file.pending.is_empty());
        let kept_names = dice.below(unnamed.len() as u64 + 1) as usize;
        let in_order = dice.once_in(2);
        for (i, op) in unnamed.into_iter().enumerate() {
            let kept = if in_order { i < kept_names } else { dice.once_in(2) };
            if kept {
                name(&mut names, op);
            }
        }
        for file in &mut files {
            file.fail(fate, &mut dice);
        }
        let mut found: Vec<(String, Vec<u8>)> =
            names.into_iter().map(|(name, file)| (name, files[file].synced.clone())).collect();
        found.sort();
        let what = format!("seed {seed}: power lost at {instant} of {}, {fate:?}", trace.ops.len());
        Image { files: found, acks: Said::from_lines(&said).acks, what, something_lost }
    }

    /// Whether everything that was acknowledged is there, and the log goes on; what is wrong, if not.
    fn check(&self, folder: &Path, writer: u64, acknowledged_before: &[Ack]) -> Result<(), String> {
        for entry in fs::read_dir(folder).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (name, bytes) in &self.files {
            fs::write(folder.join(name), bytes).unwrap();
        }
        let path = folder.join("log.db");
        let known = acknowledged_before.iter().chain(&self.acks);
        let mut acks: Vec<(u64, Ack)> = known.map(|ack| (writer, *ack)).collect();
        let next = acks.last().map_or(0, |(_, ack)| ack.transaction + 1);
        let opened = if path.exists() {
            held(&path, &acks)?;
            Log::open_for_append(&path, Box::new(MachineClock))
        } else if acks.is_empty() {
            Log::create(&path, &work::new_log(), Box::new(MachineClock))
        } else {
            return Err("the log is gone".to_owned());
        };
        let mut log = opened.map_err(|e| e.to_string())?;
        // Whether the next transaction is there already or not: it is sent, and is there once.
        let done = log.append(&work::transaction(writer, next)).map_err(|e| e.to_string())?;
        drop(log);
        acks.push((writer, Ack { transaction: next, first: done.first_seq, last: done.last_seq }));
        match held(&path, &acks)? {
            events if events == 1 + events_of(writer, next + 1) => Ok(()),
            events => Err(format!("{events} events: something is there twice, or in part")),
        }
    }
}

/// Recordings of a log that is created and filled; of one that is opened again, filled and closed; of one whose last
/// writer was killed. Each with what had been acknowledged before it.
fn recordings() -> Option<Vec<(Trace, Vec<Ack>)>> {
    let folder = tempdir_in_memory();
    let path = folder.path().join("log.db");
    let writer = 0;
    let mut acks = Vec::new();
    let mut traces = Vec::new();
    let mut session = |acks: &mut Vec<Ack>, first: u64, count: u64| {
        let trace = record(folder.path(), command(&["wait", "append"], &path, &[writer, first, count]))?;
        let known = acks.clone();
        let said = |op: &Op| match op {
            Op::Say { bytes } => Said::from_lines(bytes).acks,
            _ => Vec::new(),
        };
        acks.extend(trace.ops.iter().flat_map(said));
        assert_eq!(acks.last().map(|ack| ack.transaction), Some(first + count - 1));
        traces.push((trace, known));
        Some(())
    };
    session(&mut acks, 0, 60)?;
    session(&mut acks, 60, 40)?;
    let mut killed = command(&["wait", "append"], &path, &[writer, 100, 10_000]).spawn().unwrap();
    let_go(&mut killed);
    let said = kill_after(killed, 60, Duration::from_micros(300));
    acks.extend(said.acks);
    let next = acks.len() as u64;
    session(&mut acks, next, 40)?;
    // The recording itself disturbed nothing.
    let end = listen(command(&["append"], &path, &[writer, 0, next + 40]).spawn().unwrap());
    assert_eq!(end.acks, acks);
    Some(traces)
}

#[test]
fn no_loss_of_power_at_any_instant_loses_what_was_acknowledged() {
    let Some(recordings) = recordings() else {
        eprintln!(
            "skipped: this system does not permit to trace a process (ptrace), so no writes can be recorded"
        );
        return;
    };
    for (trace, _) in &recordings {
        let count = |wanted: fn(&Op) -> bool| trace.ops.iter().filter(|op| wanted(op)).count();
        let (writes, syncs) =
            (count(|op| matches!(op, Op::Write { .. })), count(|op| matches!(op, Op::Sync { .. })));
        assert!(writes > 200 && syncs > 80, "{writes} writes and {syncs} syncs were recorded");
        println!("recorded {} operations, {writes} writes and {syncs} syncs among them", trace.ops.len());
    }
    let images = sample(150, 10_000);
    let (next, lossy) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let folder = tempdir_in_memory();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= images {
                break;
            }
            let (trace, acknowledged_before) = &recordings[seed % recordings.len()];
            let image = Image::of(trace, seed as u64);
            lossy.fetch_add(usize::from(image.something_lost), Ordering::Relaxed);
            let checked = image.check(folder.path(), 0, acknowledged_before);
            assert_eq!(checked, Ok(()), "{}", image.what);
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(work);
        work();
        other.join().unwrap();
    });
    println!(
        "{images} disks after a loss of power, {lossy:?} of them with writes lost or torn: 0 acknowledged events lost"
    );
    assert!(lossy.into_inner() > images / 2);
}

#[test]
fn a_disk_that_lies_about_its_syncs_is_found_out() {
    // The trial itself is tried: were nothing ever synced, it must fail.
    let Some(recordings) = recordings() else { return };
    let (mut trace, acknowledged_before) = recordings.into_iter().next().unwrap();
    trace.ops.retain(|op| !matches!(op, Op::Sync { .. }));
    let folder = tempdir_in_memory();
    let mut wrong = 0;
    for seed in 0..40 {
        wrong += usize::from(Image::of(&trace, seed).check(folder.path(), 0, &acknowledged_before).is_err());
    }
    assert!(wrong > 20, "only {wrong} of 40 such disks were found wanting");
}
