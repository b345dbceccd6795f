//! What is printed below the errors of the libraries, one function for the errors of each crate: the reason, the state that is
//! left, and the command that helps.

use std::error::Error;

#[cfg(feature = "sql")]
use annals_analytics::{Error as AnalyticsError, studies::StudyError};
#[cfg(feature = "sql")]
use annals_demo::DemoError;
use annals_events::{Family, StreamName};
#[cfg(feature = "dataset")]
use annals_features::FeatureError;
use annals_ingest::archive_events::NoSuchEvent;
use annals_ingest::output_file::OutputError;
#[cfg(feature = "dataset")]
use annals_ingest::{
    manifest::ManifestError, other_version::OtherVersion, run::IngestError, stored_games::StoredGamesError,
};
use annals_replay::draft_lines::DraftLinesError;
use annals_replay::handler::{
    BeginError, DirectError, DraftRefusal, HandlerError, ImportError, PlayError, SessionError,
};
use annals_replay::lines::{ImportLinesError, LineError, LineProblem};
use annals_replay::paragraphs::{NoSuchType, ParagraphError};
use annals_replay::point::PointError;
use annals_replay::queries::QueryError;
use annals_replay::subject::FindStreamError;
use annals_replay::{EvidenceError, ReplayError};
use annals_report::{counted, nearest};
use annals_store::{
    AppendError, BackupError, BundleError, ConfirmError, Fault, FaultKind, LossError, NotALog, OpenError,
    ProofError, ReadError, RebuildError, SalvageError, VerifiedError,
};
use annals_tournaments::refusal::Refusal;

use crate::log_file::DOCTOR;
use crate::remedies;
pub use crate::remedies::{after_close, hint};

type Failure = dyn Error + 'static;

/// What is printed with an error.
#[derive(Debug, Default)]
pub struct Advice {
    /// The message, where it is not that of the error.
    pub message: Option<String>,
    pub reason: Option<String>,
    pub state: Option<String>,
    pub hints: Vec<String>,
    /// Whether it is a finding about the data: a damaged log.
    pub is_finding: bool,
}

impl Advice {
    fn message(self, message: impl Into<String>) -> Advice {
        Advice { message: Some(message.into()), ..self }
    }

    fn reason(self, reason: impl Into<String>) -> Advice {
        Advice { reason: Some(reason.into()), ..self }
    }

    fn state(self, state: impl Into<String>) -> Advice {
        Advice { state: Some(state.into()), ..self }
    }

    fn hint(mut self, hint: impl Into<String>) -> Advice {
        self.hints.push(hint.into());
        self
    }

    fn hints(self, hints: Vec<String>) -> Advice {
        Advice { hints, ..self }
    }

    fn finding(self, is_finding: bool) -> Advice {
        Advice { is_finding, ..self }
    }

    /// This, and what it lacks from another.
    pub fn or(self, other: Advice) -> Advice {
        Advice {
            message: self.message.or(other.message),
            reason: self.reason.or(other.reason),
            state: self.state.or(other.state),
            hints: if self.hints.is_empty() { other.hints } else { self.hints },
            is_finding: self.is_finding || other.is_finding,
        }
    }
}

/// What is printed with an error.
pub fn advice(error: &Failure) -> Advice {
    let crates: &[fn(&Failure) -> Option<Advice>] = &[
        store,
        replay,
        tournaments,
        ingest,
        #[cfg(feature = "dataset")]
        dataset,
        #[cfg(feature = "dataset")]
        features,
        #[cfg(feature = "sql")]
        analytics,
        #[cfg(feature = "sql")]
        demo,
    ];
    crates.iter().find_map(|advice| advice(error)).unwrap_or_default()
}

