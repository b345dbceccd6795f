//! The way out of damage: what the report of `verify` names is done, until the log is whole again, or another takes its
//! place. Each command that is named must be accepted, and none is named twice.

use std::fs;

use annals_store::{Finding, Remedy, digest_path};

use super::model::{Fate, Harm, Model, events, report};
use super::steps::{Fault, Numbers, Who};
use super::world::{Answer, World};
use crate::trace::{Failure, How};

/// A sealed copy that was made, and whether its bytes were changed since.
#[derive(Clone)]
pub struct Kept {
    pub name: String,
    /// As they were sealed.
    pub bytes: Vec<u8>,
    pub is_changed: bool,
}

#[derive(Default)]
pub struct Backups {
    pub kept: Vec<Kept>,
    pub made: u64,
}

impl Backups {
    /// After a disk lied: those that are damaged are of no use, and are known to be.
    pub fn look_again(&mut self, world: &World) {
        self.kept.retain_mut(|kept| {
            let path = world.folder.path().join(&kept.name);
            kept.is_changed = fs::read(&path).is_ok_and(|bytes| bytes != kept.bytes);
            report(&path, &[]).is_ok_and(|report| report.is_clean())
        });
    }

    /// The newest one that is whole, as an operator looks for it.
    fn newest(&self, world: &World) -> Option<String> {
        let is_whole = |kept: &&Kept| {
            let report = report(&world.folder.path().join(&kept.name), &[]);
            report.is_ok_and(|report| report.is_clean())
        };
        self.kept.iter().rev().find(is_whole).map(|kept| kept.name.clone())
    }
}

/// Runs a command that was named, now and then with a kill or a loss of power in it, after which it is tried again.
fn run(world: &mut World, line: &str, numbers: Numbers) -> Result<Vec<String>, String> {
    for attempt in 0..4 {
        let numbers = numbers.again(attempt);
        let call = numbers.below(31, 1 + numbers.below(32, 40)) as usize;
        let fault = match numbers.below(30, 8) {
            0 if attempt < 3 => Some(Fault::Power),
            1 if attempt < 3 => Some(Fault::Call(Failure { call, how: How::Killed })),
            _ => None,
        };
        let is_power_lost = matches!(fault, Some(Fault::Power));
        match world.ask(Who::Command, line, fault, numbers).0 {
            Answer::Ok(words) => return Ok(words),
            // It was done, and nobody heard it. What the answer saw may be gone with the power.
            Answer::No { kind, reason } if attempt > 0 && (kind == "nothing" || is_done(&reason)) => {
                if !is_power_lost {
                    return Ok(Vec::new());
                }
            }
            Answer::No { kind, reason } => {
                return Err(format!("`{line}` was named, and is refused: {kind} {reason}"));
            }
            Answer::None => {}
        }
    }
    Err(format!("`{line}` does not come to its end"))
}

fn is_done(reason: &str) -> bool {
    reason.contains("is the one over the events") || reason.contains("are those of a log")
}

/// Leads out of what is wrong, if anything is.
pub fn follow(
    model: &mut Model,
    world: &mut World,
    backups: &mut Backups,
    numbers: Numbers,
) -> Result<(), String> {
    let mut done: Vec<String> = Vec::new();
    loop {
        let found = match report(&world.path, &model.receipts) {
            Ok(found) => found,
            Err(error) if model.harm.is_none() => return Err(format!("it cannot be verified: {error}")),
            // It is no log any more, or gone.
            Err(error) => {
                world.tell(error);
                saved(model, world, None, numbers)?;
                replace(model, world, backups, numbers)?;
                continue;
            }
        };
        let there = events(&world.path).unwrap_or_default();
        model.intact_is_true(&found, &there)?;
        if model.harm.is_none() {
            model.anchored(&found)?;
        }
        let damage: Vec<String> = found.damage().map(ToString::to_string).collect();
        if !damage.is_empty() && model.harm.is_none() {
            return Err(format!("nothing harmed the log, and it is damaged: {damage:#?}"));
        }
        let Some(remedy) = found.remedy() else {
            model.whole(&found, &there)?;
            model.harm = Harm::default();
            return Ok(());
        };
        world.tell(format!("{remedy:?} for {damage:?}"));
        let word = format!("{remedy:?}");
        if done.contains(&word) || done.len() > 8 {
            return Err(format!("{word} was done after {done:?}, and is named again: {damage:#?}"));
        }
        done.push(word);
        let now = world.shows;
        match remedy {
            Remedy::RestoreSchema => drop(run(world, "restore", numbers)?),
            Remedy::RebuildTree => drop(run(world, "rebuild", numbers)?),
            Remedy::Acknowledge => drop(run(world, "acknowledge", numbers)?),
            Remedy::AcceptLoss => {
                run(world, &format!("accept {now}"), numbers)?;
                let after = report(&world.path, &model.receipts)?;
                if !after.findings.iter().any(|finding| matches!(finding, Finding::LossAccepted { .. })) {
                    return Err(format!("a loss was accepted and is not recorded: {:?}", after.findings));
                }
                model.name_lost(&after, &events(&world.path)?)?;
            }
            Remedy::Backup => {
                if !model.harm.anchor && !model.harm.other {
                    return Err(format!("nothing but a receipt shows it: {damage:#?}"));
                }
                // A backup that has these events is put back; where there is none, the receipts are kept with a note.
                let is_better = |name: &String| {
                    let of_backup = report(&world.folder.path().join(name), &model.receipts);
                    of_backup.is_ok_and(|report| report.is_whole())
                };
                match backups.newest(world).filter(is_better) {
                    Some(name) => put_back(world, &name),
                    None => model.name_lost(&found, &there)?,
                }
            }
            Remedy::Salvage => {
                saved(model, world, Some(&found), numbers)?;
                replace(model, world, backups, numbers)?;
            }
            Remedy::Move { from, to } => {
                world.stop_all();
                world.change(|_| fs::rename(&from, &to).unwrap());
            }
            Remedy::NewBackup | Remedy::OtherReceipt | Remedy::Signed => {
                return Err(format!("{remedy:?}: {damage:#?}"));
            }
        }
    }
}

