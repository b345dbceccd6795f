//! Permanent identifiers of what is cited. One of the log names the log, the number of its first events and the hash of the
//! last of them, so that it can be checked; one of the dataset has the dataset's digest. docs/reference/citations.md has
//! the grammar.

use std::fmt;
use std::str::FromStr;

use annals_events::{Family, Hash, LogId, Micros, StreamName};
use annals_store::{Log, ReadError};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::point::Point;
use crate::resolve::{Asked, resolve};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identifier {
    Log(Prefix),
    /// The last of the prefix.
    Event(Prefix),
    /// A game or a tournament.
    Stream {
        of: Prefix,
        stream: StreamName,
        at: Option<At>,
    },
    Dataset {
        digest: Hash,
    },
    StoredGame {
        digest: Hash,
        game: u64,
    },
    /// SHA-256 of the file.
    Chart {
        digest: Hash,
    },
}

/// The first events of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefix {
    pub log: LogId,
    pub seq: u64,
    /// Of the last of them.
    pub hash: Hash,
}

/// The point in time within a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    Time(Micros),
    Round(u32),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a valid identifier: expected `annals:KIND:…`, as `annals cite` prints it")]
pub struct NotAnIdentifier(String);

/// Why a log is not the one that an identifier names.
#[derive(Debug, thiserror::Error)]
pub enum Disagreement {
    #[error("the identifier names log {named}, and this is log {found}")]
    OtherLog { named: LogId, found: LogId },
    #[error("the identifier names event {named}, and the log has {last} events")]
    TooShort { named: u64, last: u64 },
    #[error("event {seq} has the hash {found}, and the identifier names {named}")]
    OtherHash { seq: u64, named: Hash, found: Hash },
    #[error("the first {seq} events of the log, which agree with the identifier, have no stream `{stream}`")]
    NoStream { seq: u64, stream: StreamName },
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Prefix {
    /// The first events of a log; none without an event.
    ///
    /// # Errors
    /// If the last of them cannot be read.
    pub fn of(log: &Log, seq: u64) -> Result<Option<Prefix>, ReadError> {
        Ok(log.event(seq)?.map(|event| Prefix { log: log.id(), seq, hash: event.hash }))
    }

    /// Checks that a log begins with these events.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, log: &Log) -> Result<(), Disagreement> {
        if log.id() != self.log {
            return Err(Disagreement::OtherLog { named: self.log, found: log.id() });
        }
        match log.event(self.seq)? {
            None => Err(Disagreement::TooShort { named: self.seq, last: log.last_seq()? }),
            Some(event) if event.hash != self.hash => {
                Err(Disagreement::OtherHash { seq: self.seq, named: self.hash, found: event.hash })
            }
            Some(_) => Ok(()),
        }
    }
}

/// Characters that follow an identifier in a text.
const CLOSING: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '>', '"', '”', '’'];

/// Characters of a text that is refused, as its error shows it.
const SHOWN: usize = 300;

impl Identifier {
    /// What a pasted text may name: itself, then itself without the white space and the punctuation that follow it. A name may end
    /// in a full stop, so what was recorded decides.
    ///
    /// # Errors
    /// If it names nothing in either form.
    pub fn pasted(text: &str) -> Result<Vec<Identifier>, NotAnIdentifier> {
        let bare = text.trim().trim_end_matches(CLOSING);
        let mut found: Vec<Identifier> = text.parse().into_iter().collect();
        match bare.parse() {
            Ok(identifier) if !found.contains(&identifier) => found.push(identifier),
            Err(error) if found.is_empty() => return Err(error),
            _ => {}
        }
        Ok(found)
    }

