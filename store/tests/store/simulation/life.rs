//! One life of a log: what is sent to it, read from it and done to it, and what must hold after each step.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use annals_store::Log;

use super::model::{Fate, Model, events, report};
use super::steps::{Act, Fault, File, Numbers, Step, Who};
use super::way_out::{self, Backups, Kept, follow};
use super::world::{Answer, Files, Happened, World};

/// A world, what is known of it, and what was kept elsewhere.
pub struct Life {
    pub world: World,
    pub model: Model,
    pub backups: Backups,
    /// The files at earlier times, and how many logs were there before.
    pub earlier: Vec<(u64, Files)>,
    pub faults: BTreeMap<String, u64>,
    /// Whether anything happened since the last check.
    has_faults: bool,
}

/// Makes the log, if there is none.
pub fn create(
    model: &mut Model,
    world: &mut World,
    who: Who,
    fault: Option<Fault>,
    numbers: Numbers,
) -> Result<(), String> {
    let line = format!("create {} {}", 1 + model.logs_before, world.shows);
    let (answer, happened) = world.ask(who, &line, fault, numbers);
    model.harm.other |= happened.lied;
    match (answer, happened) {
        (Answer::Ok(words), _) => {
            model.receipts.extend(Answer::receipt(&words, 0));
            model.exists = true;
        }
        (Answer::No { reason, .. }, happened) if !happened.call_failed => {
            return Err(format!("no log can be made: {reason}"));
        }
        _ => {}
    }
    world.stop_all();
    Ok(())
}

impl Life {
    pub fn new(seed: u64) -> Life {
        Life {
            world: World::new(seed),
            model: Model::default(),
            backups: Backups::default(),
            earlier: Vec::new(),
            faults: BTreeMap::new(),
            has_faults: false,
        }
    }

    pub fn count(&mut self, fault: &str) {
        self.has_faults = true;
        *self.faults.entry(fault.to_owned()).or_default() += 1;
    }

    /// Requests something, and takes down what happened.
    fn ask(&mut self, who: Who, line: &str, fault: Option<Fault>, numbers: Numbers) -> (Answer, Happened) {
        let (answer, happened) = self.world.ask(who, line, fault, numbers);
        self.take_down(happened);
        (answer, happened)
    }

    pub fn take_down(&mut self, happened: Happened) {
        if happened.lied {
            self.model.harm.other = true;
            self.backups.look_again(&self.world);
        }
        for (happened, name) in [
            (happened.call_failed, "failing calls"),
            (happened.killed, "kills"),
            (happened.power_lost && !happened.lied, "losses of power"),
            (happened.lied, "losses of power after false syncs"),
        ] {
            if happened {
                self.count(name);
            }
        }
    }

    pub fn close(&mut self, who: Who, fault: Option<Fault>, numbers: Numbers) {
        self.ask(who, "close", fault, numbers);
    }

    /// Opens the log where it is not open. Whether it is now.
    fn open(&mut self, who: Who, fault: Option<Fault>, numbers: Numbers) -> Result<bool, String> {
        if self.world.holds(who) {
            return Ok(true);
        }
        let line = format!("open {}", self.world.shows);
        match self.ask(who, &line, fault, numbers) {
            (Answer::Ok(_), _) => Ok(self.world.holds(who)),
            (Answer::No { kind, reason }, happened) if !happened.call_failed => {
                Err(format!("the log cannot be opened: {kind} {reason}"))
            }
            _ => Ok(false),
        }
    }

    /// Sends a transaction. Whether it was acknowledged.
    fn send(
        &mut self,
        who: Who,
        number: u64,
        fault: Option<Fault>,
        numbers: Numbers,
    ) -> Result<bool, String> {
        // What fails, fails while it is opened or while it appends.
        let in_opening = numbers.once_in(40, 3);
        let (at_open, at_append) = if in_opening { (fault, None) } else { (None, fault) };
        if !self.model.exists && !self.world.path.exists() {
            create(&mut self.model, &mut self.world, who, at_open, numbers)?;
            return Ok(false);
        }
        if !self.open(who, at_open, numbers)? {
            return Ok(false);
        }
        let (now, is_real) = (self.world.shows, self.world.is_real);
        let (answer, happened) = self.ask(who, &format!("append {number} {now}"), at_append, numbers);
        let is_done = match answer {
            Answer::Ok(words) => {
                self.model.exists = true;
                self.model.acknowledge(number, &words, now, is_real)?;
                true
            }
            Answer::No { kind, .. } if self.model.doubt(now, is_real) == Some(kind.as_str()) => {
                // After a loss of power the log may need another command first.
                if !happened.power_lost {
                    self.doubted(&kind, numbers)?;
                }
                false
            }
            // The handle is of the anchor before a loss was accepted: it is opened again.
            Answer::No { kind, .. } if kind == "replaced" && self.world.is_outdated(who) => {
                self.count("anchors replaced under a writer");
                self.close(who, None, numbers);
                false
            }
            Answer::No { kind, reason } if !happened.call_failed && self.model.harm.is_none() => {
                return Err(format!("transaction {number} is refused: {kind} {reason}"));
            }
            // After a failure the log is opened again.
            Answer::No { .. } => {
                self.close(who, None, numbers);
                false
            }
            Answer::None => false,
        };
        if who == Who::Command && !happened.power_lost && !happened.killed {
            self.close(who, None, numbers);
        }
        Ok(is_done)
    }