/// The error that an error only passes on.
pub fn cause(error: &Failure) -> Option<&Failure> {
    /// For each type of error the variants that only pass on another one.
    macro_rules! passed_on {
        ($($(#[$feature:meta])? $type:ident: $($variant:ident)*;)*) => {
            $($(#[$feature])? if let Some(error) = error.downcast_ref::<$type>() {
                $(if let $type::$variant(inner) = error {
                    return Some(inner);
                })*
                return None;
            })*
        };
    }
    passed_on! {
        NotALog: Fault;
        OpenError: NotALog Fault;
        VerifiedError: Open;
        AppendError: Fault;
        ReadError: Fault;
        ProofError: Fault;
        SalvageError: Fault;
        BundleError: Read;
        EvidenceError: Bundle Replay;
        BackupError: Open Fault;
        LossError: Open Fault;
        RebuildError: Open Fault;
        ConfirmError: Fault;
        ReplayError: Read Point;
        ParagraphError: Read Write;
        FindStreamError: Name Read;
        HandlerError: Refused Replay Read Event Append Fault;
        DirectError: Refused Rulebook Handler Canonical;
        BeginError: Replay Canonical;
        PlayError: Replay;
        QueryError: Replay Refused;
        SessionError: Direct Begin Replay Read Rulebook Canonical Name;
        ImportError: Replay Read Append;
        ImportLinesError: Line;
        #[cfg(feature = "dataset")] FeatureError: Discover Stored;
        #[cfg(feature = "dataset")] StoredGamesError: Manifest;
        #[cfg(feature = "dataset")] IngestError: Discover Manifest Write;
        #[cfg(feature = "sql")] AnalyticsError: Dataset;
        #[cfg(feature = "sql")] DemoError: Output System Open Read Replay Begin Direct Handler;
    }
    None
}

fn store(error: &Failure) -> Option<Advice> {
    const UNCHANGED: &str = "nothing was changed";
    const VERIFY: &str = "`annals log verify` lists what is intact";
    const CONFIRM: &str = "where the clock is right: `annals doctor --confirm-clock REASON`";
    let advice = Advice::default;
    if let Some(Fault { kind, doing, path, detail }) = error.downcast_ref() {
        let advice = || advice().message(format!("{}: {}", path.display(), kind.says()));
        let in_detail = || advice().reason(format!("{detail}, while {doing}"));
        return Some(match kind {
            FaultKind::NotFound => advice().hint("`annals log init` creates an empty log"),
            FaultKind::ReadOnly | FaultKind::Locked => in_detail().state(UNCHANGED),
            FaultKind::DiskFull => in_detail().state("nothing that was acknowledged is lost"),
            FaultKind::Sync => in_detail().state("the events are not acknowledged: repeat the command"),
            FaultKind::Damaged => in_detail().finding(true).hint(VERIFY),
            FaultKind::Io | FaultKind::Other => in_detail().hint(DOCTOR),
            FaultKind::Denied | FaultKind::NotADatabase => in_detail(),
        });
    }
    if let Some(error) = error.downcast_ref::<NotALog>() {
        return Some(match error {
            NotALog::UnknownFormat { .. } => advice().state(UNCHANGED).hint(VERIFY),
            NotALog::Foreign { .. } | NotALog::NewerFormat { .. } => advice().state(UNCHANGED),
            NotALog::Fault(_) => advice(),
        });
    }
    if let Some(error) = error.downcast_ref::<OpenError>() {
        if let OpenError::NotALog(_) | OpenError::Fault(_) = error {
            return None;
        }
        let advice = advice().state(UNCHANGED).finding(error.is_damage());
        return Some(match error {
            OpenError::Tree { .. } => advice.hint("annals doctor --rebuild-tree"),
            OpenError::Schema { .. } | OpenError::Head { .. } => advice.hint(VERIFY),
            OpenError::LogGone { .. } | OpenError::NotTheLog { .. } | OpenError::Anchor { .. } => {
                advice.hint(DOCTOR)
            }
            _ => advice,
        });
    }
    if let Some(error) = error.downcast_ref::<VerifiedError>() {
        return Some(match error {
            VerifiedError::Open(_) => advice(),
            VerifiedError::Damaged { damage, .. } => advice().finding(true).reason(damage).hint(DOCTOR),
            VerifiedError::RealClock => advice()
                .state("nothing was appended")
                .hint("leave `--at` out; an event states its time as `effective_at`"),
            VerifiedError::NoSimulatedLog { .. } => advice()
                .reason("`--at` sets the clock of a simulated log")
                .hint("annals log init --simulated"),
        });
    }
    if let Some(LossError::Damaged { finding, .. }) = error.downcast_ref() {
        let advice = advice().finding(true).reason(finding.to_string());
        return Some(advice.state("no loss was accepted").hint(DOCTOR));
    }
    if let Some(error) = error.downcast_ref::<AppendError>() {
        return Some(match error {
            AppendError::Conflict { stream, .. } => advice()
                .reason("another process appended in the meantime")
                .hint(format!("annals log show {stream}")),
            AppendError::ClockBehind { .. } | AppendError::ClockAhead { .. } => advice().hint(CONFIRM),
            AppendError::Damaged { .. } => advice().finding(true).hint(VERIFY),
            AppendError::NotAcknowledged { .. } => {
                advice().state("the events are stored, but not acknowledged: repeat the command")
            }
            _ => advice(),
        });
    }
    if error.is::<ReadError>() || error.is::<BundleError>() {
        return Some(advice().hint(VERIFY));
    }
    if let Some(error) = error.downcast_ref::<ProofError>() {
        return Some(match error {
            ProofError::NotABeginning { .. } => advice()
                .reason("the log was rewritten or shortened, or it is another one")
                .hint("annals log verify --receipt RECEIPT"),
            ProofError::Damaged { .. } => advice().hint(VERIFY),
            _ => advice(),
        });
    }
    if let Some(error) = error.downcast_ref::<BackupError>() {
        return Some(match error {
            BackupError::Damaged { .. } => advice().finding(true).state("no backup was made").hint(VERIFY),
            _ => advice().state(UNCHANGED),
        });
    }
    if let Some(error) = error.downcast_ref::<RebuildError>() {
        return Some(match error {
            RebuildError::Damaged { .. } => advice().finding(true).state(UNCHANGED).hint(DOCTOR),
            _ => advice().state(UNCHANGED),
        });
    }
    let changes_nothing = error.is::<LossError>() || error.is::<ConfirmError>() || error.is::<SalvageError>();
    changes_nothing.then(|| advice().state(UNCHANGED))
}

fn replay(error: &Failure) -> Option<Advice> {
    const NOTHING_APPENDED: &str = "nothing was appended";
    let advice = Advice::default;
    let boxed = || error.downcast_ref::<Box<DraftRefusal>>().map(|refusal| &**refusal);
    if let Some(DraftRefusal { index, stream, event_type, reason }) = error.downcast_ref().or_else(boxed) {
        let what = format!("event {} (`{event_type}` of `{stream}`) is refused", index + 1);
        return Some(advice().message(what).reason(reason.to_string()).state(NOTHING_APPENDED));
    }
    if let Some(error) = error.downcast_ref::<DirectError>() {
        let advice = advice().state(NOTHING_APPENDED);
        return Some(match error {
            DirectError::NotAnnounced { .. } => {
                advice.hint("annals tournament announce TOURNAMENT --rulebook NAME")
            }
            DirectError::OtherRules { .. } => {
                advice.hint("`annals log append FILE` appends events from a file")
            }
            _ => advice,
        });
    }
    if let Some(error) = error.downcast_ref::<SessionError>() {
        let advice = advice().state(NOTHING_APPENDED);
        return Some(match error {
            SessionError::SeveralPlayers { players, .. } => {
                let ids: Vec<&str> = players.iter().map(|id| id.as_str()).collect();
                advice.reason(format!("their identities are {}", ids.join(", ")))
            }
            SessionError::NoSuchPlayer { name, known } => advice.hint(
                did_you_mean(name, known.iter().map(String::as_str))
                    .unwrap_or("annals tournament entry add TOURNAMENT PLAYER".to_owned()),
            ),
            SessionError::NoSuchRule { name, known, .. } => {
                advice.hints(did_you_mean(name, known.iter().copied()).into_iter().collect())
            }
            SessionError::NoSuchGame { .. } => advice.hint("`--no-game` records a result without a game"),
            _ => advice,
        });
    }
    if let Some(error) = error.downcast_ref::<BeginError>() {
        let advice = advice().state(NOTHING_APPENDED);
        return Some(match error {
            BeginError::NoPosition { .. } => advice.hint("`annals log append FILE` begins the game by hand"),
            _ => advice,
        });
    }
    if error.is::<HandlerError>() {
        return Some(advice().state(NOTHING_APPENDED));
    }
    if error.is::<ImportError>() || error.is::<ImportLinesError>() {
        return Some(advice().state("what was appended before stays: the same command skips it"));
    }
    if let Some(PlayError::NotBegun { .. }) = error.downcast_ref() {
        return Some(advice().hint("annals tournament game start TOURNAMENT PAIRING"));
    }
    if let Some(ReplayError::NoSuchStream { .. }) = error.downcast_ref() {
        return Some(advice().hint("annals log show --streams"));
    }
    if let Some(QueryError::LeftSince { .. }) = error.downcast_ref() {
        return Some(advice().reason("`--as-of` with the time of publication shows that order"));
    }
    if let Some(PointError::NotATime(_)) = error.downcast_ref() {
        return Some(advice().reason("a time is `2015-04-03T18:00`, a date `2015-04-03` (its end)"));
    }
    if let Some(LineError { problem: LineProblem::Json(_), .. }) = error.downcast_ref() {
        let fields = "a line is an object with `stream`, `type`, `effective_at` and `payload`";
        return Some(advice().reason(fields).hint("annals log append --help"));
    }
    if let Some(DraftLinesError::Line { error, .. }) = error.downcast_ref() {
        return replay(error);
    }
    if let Some(DraftLinesError::NoEvent { .. }) = error.downcast_ref() {
        return Some(advice().hint("annals log append --help"));
    }
    match error.downcast_ref() {
        Some(FindStreamError::Several { streams, .. }) => {
            let names: Vec<String> = streams.iter().map(|stream| format!("`{stream}`")).collect();
            return Some(advice().reason(format!("streams of that name are {}", names.join(", "))));
        }
        Some(FindStreamError::None { name, streams }) => return Some(near_stream(name, streams)),
        _ => {}
    }
    let NoSuchType { word, known } = error.downcast_ref()?;
    Some(match did_you_mean(word, known.iter().copied()) {
        Some(near) => advice().hint(near),
        None => advice().reason(format!("the families are {}", Family::ALL.map(Family::word).join(", "))),
    })
}

fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}

/// A stream with a similar name, or how to list them.
fn near_stream(text: &str, streams: &[StreamName]) -> Advice {
    let names = || streams.iter().map(StreamName::as_str);
    let near = match text.contains('/') {
        true => nearest(text, names()),
        false => nearest(text, streams.iter().map(StreamName::name))
            .and_then(|near| streams.iter().find(|stream| stream.name() == near).map(StreamName::as_str)),
    };
    match near {
        Some(near) => Advice::default().hint(format!("did you mean `{near}`?")),
        None if streams.len() <= 12 => {
            Advice::default().reason(format!("its streams are {}", names().collect::<Vec<_>>().join(", ")))
        }
        None => Advice::default().hint("annals log show --streams"),
    }
}

fn tournaments(error: &Failure) -> Option<Advice> {
    let boxed = || error.downcast_ref::<Box<Refusal>>().map(|refusal| &**refusal);
    let Refusal { rule, what, next } = error.downcast_ref().or_else(boxed)?;
    let advice = Advice::default().message(what);
    let advice = match rule {
        Some(rule) => {
            advice.reason(format!("{}, {}: {}", rule.id, rule.paragraph, rule.says.trim_end_matches('.')))
        }
        None => advice,
    };
    Some(advice.hints(next.iter().filter_map(remedies::hint).collect()))
}

fn ingest(error: &Failure) -> Option<Advice> {
    let advice = Advice::default;
    if let Some(error) = error.downcast_ref::<OutputError>() {
        return Some(match error {
            OutputError::Exists(_) => {
                advice().state("the file is unchanged").hint("add `--force` to overwrite it")
            }
            OutputError::System { error, .. } => advice().reason(error.to_string()),
        });
    }
    if let Some(NoSuchEvent { event, events, .. }) = error.downcast_ref() {
        let shown: Vec<String> = events
            .iter()
            .take(12)
            .map(|row| format!("`{}` ({})", row.event, counted(row.games, "game")))
            .collect();
        let more = match events.len().saturating_sub(12) {
            0 => String::new(),
            more => format!(", and {more} more: `--list` shows all"),
        };
        let near = did_you_mean(event, events.iter().map(|row| row.event.as_str()));
        let reason = format!("the events of the files are {}{more}", shown.join(", "));
        return Some(advice().reason(reason).hints(near.into_iter().collect()));
    }
    None
}

#[cfg(feature = "dataset")]
fn dataset(error: &Failure) -> Option<Advice> {
    const NEXT: &str = "delete the folder, and run `annals ingest FILE...`";
    let advice = Advice::default;
    if error.is::<IngestError>() {
        return Some(advice().state("the dataset is as it was before"));
    }
    if let Some(error) = error.downcast_ref::<ManifestError>() {
        return Some(match error {
            ManifestError::Missing { .. } => advice().hint("annals ingest FILE..."),
            ManifestError::OtherVersion(other) => other_version(other),
            ManifestError::Damaged { .. } | ManifestError::File { .. } => advice().hint(NEXT),
            ManifestError::Io { .. } => advice(),
        });
    }
    Some(match error.downcast_ref()? {
        StoredGamesError::NeitherTable { .. } => advice().hint("annals schema tables"),
        StoredGamesError::MissingColumn { table, .. } => {
            advice().hint(format!("annals schema tables {table}"))
        }
        StoredGamesError::WrongType { .. } => advice().hint("annals schema tables"),
        StoredGamesError::OneTable { missing, .. } => {
            advice().hint(format!("`annals schema tables {missing}` prints its columns"))
        }
        StoredGamesError::Damaged { .. }
        | StoredGamesError::Value { .. }
        | StoredGamesError::Contradiction { .. } => {
            advice().hint("store the games again in another home: `annals --home NEW ingest FILE...`")
        }
        _ => advice(),
    })
}

/// A dataset of another version: the commands that make it again.
#[cfg(feature = "dataset")]
fn other_version(other: &OtherVersion) -> Advice {
    /// Files that are named one by one.
    const NAMED: usize = 6;
    let advice = Advice::default().state("nothing was changed");
    if !other.is_earlier() {
        return advice.reason("a newer version of Annals wrote it");
    }
    let home = match other.folder.file_name().and(other.folder.parent()) {
        Some(home) if !home.as_os_str().is_empty() => format!(" --home {}", home.display()),
        _ => String::new(),
    };
    let made_of = other.inputs.len();
    let files = match made_of {
        0 => return advice.hint(format!("`annals{home} ingest --log` makes it again")),
        1..=NAMED => format!("{}` makes it again", other.inputs.join(" ")),
        _ => format!("FILE...` makes it again from its {made_of} files"),
    };
    let advice = advice.hint(format!("`annals{home} ingest {files}"));
    match other.has_log {
        true => advice.hint(format!("`annals{home} ingest --log` adds the games of the log")),
        false => advice,
    }
}

#[cfg(feature = "dataset")]
fn features(error: &Failure) -> Option<Advice> {
    let advice = Advice::default();
    Some(match error.downcast_ref()? {
        FeatureError::TwoKinds { .. } => advice
            .reason("a table is made of one or the other")
            .hint("store the archive file with `annals ingest FILE`, and name the dataset alone"),
        FeatureError::NotStored { .. } => advice.hint("name the archive files in place of the dataset"),
        _ => advice,
    })
}

#[cfg(feature = "sql")]
fn analytics(error: &Failure) -> Option<Advice> {
    let advice = Advice::default();
    if let Some(error) = error.downcast_ref::<AnalyticsError>() {
        let hints = match error {
            AnalyticsError::Unknown { what: "game", similar, .. } if similar.is_empty() => {
                vec!["`annals game list` lists the games".to_owned()]
            }
            error => error.hints(),
        };
        return Some(advice.finding(matches!(error, AnalyticsError::DamagedLog(_))).hints(hints));
    }
    Some(advice.hints(error.downcast_ref::<StudyError>()?.hints()))
}

#[cfg(feature = "sql")]
fn demo(error: &Failure) -> Option<Advice> {
    let DemoError::NotEmpty(..) = error.downcast_ref()? else { return None };
    Some(Advice::default().hint("annals demo --output DIR"))
}