    /// A game or a tournament at a cut; none before the first event.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn of_stream(log: &Log, stream: &StreamName, cut: &Cut) -> Result<Option<Identifier>, ReadError> {
        let at = match cut.round_end.and_then(|end| end.round) {
            Some(round) => Some(At::Round(round)),
            None => cut.as_of.map(At::Time),
        };
        let of = Prefix::of(log, cut.last_seq(log)?)?;
        Ok(of.map(|of| Identifier::Stream { of, stream: stream.clone(), at }))
    }

    /// The prefix of the log that it names.
    #[must_use]
    pub const fn prefix(&self) -> Option<Prefix> {
        match self {
            Identifier::Log(of) | Identifier::Event(of) | Identifier::Stream { of, .. } => Some(*of),
            _ => None,
        }
    }

    /// Checks that a log has what it names.
    ///
    /// # Errors
    /// If it has not, or the log cannot be read.
    pub fn check(&self, log: &Log) -> Result<(), Disagreement> {
        let Some(of) = self.prefix() else { return Ok(()) };
        of.check(log)?;
        let Identifier::Stream { stream, .. } = self else { return Ok(()) };
        match log.stream(stream, of.seq)?.is_empty() {
            true => Err(Disagreement::NoStream { seq: of.seq, stream: stream.clone() }),
            false => Ok(()),
        }
    }

    /// The cut of a game or tournament that it names.
    ///
    /// # Errors
    /// If the log cannot be read, or has no such round.
    pub fn cut(&self, log: &Log) -> Result<Cut, ReplayError> {
        let Identifier::Stream { of, stream, at } = self else { return Ok(Cut::NOW) };
        let text = at.map(|at| at.to_string());
        let asked = Asked { as_of: text.as_deref(), known_at: None, seq: Some(of.seq) };
        resolve(log, Some(stream), &asked, &TimeZone::UTC)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Every time of a log is within the calendar.
            At::Time(at) => Timestamp::from_microsecond(*at).map_err(|_| fmt::Error)?.fmt(f),
            At::Round(round) => write!(f, "round:{round}"),
        }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.log, self.seq, self.hash)
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identifier::Log(of) => write!(f, "annals:log:{of}"),
            Identifier::Event(of) => write!(f, "annals:event:{of}"),
            Identifier::Stream { of, stream, at } => {
                write!(f, "annals:{}:{of}:{}", stream.family(), stream.name())?;
                at.map_or(Ok(()), |at| write!(f, "@{at}"))
            }
            Identifier::Dataset { digest } => write!(f, "annals:dataset:{digest}"),
            Identifier::StoredGame { digest, game } => write!(f, "annals:dataset:{digest}:{game}"),
            Identifier::Chart { digest } => write!(f, "annals:chart:{digest}"),
        }
    }
}

impl FromStr for Identifier {
    type Err = NotAnIdentifier;

    fn from_str(text: &str) -> Result<Identifier, NotAnIdentifier> {
        // One thing has one identifier: what is written differently is refused.
        let found = read(text).filter(|found| found.to_string() == text);
        found.ok_or_else(|| NotAnIdentifier(text.chars().take(SHOWN).collect()))
    }
}

fn read(text: &str) -> Option<Identifier> {
    let (kind, rest) = text.strip_prefix("annals:")?.split_once(':')?;
    Some(match kind {
        "log" => Identifier::Log(prefix(rest)?),
        "event" => Identifier::Event(prefix(rest)?),
        "chart" => Identifier::Chart { digest: rest.parse().ok()? },
        "dataset" => match rest.split_once(':') {
            None => Identifier::Dataset { digest: rest.parse().ok()? },
            Some((digest, game)) => {
                Identifier::StoredGame { digest: digest.parse().ok()?, game: game.parse().ok()? }
            }
        },
        family if [Family::Game.word(), Family::Tournament.word()].contains(&family) => {
            let (named, at) = match rest.split_once('@') {
                Some((named, at)) => (named, Some(point(at)?)),
                None => (rest, None),
            };
            let (of, name) = named.rsplit_once(':')?;
            let stream = format!("{family}/{name}").parse().ok()?;
            Identifier::Stream { of: prefix(of)?, stream, at }
        }
        _ => return None,
    })
}

fn prefix(text: &str) -> Option<Prefix> {
    let mut parts = text.split(':');
    let (log, seq, hash) = (parts.next()?, parts.next()?, parts.next()?);
    let prefix = Prefix { log: log.parse().ok()?, seq: seq.parse().ok()?, hash: hash.parse().ok()? };
    parts.next().is_none().then_some(prefix)
}