    /// The clock was refused: it is set right, or confirmed to be.
    pub fn doubted(&mut self, kind: &str, numbers: Numbers) -> Result<(), String> {
        self.count("clocks refused");
        let (time, is_real) = (self.world.time, self.world.is_real);
        if self.model.doubt(time, is_real).is_none() && numbers.once_in(41, 2) {
            self.world.shows = time;
            return Ok(());
        }
        let line = format!("confirm {}", self.world.shows);
        match self.ask(Who::Command, &line, None, numbers) {
            (Answer::Ok(words), _) => {
                self.model.receipts.extend(Answer::receipt(&words, 0));
                self.ask(Who::Command, "close", None, numbers);
                Ok(())
            }
            (answer, _) => Err(format!("a clock that is {kind} cannot be confirmed: {answer:?}")),
        }
    }

    fn act(&mut self, step: &Step) -> Result<(), String> {
        let Step { act, fault, numbers, .. } = *step;
        match act {
            Act::Append(who) => {
                let number = self.model.send();
                self.send(who, number, fault, numbers)?;
            }
            Act::Retry(who) => {
                let sent = self.model.sent.len() as u64;
                // One that nobody acknowledged, where there is one.
                let open = (0..sent).rev().find(|n| self.model.sent[*n as usize] == Fate::Open);
                let any = (sent > 0).then(|| numbers.below(50, sent));
                if let Some(number) = open.filter(|_| numbers.below(51, 3) > 0).or(any) {
                    self.send(who, number, fault, numbers)?;
                }
            }
            Act::AtOnce if self.model.exists => self.at_once(fault, numbers)?,
            Act::AtOnce => {
                let number = self.model.send();
                self.send(Who::Writer(0), number, fault, numbers)?;
            }
            Act::Close(who) => self.close(who, fault, numbers),
            Act::Checkpoint(who) => drop(self.ask(who, "checkpoint", fault, numbers)),
            Act::Clock(by) => {
                self.world.shows += by * 1_000_000;
                self.count("jumps of the clock");
            }
            Act::ClockRight => self.world.shows = self.world.time,
            // Nothing else can be done where nothing was acknowledged.
            _ if !self.model.exists => {}
            Act::Read => self.read(numbers)?,
            Act::Backup => self.backup(fault, numbers)?,
            Act::Restore => {
                if !self.backups.kept.is_empty() {
                    self.count("backups restored");
                    way_out::replace(&mut self.model, &mut self.world, &mut self.backups, numbers)?;
                }
            }
            Act::Flip(file, bits) => self.flip(file, bits, numbers),
            Act::Cut(file) => self.cut(file, numbers),
            Act::PutBack(files) => self.put_back(files, numbers),
            Act::NoAnchor => {
                self.rest(numbers, true);
                let anchor = self.world.file(File::Anchor);
                self.world.change(|_| drop(fs::remove_file(anchor)));
                self.model.harm.anchor = true;
                self.count("anchors removed");
            }
            Act::FlipReceipt => self.flip_receipt(numbers)?,
            Act::FlipBackup => self.flip_backup(numbers)?,
        }
        Ok(())
    }

    pub fn look_at_backups(&self) -> Result<(), String> {
        for kept in &self.backups.kept {
            let found = report(&self.world.folder.path().join(&kept.name), &[]);
            let is_clean = found.as_ref().is_ok_and(|report| report.is_clean());
            if is_clean == kept.is_changed {
                let (name, is_changed) = (&kept.name, kept.is_changed);
                return Err(format!("{name} was changed: {is_changed}, but is found to be {found:?}"));
            }
        }
        Ok(())
    }

