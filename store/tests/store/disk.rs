//! A disk after the power failed, made from a recording of what processes wrote and synced. What was synced is there. What
//! was not is there, or not, or in part, in any order; names that were made or moved may be missing while the folder
//! was not synced. What a process wrote before it was killed is synced only by a later sync, and what a failed sync
//! was about by none.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use annals_store::{Log, MachineClock};

use crate::child::{Ack, Said, events_of, held};
use crate::trace::{Op, Trace};
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
pub struct Image {
    files: Vec<(String, Vec<u8>)>,
    acks: Vec<Ack>,
    pub what: String,
    /// Whether anything was not on the disk that had been written.
    pub something_lost: bool,
}

impl Image {
    /// The power fails at some instant of a span of a recording, which counts what was done before.
    pub fn of(trace: &Trace, span: RangeInclusive<usize>, seed: u64) -> Image {
        let mut dice = Dice { seed, thrown: 0 };
        let instant = span.start() + dice.below((span.end() - span.start()) as u64 + 1) as usize;
        Image::at(trace, instant, dice, |_, _| false)
    }

    /// The power fails at an instant, on a disk that lied about some syncs: those of which `lies` holds, by the name of the
    /// file and the number of the operation.
    pub fn of_liar(trace: &Trace, instant: usize, seed: u64, lies: impl Fn(&str, usize) -> bool) -> Image {
        Image::at(trace, instant, Dice { seed, thrown: 0 }, lies)
    }

    fn at(trace: &Trace, instant: usize, mut dice: Dice, lies: impl Fn(&str, usize) -> bool) -> Image {
        let seed = dice.seed;
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
        let name_of = |file: usize| {
            let created = |op: &'_ Op| matches!(op, Op::Create { file: created, .. } if *created == file);
            let known = trace.before.get(file).map(|(name, _)| name.as_str());
            let made = || {
                trace.ops.iter().find(|op| created(op)).map_or("", |op| match op {
                    Op::Create { name, .. } => name,
                    _ => "",
                })
            };
            known.unwrap_or_else(made)
        };
        for (at, op) in trace.ops[..instant].iter().enumerate() {
            match op {
                Op::Sync { file } if lies(name_of(*file), at) => {}
                Op::Create { file, .. } => {
                    files.resize_with(files.len().max(file + 1), OnDisk::default);
                    unnamed.push(op);
                }
                Op::Rename { .. } | Op::Unlink { .. } => unnamed.push(op),
                Op::Write { file, .. } | Op::Truncate { file, .. } => files[*file].pending.push(op),
                Op::Sync { file } => files[*file].sync(),
                Op::SyncFailed { file } => files[*file].fail(Fate::Pieces(4096), &mut dice),
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

    /// Makes a folder hold the files of the disk and no others.
    pub fn write(&self, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (name, bytes) in &self.files {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }

    /// Whether everything that was acknowledged is there, and the log goes on; what is wrong, if not.
    pub fn check(&self, folder: &Path, writer: u64) -> Result<(), String> {
        self.write(folder);
        let path = folder.join("log.db");
        let mut acks: Vec<(u64, Ack)> = Vec::new();
        for ack in &self.acks {
            // What was sent again was acknowledged again.
            if !acks.contains(&(writer, *ack)) {
                acks.push((writer, *ack));
            }
        }
        let next = acks.iter().map(|(_, ack)| ack.transaction + 1).max().unwrap_or(0);
        let opened = if path.exists() {
            held(&path, &acks)?;
            Log::open_for_append(&path, Box::new(MachineClock))
        } else if acks.is_empty() {
            Log::create(&path, &work::new_log(), Box::new(MachineClock))
        } else {
            return Err("the log is gone".to_owned());
        };
        let mut log = opened.map_err(|e| e.to_string())?;
        // Whether what was not acknowledged is there already or not: it is sent, and is there once.
        for transaction in 0..=next {
            if acks.iter().all(|(_, ack)| ack.transaction != transaction) {
                let done = log.append(&work::transaction(writer, transaction)).map_err(|e| e.to_string())?;
                acks.push((writer, Ack { transaction, first: done.first_seq, last: done.last_seq }));
            }
        }
        drop(log);
        match held(&path, &acks)? {
            events if events == 1 + events_of(writer, next + 1) => Ok(()),
            events => Err(format!("{events} events: something is there twice, or in part")),
        }
    }
}