fn point(text: &str) -> Option<At> {
    match Point::parse(text, &TimeZone::UTC).ok()? {
        Point::Time(at) => Some(At::Time(at)),
        Point::Round(round) => Some(At::Round(round)),
        Point::Seq(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn prefixes() -> impl Strategy<Value = Prefix> {
        (any::<[u8; 16]>(), any::<u64>(), any::<[u8; 32]>()).prop_map(|(log, seq, hash)| Prefix {
            log: LogId(log),
            seq,
            hash: Hash(hash),
        })
    }

    fn identifiers() -> impl Strategy<Value = Identifier> {
        let at = prop_oneof![
            Just(None),
            any::<u32>().prop_map(|round| Some(At::Round(round))),
            (-(1_i64 << 52)..1 << 52).prop_map(|time| Some(At::Time(time))),
        ];
        let stream = ("(game|tournament)", "[a-z0-9][a-z0-9._-]{0,20}")
            .prop_filter_map("a name", |(family, name)| format!("{family}/{name}").parse().ok());
        prop_oneof![
            prefixes().prop_map(Identifier::Log),
            prefixes().prop_map(Identifier::Event),
            (prefixes(), stream, at).prop_map(|(of, stream, at)| Identifier::Stream { of, stream, at }),
            any::<[u8; 32]>().prop_map(|digest| Identifier::Dataset { digest: Hash(digest) }),
            (any::<[u8; 32]>(), any::<u64>())
                .prop_map(|(digest, game)| Identifier::StoredGame { digest: Hash(digest), game }),
            any::<[u8; 32]>().prop_map(|digest| Identifier::Chart { digest: Hash(digest) }),
        ]
    }

    proptest! {
        #[test]
        fn an_identifier_survives_its_text(identifier in identifiers()) {
            let text = identifier.to_string();
            prop_assert!(!text.contains(char::is_whitespace));
            prop_assert_eq!(text.parse::<Identifier>(), Ok(identifier));
        }

        #[test]
        fn no_text_breaks_the_reader(text in ".{0,80}") {
            let _ = text.parse::<Identifier>();
            let _ = format!("annals:{text}").parse::<Identifier>();
        }
    }

    #[test]
    fn the_punctuation_behind_a_pasted_identifier_is_left_out() {
        let (log, hash) = ("0".repeat(32), "a".repeat(64));
        for good in [
            format!("annals:tournament:{log}:7:{hash}:cup@round:5"),
            format!("annals:game:{log}:7:{hash}:cup.r12.1"),
            format!("annals:dataset:{hash}"),
        ] {
            let wanted: Identifier = good.parse().unwrap();
            for behind in ["", ".", ",", ").", ";", "\n"] {
                let found = Identifier::pasted(&format!("{good}{behind}")).unwrap();
                assert_eq!(found.last(), Some(&wanted), "{good}{behind}");
            }
        }
        // The name of a stream may end in a full stop, so both are possible.
        assert_eq!(Identifier::pasted(&format!("annals:game:{log}:7:{hash}:a.")).unwrap().len(), 2);
        let error = Identifier::pasted(&format!("annals:dataset:{hash}x.")).unwrap_err().to_string();
        assert!(error.contains(&format!("{hash}x`")), "{error}");
    }

    #[test]
    fn an_identifier_has_one_spelling() {
        let (log, hash) = ("0".repeat(32), "a".repeat(64));
        let good = format!("annals:tournament:{log}:7:{hash}:cup@2015-03-08T00:00:00Z");
        assert!(good.parse::<Identifier>().is_ok(), "{good}");
        for bad in [
            good.replace(":7:", ":07:"),
            good.replace("00:00:00Z", "00:00:00+00:00"),
            good.replace("@2015-03-08T00:00:00Z", "@2015-03-08"),
            good.replace("@2015-03-08T00:00:00Z", "@seq:3"),
            good.replace("aaa", "AAA"),
            good.replace("tournament", "people"),
            format!("{good} "),
            "annals:dataset:".to_owned(),
            String::new(),
        ] {
            assert!(bad.parse::<Identifier>().is_err(), "{bad}");
        }
    }
}
