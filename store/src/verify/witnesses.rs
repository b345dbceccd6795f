//! Outside records: receipts and sealed backups.

use annals_events::LogId;

use super::Verifying;
use super::report::Finding;
use crate::anchor::AnchorLine;
use crate::comparison::{digest_problem, first_difference, open_tables};
use crate::names::digest_path;
use crate::outside::{hash_at, stored_tree};

impl Verifying<'_> {
    pub(super) fn receipts(&mut self, log: LogId, last: u64, anchored: Option<&AnchorLine>) {
        // Events before a known rewriting are not in doubt.
        let rewritten = self.first_contradicted();
        let mut newest = 0;
        for receipt in self.options.receipts.clone() {
            let narrowed = rewritten.filter(|first| *first <= receipt.seq).unwrap_or(1);
            let found = self.ask("holding the log against a receipt", |connection| {
                Ok(if receipt.log != log {
                    Some((None, format!("it is of another log than this one, {log}")))
                } else if receipt.seq > last {
                    Some((Some(last + 1), format!("the log ends at event {last}, before it")))
                } else if receipt.seq > 0 && hash_at(connection, receipt.seq)? != Some(receipt.hash) {
                    let words = "has another hash now: the log was rewritten at or before it";
                    Some((Some(narrowed), format!("event {} {words}", receipt.seq)))
                } else if stored_tree(connection, 0..receipt.seq)?.root() != receipt.root {
                    let words = "the events up to it have another Merkle root now";
                    Some((Some(narrowed), words.to_owned()))
                } else {
                    None
                })
            });
            match found {
                Some(Some((first, problem))) => {
                    self.findings.push(Finding::Receipt { receipt, first, problem });
                }
                Some(None) => newest = newest.max(receipt.seq),
                None => {}
            }
        }
        // A receipt is printed once its events are acknowledged.
        if let Some(acknowledged) = anchored.map(AnchorLine::seq).filter(|seq| *seq < newest) {
            self.findings.push(Finding::AnchorBehind { acknowledged, receipt: newest });
        }
    }

    pub(super) fn backups(&mut self, last: u64) {
        for path in &self.options.backups {
            // A damaged backup proves nothing: only its stored hashes are compared.
            let digest = digest_problem(path);
            let is_sound = digest.is_none();
            self.findings.extend(digest.map(|problem| Finding::Digest { path: digest_path(path), problem }));
            let compared = open_tables(path)
                .map_err(|e| e.to_string())
                .and_then(|other| first_difference(&self.connection, &other).map_err(|e| e.to_string()));
            let finding = |first, problem| Finding::Backup { path: path.clone(), first, problem };
            match compared {
                Err(problem) => {
                    self.findings.push(finding(None, format!("it cannot be compared: {problem}")))
                }
                Ok(Some(first)) if !is_sound => {
                    let problem =
                        format!("its event {first} is another one, but the backup is damaged itself");
                    self.findings.push(finding(None, problem));
                }
                Ok(Some(first)) if first > last => {
                    let problem = format!("it goes on with event {first}, where the log ends");
                    self.findings.push(finding(Some(first), problem));
                }
                Ok(Some(first)) => {
                    let problem = format!("event {first} is the first that differs");
                    self.findings.push(finding(Some(first), problem));
                    self.narrow_down(first);
                }
                Ok(None) => {}
            }
        }
    }
}
