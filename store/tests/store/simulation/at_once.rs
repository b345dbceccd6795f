//! Work at the same time: writers, commands and readers, of which any may go on between two calls to the kernel.

use super::life::Life;
use super::model::events;
use super::steps::{Fault, Numbers, Who};
use super::world::{Answer, Asked, Happened};
use crate::work;

/// A transaction that was acknowledged, with the words of its answer, and the version that its stream had to have.
struct Ack {
    number: u64,
    words: Vec<String>,
    expected: Option<u64>,
}

impl Ack {
    fn value(&self, at: usize) -> i64 {
        self.words.get(at).and_then(|word| word.parse().ok()).unwrap_or(-1)
    }

    fn is_repeated(&self) -> bool {
        self.value(3) == 1
    }
}

/// What the processes of a round were told.
#[derive(Default)]
struct Told {
    acks: Vec<Ack>,
    is_backed_up: bool,
    /// Transactions that were decided on what changed meanwhile.
    conflicts: Vec<u64>,
    /// How the clock is wrong.
    doubt: Option<String>,
}

/// The transaction of a line.
fn number_in(line: &str) -> u64 {
    line.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
}

impl Life {
    /// Several processes work; what each of them was told must hold.
    pub fn at_once(&mut self, fault: Option<Fault>, numbers: Numbers) -> Result<(), String> {
        self.backups.made += 1;
        let copy = self.world.folder.path().join(format!("copy-{}.db", self.backups.made));
        let lines = [
            (Who::Writer(0), self.lines_of_a_writer(0, numbers)),
            (Who::Writer(1), self.lines_of_a_writer(1, numbers)),
            (Who::Command, self.lines_of_a_command(&copy.display().to_string(), numbers)),
            (Who::Reader, vec!["read".to_owned(); numbers.below(140, 3) as usize]),
        ];
        let mut asked: Vec<Asked> = lines
            .into_iter()
            .filter(|(_, lines)| !lines.is_empty())
            .map(|(who, lines)| Asked { who, lines: lines.into_iter().map(|line| (line, None)).collect() })
            .collect();
        if let (Some(Fault::Call(failure)), false) = (fault, asked.is_empty()) {
            let at = numbers.below(141, asked.len() as u64) as usize;
            let lines = &mut asked[at].lines;
            let line = numbers.below(142, lines.len() as u64) as usize;
            lines[line].1 = Some(failure);
        }
        // What one process leaves after a failure, the others go on with, and then the power may fail.
        let power = match fault {
            Some(Fault::Call(_)) => numbers.once_in(143, 2).then_some(Fault::Power),
            fault => fault,
        };
        let known = self.model.acknowledged_up_to();
        let before = events(&self.world.path)?.len();
        let heard = self.world.ask_all(&asked, power, numbers);
        self.count(if asked.len() > 1 { "rounds of work at once" } else { "rounds of one process" });
        let one = |of: fn(&Happened) -> bool| heard.iter().any(|heard| of(&heard.happened));
        let power_lost = one(|happened| happened.power_lost);
        self.take_down(Happened {
            call_failed: one(|happened| happened.call_failed),
            killed: one(|happened| happened.killed),
            power_lost,
            lied: one(|happened| happened.lied),
        });

        let mut told = Told::default();
        for (asked, heard) in asked.iter().zip(&heard) {
            for ((line, failure), answer) in asked.lines.iter().zip(&heard.answers) {
                match answer {
                    Answer::Ok(words) => self.done(line, words, known, &mut told)?,
                    Answer::No { kind, reason } => {
                        let refusal = format!("`{line}` of {:?} is refused: {kind} {reason}", asked.who);
                        self.refused(asked.who, line, kind, &mut told)
                            .or((failure.is_some() && heard.has_failed).then_some(()))
                            .ok_or(refusal)?;
                    }
                    Answer::None => {}
                }
            }
        }
        // Of what such a disk has nothing is known.
        let lied = one(|happened| happened.lied);
        if !lied && (copy.exists() || told.is_backed_up) {
            self.keep(&copy)?;
        }
        self.acknowledge(told.acks, lied)?;
        if power_lost {
            return Ok(());
        }
        let there = events(&self.world.path)?;
        for number in told.conflicts {
            let stream = work::stream(number % work::STREAMS);
            if !there[before.min(there.len())..].iter().any(|event| event.stream == stream) {
                return Err(format!("transaction {number} is refused, and {stream} has no new event"));
            }
        }
        for (asked, heard) in asked.iter().zip(&heard) {
            let is_refused = heard.answers.iter().any(|answer| !matches!(answer, Answer::Ok(_)));
            if asked.who == Who::Command || (is_refused && self.world.holds(asked.who)) {
                self.close(asked.who, None, numbers);
            }
        }
        told.doubt.map_or(Ok(()), |kind| self.doubted(&kind, numbers))
    }

