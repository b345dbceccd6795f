//! The head of a log: number of events, hash of the last, root over all. As one line it is an auditor's receipt, which
//! proves that a later log begins with the same events.

use std::fmt;
use std::str::FromStr;

use annals_events::{Hash, LogId};
use serde::{Deserialize, Serialize};

/// Prefix of a receipt.
pub const RECEIPT: &str = "annals-head/1";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Head {
    pub log: LogId,
    /// 0 only before the first event.
    pub seq: u64,
    /// Of the last event, or the genesis.
    pub hash: Hash,
    /// Of the Merkle tree over all events.
    pub root: Hash,
}

impl Head {
    /// As in receipts and the anchor.
    pub(crate) fn words(&self) -> String {
        format!("log={} seq={} hash={} root={}", self.log, self.seq, self.hash, self.root)
    }

    /// Reads what [`Head::words`] writes.
    pub(crate) fn from_words<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Head> {
        let mut value = |key: &str| words.next()?.strip_prefix(key)?.strip_prefix('=');
        let log = value("log")?.parse().ok()?;
        let seq = whole_number(value("seq")?)?;
        let hash = value("hash")?.parse().ok()?;
        let root = value("root")?.parse().ok()?;
        Some(Head { log, seq, hash, root })
    }
}

/// Digits, without sign or leading zeros.
pub(crate) fn whole_number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{RECEIPT} {}", self.words())
    }
}

/// Not a receipt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a valid receipt: expected `{RECEIPT} log=… seq=… hash=… root=…`")]
pub struct ReceiptError {
    /// The first 80 characters.
    pub found: String,
}

impl FromStr for Head {
    type Err = ReceiptError;

    fn from_str(text: &str) -> Result<Head, ReceiptError> {
        let read = || {
            let mut words = text.trim().split(' ');
            words.next().filter(|word| *word == RECEIPT)?;
            let head = Head::from_words(&mut words)?;
            words.next().is_none().then_some(head)
        };
        read().ok_or_else(|| ReceiptError { found: text.chars().take(80).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_survives_its_line_and_nothing_else_is_one() {
        let head = Head { log: LogId([1; 16]), seq: 1234, hash: Hash([2; 32]), root: Hash([3; 32]) };
        let line = head.to_string();
        assert_eq!(line.parse(), Ok(head));
        assert_eq!(format!("{line}\n").parse(), Ok(head));
        for bad in ["", "annals-head/1", &line.replace("seq=", "seq=0"), &format!("{line} x"), &line[1..]] {
            assert!(bad.parse::<Head>().is_err(), "{bad}");
        }
    }
}