    fn backup(&mut self, fault: Option<Fault>, numbers: Numbers) -> Result<(), String> {
        self.backups.made += 1;
        let name = format!("copy-{}.db", self.backups.made);
        let path = self.world.folder.path().join(name);
        let line = format!("backup {}", path.display());
        let (mut answer, mut happened) = self.ask(Who::Command, &line, fault, numbers);
        if happened.lied {
            // Nothing is known of it.
            return Ok(());
        }
        if answer == Answer::None || happened.call_failed {
            // A file of that name is complete; else the same command makes it.
            if !path.exists() {
                (answer, happened) = self.ask(Who::Command, &line, None, numbers);
            } else {
                answer = Answer::Ok(Vec::new());
            }
        }
        match answer {
            Answer::Ok(words) => {
                self.model.receipts.extend(Answer::receipt(&words, 0));
                self.keep(&path)
            }
            answer => Err(format!("no backup is made: {answer:?} {happened:?}")),
        }
    }

    /// Knows of a backup that has its name.
    pub fn keep(&mut self, path: &Path) -> Result<(), String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        self.backups.kept.push(Kept { name, bytes, is_changed: false });
        self.look_at_backups()
    }

    /// What readers do: every receipt that was ever printed is proven, and some events.
    fn read(&mut self, numbers: Numbers) -> Result<(), String> {
        let log = Log::open_verified(&self.world.path).map_err(|error| error.to_string())?;
        let last = log.last_seq().map_err(|error| error.to_string())?;
        for head in &self.model.receipts {
            let proof = log.prove_consistency(head).map_err(|error| format!("{head}: {error}"))?;
            if !proof.holds() {
                return Err(format!("the proof of {head} does not hold"));
            }
        }
        for n in 0..3 {
            let proof = log.prove_inclusion(1 + numbers.below(90 + n, last)).map_err(|e| e.to_string())?;
            if !proof.holds() {
                return Err(format!("the proof of event {} does not hold", proof.event.seq));
            }
        }
        self.look_at_backups()
    }

    /// What must hold after a step, after what is named was done. Where nothing happened, now and then.
    fn check(&mut self, numbers: Numbers) -> Result<(), String> {
        if !self.model.exists {
            return self.check_before_creation(numbers);
        }
        let happened = std::mem::take(&mut self.has_faults);
        if !happened && self.model.harm.is_none() && numbers.below(101, 3) > 0 {
            return Ok(());
        }
        // The log may be at work while its anchor changes.
        if self.model.harm.inside || self.model.harm.other {
            self.world.stop_all();
        }
        follow(&mut self.model, &mut self.world, &mut self.backups, numbers)?;
        if numbers.once_in(100, 3) {
            self.earlier.push((self.model.logs_before, self.world.files()));
        }
        Ok(())
    }

    /// Nothing was acknowledged: there is a log, or there is none and one can be made. A disk that lies is excused.
    fn check_before_creation(&mut self, numbers: Numbers) -> Result<(), String> {
        if !self.world.path.exists() {
            return self.model.find(&[]);
        }
        match report(&self.world.path, &[]) {
            Ok(found) if found.is_whole() => self.model.find(&events(&self.world.path)?),
            _ if self.model.harm.other => {
                way_out::replace(&mut self.model, &mut self.world, &mut self.backups, numbers)
            }
            Ok(found) => Err(format!("an interrupted creation left damage: {:?}", found.findings)),
            Err(error) => Err(format!("an interrupted creation left what cannot be opened: {error}")),
        }
    }

    /// In the end the clock is right, everything is sent once more, and everything is there once.
    fn end(&mut self, seed: u64) -> Result<(), String> {
        let numbers = Numbers::of(seed, 1_000);
        for number in 0..self.model.sent.len() as u64 {
            let mut tries = 0;
            while self.model.sent[number as usize] == Fate::Open {
                self.world.shows = self.world.time;
                self.world.tick();
                tries += 1;
                if tries > 5 {
                    return Err(format!("transaction {number} is not accepted"));
                }
                let who = Who::Writer(number as usize % 2);
                self.send(who, number, None, numbers.again(tries))?;
                self.check(numbers.again(tries + 10))?;
            }
        }
        if self.model.exists {
            self.read(numbers)?;
        }
        Ok(())
    }

    /// Lives through the steps.
    pub fn run(&mut self, seed: u64, steps: &[Step]) -> Result<(), String> {
        for step in steps {
            self.world.tick();
            self.world.tell(format!("step {}: {:?} {:?}", step.number, step.act, step.fault));
            self.act(step)?;
            self.check(step.numbers.again(99))?;
        }
        self.world.tell("the end");
        self.end(seed)
    }
}