    /// New transactions, or some that were sent before, perhaps by another that works now.
    fn lines_of_a_writer(&mut self, writer: usize, numbers: Numbers) -> Vec<String> {
        let numbers = numbers.again(150 + writer as u64);
        let mut lines = Vec::new();
        if !self.world.holds(Who::Writer(writer)) {
            lines.push(format!("open {}", self.world.shows));
        }
        for n in 0..numbers.below(0, 4) {
            lines.push(self.line_of_a_transaction(numbers.again(n)));
        }
        match numbers.below(1, 10) {
            0 => lines.push("checkpoint".to_owned()),
            1 => lines.push("close".to_owned()),
            _ => {}
        }
        lines
    }

    fn line_of_a_transaction(&mut self, numbers: Numbers) -> String {
        let sent = self.model.sent.len() as u64;
        let number = match numbers.once_in(0, 3) && sent > 0 {
            true => sent - 1 - numbers.below(1, sent.min(4)),
            false => self.model.send(),
        };
        let verb = if numbers.once_in(2, 3) { "decide" } else { "append" };
        format!("{verb} {number} {}", self.world.shows)
    }

    fn lines_of_a_command(&mut self, copy: &str, numbers: Numbers) -> Vec<String> {
        let open = || format!("open {}", self.world.shows);
        match numbers.below(160, 4) {
            0 => Vec::new(),
            1 => vec![format!("backup {copy}")],
            _ => vec![open(), self.line_of_a_transaction(numbers.again(161)), "close".to_owned()],
        }
    }

    fn done(&mut self, line: &str, words: &[String], known: u64, told: &mut Told) -> Result<(), String> {
        let number = number_in(line);
        match line.split(' ').next().unwrap_or_default() {
            "append" => told.acks.push(Ack { number, words: words.to_vec(), expected: None }),
            "decide" => {
                let expected = words.first().and_then(|word| word.parse().ok());
                told.acks.push(Ack { number, words: words[1..].to_vec(), expected });
            }
            "backup" => {
                self.model.receipts.extend(Answer::receipt(words, 0));
                told.is_backed_up = true;
            }
            "read" => {
                let head = Answer::receipt(words, 2).ok_or("a reader has no receipt")?;
                let last: u64 = words[0].parse().unwrap_or(0);
                if words[1] != "1" || head.seq < known || last < head.seq {
                    return Err(format!("{known} events were acknowledged, and a reader sees {words:?}"));
                }
                self.model.receipts.push(head);
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes down why something was refused, where the others or the clock can be the reason.
    fn refused(&mut self, who: Who, line: &str, kind: &str, told: &mut Told) -> Option<()> {
        if self.model.doubt(self.world.shows, self.world.is_real) == Some(kind) {
            told.doubt = Some(kind.to_owned());
        } else if kind == "replaced" && self.world.is_outdated(who) {
            self.count("anchors replaced under a writer");
        } else if kind == "conflict" && line.starts_with("decide") {
            self.count("decisions on what changed meanwhile");
            told.conflicts.push(number_in(line));
        } else if kind == "locked" && line == "checkpoint" {
            self.count("checkpoints refused as locked");
        } else {
            return None;
        }
        Some(())
    }

    /// Acknowledgements, in the order of their events. Their times follow from the clock, and what was decided on what a
    /// stream had was appended to that.
    fn acknowledge(&mut self, mut acks: Vec<Ack>, lied: bool) -> Result<(), String> {
        acks.sort_by_key(|ack| (ack.value(0), ack.is_repeated()));
        for ack in &acks {
            self.model.exists = true;
            self.model.acknowledge_at_once(ack.number, &ack.words)?;
        }
        let new: Vec<&Ack> = acks.iter().filter(|ack| !ack.is_repeated()).collect();
        if let (Some(doubt), Some(_)) = (self.model.doubt(self.world.shows, self.world.is_real), new.first())
        {
            return Err(format!("a clock that is {doubt} was accepted"));
        }
        if lied {
            return Ok(());
        }
        let there = events(&self.world.path)?;
        for ack in new {
            let at = ack.value(0) as usize - 1;
            let before = there.get(at.wrapping_sub(1)).map_or(0, |event| event.recorded_at);
            let due = self.world.shows.max(before + 1);
            if there.get(at).map(|event| event.recorded_at) != Some(due) || ack.value(2) != due {
                return Err(format!("transaction {}: {:?}, where {due} was due", ack.number, ack.words));
            }
            let stream = work::stream(ack.number % work::STREAMS);
            let version = there[..at].iter().filter(|event| event.stream == stream).count() as u64;
            if ack.expected.is_some_and(|expected| expected != version) {
                return Err(format!(
                    "transaction {} expected {:?} events of its stream, and was appended to {version}",
                    ack.number, ack.expected
                ));
            }
        }
        Ok(())
    }
}