/// Writes out what is intact. All of it must be true, and it must be all that was found intact.
fn saved(
    model: &Model,
    world: &mut World,
    found: Option<&annals_store::Report>,
    numbers: Numbers,
) -> Result<(), String> {
    world.stop_all();
    let to = world.folder.path().join("intact.jsonl");
    let answer = world.ask(Who::Command, &format!("salvage {}", to.display()), None, numbers).0;
    let text = fs::read_to_string(&to).unwrap_or_default();
    world.change(|_| drop(fs::remove_file(&to)));
    let words = match answer {
        Answer::Ok(words) => words,
        // Neither file is there.
        Answer::No { .. } if !world.path.exists() => return Ok(()),
        other => return Err(format!("salvage is refused: {other:?}")),
    };
    let mut seqs = Vec::new();
    for line in text.lines() {
        let event: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let id: annals_events::EventId =
            serde_json::from_value(event["id"].clone()).map_err(|error| error.to_string())?;
        let payload = event["payload"].to_string();
        if model.sent_as(id).is_some_and(|sent| sent.payload.as_str() != payload) {
            return Err(format!("what was saved is not what was sent: {line}"));
        }
        seqs.extend(event["seq"].as_u64());
    }
    world.tell(format!("{} events saved ({words:?})", seqs.len()));
    let Some(found) = found.filter(|_| !model.harm.anchor && !model.harm.other) else { return Ok(()) };
    match found.intact.iter().cloned().flatten().find(|seq| !seqs.contains(seq)) {
        Some(seq) => Err(format!("event {seq} is intact by `verify`, and was not saved")),
        None => Ok(()),
    }
}

/// Puts the newest backup in the place of the log, or a new log.
pub fn replace(
    model: &mut Model,
    world: &mut World,
    backups: &mut Backups,
    numbers: Numbers,
) -> Result<(), String> {
    if let Some(name) = backups.newest(world) {
        put_back(world, &name);
        let found = report(&world.path, &model.receipts)?;
        return model.name_lost(&found, &events(&world.path)?);
    }
    world.stop_all();
    world.change(|folder| {
        for entry in fs::read_dir(folder).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
    });
    backups.kept.clear();
    world.tell("a new log");
    // No receipt is of it, and what was saved is sent again.
    model.named.append(&mut model.receipts);
    model.sent.fill(Fate::Open);
    (model.exists, model.harm) = (false, Harm::default());
    model.logs_before += 1;
    super::life::create(model, world, Who::Writer(0), None, numbers)
}

/// As the documents describe it.
pub fn put_back(world: &mut World, name: &str) {
    world.stop_all();
    world.tell(format!("{name} is put in the place of the log"));
    world.change(|folder| {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with("log.") {
                fs::remove_file(path).unwrap();
            }
        }
        let backup = folder.join(name);
        fs::write(folder.join("log.db"), fs::read(&backup).unwrap()).unwrap();
        fs::write(folder.join("log.anchor"), fs::read(annals_store::anchor_path(&backup)).unwrap()).unwrap();
        assert!(digest_path(&backup).exists());
    });
}
