//! What is printed with the errors of the libraries, one function for the errors of each crate: the reason, the state that is
//! left, and the command that helps.

use std::error::Error;

#[cfg(feature = "sql")]
use annals_analytics::Error as AnalyticsError;
#[cfg(feature = "sql")]
use annals_demo::DemoError;
use annals_events::{Family, StreamName};
#[cfg(feature = "dataset")]
use annals_features::FeatureError;
use annals_ingest::archive_events::NoSuchEvent;
use annals_ingest::history::{NoSuchTable, TABLES};
use annals_ingest::imported::RecordingError;
use annals_ingest::named_file::NamedFileError;
use annals_ingest::output_file::OutputError;
use annals_ingest::state_file::OpenStateError;
#[cfg(feature = "dataset")]
use annals_ingest::{run::IngestError, stored_games::StoredGamesError};
use annals_replay::draft_lines::DraftLinesError;
use annals_replay::handler::{
    BeginError, CorrectionError, DirectError, DraftRefusal, HandlerError, ImportError, PlayError,
    QualifyingImportError, Reason, RecordGameError, RenameError, SessionError,
};
use annals_replay::lines::{ImportLinesError, LineError, LineProblem};
use annals_replay::paragraphs::{NoSuchType, ParagraphError};
use annals_replay::point::PointError;
use annals_replay::queries::QueryError;
use annals_replay::queries::explain::NoSuchSubject;
use annals_replay::subject::FindStreamError;
use annals_replay::{EvidenceError, ReplayError, SupposedResultError};
use annals_report::{counted, nearest};
use annals_rules::GameViolation;
use annals_store::tlog::actor_signing::ActorSigningError;
use annals_store::tlog::key::KeyError;
use annals_store::tlog::signing::SigningError;
use annals_store::tlog::witness::WitnessError;
use annals_store::{
    AppendError, BackupError, BundleError, ConfirmError, Fault, FaultKind, LossError, NotALog, OpenError,
    ProofError, ReadError, RepairError, SalvageError, VerifiedError,
};
use annals_tournaments::refusal::{Refusal, Remedy};
use annals_tournaments::rulebook::RuleId;
use jiff::Timestamp;

use crate::errors::{CliError, DOCTOR, UNCHANGED};
use crate::remedies;
pub use crate::remedies::hint_about;
use crate::values::shell_path;

/// Returns from the function with what is printed with an error of one of these types.
macro_rules! table {
    ($error:ident: $($type:ty { $($pattern:pat $(if $when:expr)? => $advice:expr,)+ })+) => {
        $(if let Some(found) = $error.downcast_ref::<$type>() {
            return Some(match found { $($pattern $(if $when)? => $advice,)+ });
        })+
    };
}

#[cfg(feature = "dataset")]
mod dataset;

type Failure = dyn Error + 'static;

pub const VERIFY: &str = "`annals log verify` lists what is intact";

/// The command to run next on a damaged log: it changes nothing, and writes what is intact.
pub const NEXT: &str = "annals doctor --salvage intact.jsonl";
/// Syncs and acknowledges what is stored. Many commands would record it a second time.
const ACKNOWLEDGE: &str =
    "`annals doctor --acknowledge`; run the command again only if `annals log show` does not list its events";
const AFTER_FULL_DISK: &str =
    "free space or raise the limit; run the command again only if `annals log show` does not list its events";
const AGAIN: &str = "repair the disk or free space, then run the command again";
const IMPORTED: &str = "what was appended before stays: the same command skips it";
const NOTHING_APPENDED: &str = "nothing was appended";

/// What is read as a position.
pub const A_POSITION: &str = "a position is `g [64 letters from a8 to h1]`, the drawing of a board with its side to move, or a turn \
                              of a game; docs/reference/games.md shows each form";

impl CliError {
    /// From any error of a library: its causes are the reason, and the table of hints adds what to do next.
    pub fn from_error(error: &Failure) -> CliError {
        let mut error = error;
        let mut found = advise(error);
        while let Some(inner) = cause(error) {
            error = inner;
            found = advise(inner).or(found);
        }
        let message = found.to_string();
        let mut causes: Vec<String> = Vec::new();
        let mut source = error.source();
        while let Some(next) = source {
            let text = next.to_string();
            if !message.contains(&text) && !causes.iter().any(|cause| cause.contains(&text)) {
                causes.push(text);
            }
            found = found.or(advise(next));
            source = next.source();
        }
        if causes.is_empty() { found } else { found.reason_if_none(causes.join(": ")) }
    }
}

/// `?` turns every error of a library into an error of the program.
impl<E: Error + 'static> From<E> for CliError {
    fn from(error: E) -> CliError {
        CliError::from_error(&error)
    }
}

/// What is printed with an error, as far as it is its own.
fn advise(error: &Failure) -> CliError {
    type Table = fn(&Failure, CliError) -> Option<CliError>;
    let crates: &[Table] = &[
        store,
        replay,
        tournaments,
        ingest,
        #[cfg(feature = "dataset")]
        dataset::dataset,
        #[cfg(feature = "sql")]
        dataset::sql,
    ];
    let found = crates.iter().find_map(|table| table(error, CliError::of(error)));
    found.unwrap_or_else(|| CliError::of(error))
}

/// The error that an error only passes on.
fn cause(error: &Failure) -> Option<&Failure> {
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
    // An import has a next step of its own.
    let import = error.downcast_ref::<ImportError>();
    if let Some(ImportError::Append(AppendError::NotAcknowledged { .. } | AppendError::Fault(_))) = import {
        return None;
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
        LossError: Open Repair;
        RepairError: Open Fault;
        ConfirmError: Fault Append;
        KeyError: Fault;
        SigningError: Fault Key Append Proof;
        ActorSigningError: Fault Read Append;
        WitnessError: Fault Key;
        ReplayError: Read Point;
        SupposedResultError: Replay Outcome Direct Canonical;
        RenameError: Replay Handler Canonical Name;
        CorrectionError: Read Handler Canonical Replay;
        ParagraphError: Read Write;
        FindStreamError: Name Read;
        RecordGameError: Handler Read Canonical Name;
        HandlerError: Refused Replay Read Event Append Fault;
        DirectError: Refused Rulebook Handler Canonical;
        BeginError: Replay Canonical;
        PlayError: Replay;
        QueryError: Replay Refused;
        SessionError: Direct Begin Replay Read Rulebook Canonical Name Play Append Time;
        ImportError: Replay Read Append;
        QualifyingImportError: Replay Read Import;
        ImportLinesError: Line;
        #[cfg(feature = "dataset")] FeatureError: Discover Stored Output;
        #[cfg(feature = "dataset")] StoredGamesError: Manifest;
        #[cfg(feature = "dataset")] IngestError: Discover Manifest Write;
        #[cfg(feature = "sql")] AnalyticsError: Dataset Stored;
        #[cfg(feature = "sql")] DemoError: Output System Open Read Replay Begin Direct Handler;
    }
    None
}

fn store(error: &Failure, it: CliError) -> Option<CliError> {
    table! { error:
        Fault {
            Fault { kind, doing, path, detail } => {
                let it = it.message(format_args!("{}: {}", path.display(), kind.says()));
                let in_detail = |it: CliError| it.reason(format_args!("{detail}, while {doing}"));
                match kind {
                    FaultKind::NotFound => it,
                    FaultKind::ReadOnly | FaultKind::Locked => in_detail(it).state(UNCHANGED),
                    FaultKind::DiskFull => in_detail(it)
                        .state("nothing that was acknowledged is lost")
                        .hint(AFTER_FULL_DISK),
                    FaultKind::Sync | FaultKind::Replaced => in_detail(it),
                    FaultKind::Damaged => in_detail(it).finding().hint(VERIFY),
                    FaultKind::Io | FaultKind::Other => in_detail(it).hint(DOCTOR),
                    FaultKind::Denied | FaultKind::NotADatabase => in_detail(it),
                }
            },
        }
        NotALog {
            NotALog::UnknownFormat { .. } => it.state(UNCHANGED).hint(VERIFY),
            NotALog::Foreign { .. } | NotALog::NewerFormat { .. } => it.state(UNCHANGED),
            NotALog::Fault(_) => it,
        }
        OpenError {
            OpenError::NotALog(_) | OpenError::Fault(_) => it,
            OpenError::Tree { .. } => it.finding().state(UNCHANGED).hint("annals doctor --rebuild-tree"),
            OpenError::Schema { .. } | OpenError::Head { .. } => it.finding().state(UNCHANGED).hint(VERIFY),
            OpenError::LogGone { .. } | OpenError::NotTheLog { .. } | OpenError::Anchor { .. } =>
                it.finding().state(UNCHANGED).hint(DOCTOR),
            _ => it.state(UNCHANGED),
        }
        VerifiedError {
            VerifiedError::Open(_) => it,
            VerifiedError::Damaged { damage, .. } => it.finding().reason(damage).hint(DOCTOR),
            VerifiedError::RealClock => it.state(NOTHING_APPENDED)
                .hint("leave `--at` out; an event states its time as `effective_at`"),
            VerifiedError::NoSimulatedLog { .. } => it.reason("`--at` sets the clock of a simulated log")
                .hint("annals log init --simulated"),
        }
        AppendError {
            AppendError::Conflict { stream, .. } => it.reason("another process appended in the meantime")
                .hint(format_args!("annals log show {stream}")),
            AppendError::ClockBehind { .. } | AppendError::ClockAhead { .. } =>
                it.hint("where the clock is right: `annals doctor --confirm-clock REASON`"),
            AppendError::Damaged { .. } => it.finding().hint(VERIFY),
            AppendError::NotAcknowledged { fault } if fault.kind == FaultKind::Replaced =>
                it.state("the events are not acknowledged; they may be stored").hint(DOCTOR),
            AppendError::NotAcknowledged { .. } =>
                it.state("the events are stored, but not acknowledged").hint(ACKNOWLEDGE),
            AppendError::Fault(fault) if fault.kind == FaultKind::Sync =>
                it.state("the events are not acknowledged; they may be stored").hint(ACKNOWLEDGE),
            _ => it,
        }
        ReadError { _ => it.hint(VERIFY), }
        BundleError { _ => it.hint(VERIFY), }
        ProofError {
            ProofError::NotABeginning { .. } =>
                it.reason("the log was rewritten or shortened, or it is another one")
                    .hint("annals log verify --receipt RECEIPT"),
            ProofError::Damaged { .. } => it.hint(VERIFY),
            _ => it,
        }
        BackupError {
            BackupError::Fault(fault) if fault.kind == FaultKind::Sync =>
                it.state("the log is unchanged; the backup may have its name, but is not safe"),
            BackupError::Damaged { .. } => it.finding().state("no backup was made").hint(VERIFY),
            BackupError::NoFolder { folder, .. } =>
                it.state(UNCHANGED).hint(format_args!("mkdir -p {}", shell_path(folder))),
            _ => it.state(UNCHANGED),
        }
        RepairError {
            RepairError::Fault(fault) if fault.kind == FaultKind::Sync =>
                it.state("the repair may be in the log").hint(DOCTOR),
            RepairError::Damaged { .. } => it.finding().state(UNCHANGED).hint(DOCTOR),
            _ => it.state(UNCHANGED),
        }
        LossError {
            LossError::Damaged { finding, .. } =>
                it.finding().reason(finding).state("no loss was accepted").hint(DOCTOR),
            LossError::Fault(_) | LossError::Append(AppendError::NotAcknowledged { .. } | AppendError::Fault(_)) =>
                it.state("the loss may be recorded").hint(DOCTOR),
            _ => it.state(UNCHANGED),
        }
        ConfirmError { _ => it.state(UNCHANGED), }
        SigningError {
            SigningError::NoKey => it.state("nothing was signed").hint("annals log key create"),
            SigningError::HasKey { .. } => it.state(UNCHANGED).hint("annals log key rotate REASON"),
            SigningError::OtherKey { .. } => it.state("nothing was signed")
                .hint("put the copy of that key back; if it is lost: `annals log key rotate REASON`"),
            SigningError::Contradicts { path, .. } => it.finding().state("nothing was signed")
                .reason(format_args!(
                    "the log and its anchor were rewritten, or put back to an earlier state; {} has the checkpoint",
                    path.display()
                ))
                .hint("put the right files back; if they are lost: `annals doctor --accept-loss REASON`"),
            _ => it.state("nothing was signed"),
        }
        ActorSigningError {
            ActorSigningError::NoEvents { .. } => it.state("nothing was signed").hint("annals log show --limit 20"),
            ActorSigningError::NoKey { .. } => it.state("nothing was signed")
                .hint("`--make-key` makes one, and `--name-key` names that of a file"),
            ActorSigningError::HasKey { .. } => it.state(UNCHANGED)
                .reason("a new key replaces it, and the log records why")
                .hint("add `--reason TEXT`, and `--old-key FILE` if the present key is there"),
            ActorSigningError::OtherKey { .. } => it.state("nothing was signed")
                .hint("give the file of that key; if it is lost: `annals log sign --key FILE --make-key --reason TEXT`"),
            ActorSigningError::NotOfActor { .. } => it.state("nothing was signed")
                .reason("the name in a key is that of its actor")
                .hint("`--actor NAME` states the actor, and `--make-key` makes a key"),
            ActorSigningError::Broken { .. } => it.finding().state("nothing was signed").hint(VERIFY),
            _ => it.state("nothing was signed"),
        }
        WitnessError {
            WitnessError::NoKey { .. } => it.state(UNCHANGED).hint("annals log witness create NAME"),
            _ => it.state(UNCHANGED),
        }
        SalvageError { _ => it.state(UNCHANGED), }
    }
    None
}

fn replay(error: &Failure, it: CliError) -> Option<CliError> {
    let boxed = || error.downcast_ref::<Box<DraftRefusal>>().map(|refusal| &**refusal);
    if let Some(DraftRefusal { index, stream, event_type, reason }) = error.downcast_ref().or_else(boxed) {
        let what = format!("event {} of this command (`{event_type}` of `{stream}`) is refused", index + 1);
        let it = it.message(what).reason(reason).state(NOTHING_APPENDED);
        return Some(match reason {
            Reason::BeforeCause { cause, .. } => {
                it.hint(format_args!("annals log show --from seq:{cause} --to seq:{cause}"))
            }
            Reason::BeforeKnown { cause, effective_at, .. } => {
                let at = Timestamp::from_microsecond(*effective_at)
                    .map_or_else(|_| String::new(), |at| at.to_string());
                it.hint(format_args!("annals log correct {cause} --happened {at} --reason \"known earlier\""))
            }
            Reason::Illegal { code, message }
                if let Some(rule) =
                    [RuleId::ResultGame, RuleId::RulingFrozen].into_iter().find(|rule| rule.name() == code) =>
            {
                let next = Remedy::of_text(rule, message);
                let next = next.or_else(|| (rule == RuleId::ResultGame).then_some(Remedy::Breach(rule)));
                next.iter().filter_map(hint_about(stream.name())).fold(it, CliError::hint)
            }
            // An event of a game that goes on in another attempt.
            Reason::Illegal { code, message }
                if let Some(Remedy::StartGame(pairing)) = [RuleId::RulingResume, RuleId::RulingRematch, RuleId::ResultOnce]
                    .into_iter()
                    .filter(|rule| rule.name() == code)
                    .find_map(|rule| Remedy::of_text(rule, message)) =>
            {
                let game = stream.name();
                let tournament = game.rfind(&format!(".{pairing}")).and_then(|end| game.get(..end));
                hint_about(tournament.unwrap_or("TOURNAMENT"))(&Remedy::StartGame(pairing)).into_iter().fold(it, CliError::hint)
            }
            Reason::Illegal { code, .. } if code == "ending_disagrees" => it.hint(
                "`annals game enter GAME` enters the moves before the end; a game without moves is started with `--no-game`",
            ),
            Reason::Illegal { code, .. } if code == GameViolation::CLOCK_STOOD => {
                let game = stream.name();
                it.hint(match event_type.as_str() {
                    "log.correction" => format!("`annals replay {game}` shows who was to move at the end"),
                    _ => format!("`annals game enter {game} time` records that the side to move has used up its time"),
                })
            }
            Reason::OutOfBounds { .. } => {
                it.hint("`annals schema events` describes the values of each event")
            }
            _ => it,
        });
    }
    table! { error:
        HandlerError { _ => it.state(NOTHING_APPENDED), }
        CorrectionError {
            CorrectionError::NoSuchEvent { .. } => it.state(NOTHING_APPENDED)
                .hint("`annals log show --limit 20` prints the last events with their numbers"),
            CorrectionError::IsCorrection { corrects, .. } => it.state(NOTHING_APPENDED)
                .hint(format_args!("`annals log correct {corrects} FIELD=VALUE --reason TEXT` corrects that event again")),
            CorrectionError::Unchanged { payload, .. } =>
                it.reason(format_args!("its payload is {payload}")).state(NOTHING_APPENDED),
            CorrectionError::Struck { .. } =>
                it.reason("a struck event counts as never recorded; enter it again").state(NOTHING_APPENDED),
            _ => it.state(NOTHING_APPENDED),
        }
        DirectError {
            DirectError::NotAnnounced { .. } => it.state(NOTHING_APPENDED)
                .hint("annals tournament announce TOURNAMENT --rulebook NAME"),
            DirectError::OtherRules { .. } => it.state(NOTHING_APPENDED)
                .hint("`annals log append FILE` appends events from a file"),
            _ => it.state(NOTHING_APPENDED),
        }
        SessionError {
            SessionError::SeveralPlayers { players, .. } => {
                let ids: Vec<&str> = players.iter().map(|id| id.as_str()).collect();
                it.reason(format_args!("their identities are {}", ids.join(", "))).state(NOTHING_APPENDED)
            },
            SessionError::NoSuchPlayer { name, known, or } => {
                let otherwise = match or {
                    Some(_) => "annals tournament entry add TOURNAMENT PLAYER",
                    None => "`annals tournament show TOURNAMENT` lists the entries",
                };
                let it = it.state(NOTHING_APPENDED).did_you_mean(
                    name, known.iter().map(String::as_str), otherwise,
                );
                or.iter().fold(it, CliError::reason)
            },
            SessionError::NoSuchBenchmark { name, declared } =>
                it.reason(format_args!("declared are {}", declared.join(", "))).state(NOTHING_APPENDED)
                    .did_you_mean(name, declared.iter().map(String::as_str), "annals tournament explain TOURNAMENT qualifier"),
            SessionError::NoSuchRule { name, known, .. } =>
                it.state(NOTHING_APPENDED).did_you_mean(
                    name, known.iter().copied(), "docs/reference/rules.md lists the names of the rules",
                ),
            SessionError::NoSuchPairing { .. } => it.hint("annals tournament round list TOURNAMENT"),
            SessionError::WithoutGame { .. } =>
                it.state(NOTHING_APPENDED).hint("`annals tournament round list TOURNAMENT` lists the results"),
            SessionError::NotStarted { pairing } =>
                it.state(NOTHING_APPENDED).hint(format_args!("annals tournament game start TOURNAMENT {pairing}")),
            SessionError::Announced { .. } => it.state(NOTHING_APPENDED).hint("annals tournament show TOURNAMENT"),
            SessionError::NoSuchGame { .. } =>
                it.state(NOTHING_APPENDED).hint("`--no-game` records a result without a game"),
            _ => it.state(NOTHING_APPENDED),
        }
        BeginError {
            BeginError::NoPosition { .. } =>
                it.state(NOTHING_APPENDED).hint("`annals log append FILE` begins the game by hand"),
            _ => it.state(NOTHING_APPENDED),
        }
        ImportError {
            ImportError::Append(AppendError::NotAcknowledged { .. } | AppendError::Fault(_)) =>
                it.state(IMPORTED).hint(AGAIN),
            _ => it.state(IMPORTED),
        }
        ImportLinesError { _ => it.state(IMPORTED), }
        PlayError {
            PlayError::NotBegun { .. } => it.hint("annals tournament game start TOURNAMENT PAIRING"),
            _ => it,
        }
        ReplayError {
            ReplayError::NoSuchStream { .. } => it.hint("annals log show --streams"),
            _ => it,
        }
        RenameError {
            RenameError::NoSuchPlayer { player, known } =>
                it.state(NOTHING_APPENDED).did_you_mean(player.as_str(), known.iter().map(String::as_str), ""),
            _ => it,
        }
        SupposedResultError {
            SupposedResultError::NoSuchPairing { .. } => it.hint("annals tournament round list TOURNAMENT"),
            _ => it,
        }
        QueryError {
            QueryError::OnlyOfRound =>
                it.hint("annals tournament explain TOURNAMENT ROUND --why-not PLAYER PLAYER"),
            QueryError::LeftSince { stream, player, published_at } =>
                it.hint(explain_as_published(stream.name(), player.as_str(), *published_at)),
            _ => it,
        }
        NoSuchSubject {
            _ => it.reason(
                "expected a round (3), bye 3, colour r3.2, rank PLAYER PLAYER, qualifier, or qualifier PLAYER",
            ),
        }
        QualifyingImportError {
            QualifyingImportError::NoDate { .. } => it.reason("the qualifying period is not known").hint(
                "annals tournament schedule dates TOURNAMENT qualifying_opens=TIME qualifying_closes=TIME --reason TEXT",
            ),
            QualifyingImportError::NoBenchmarks =>
                it.hint("annals tournament qualifier benchmarks TOURNAMENT PLAYER..."),
            _ => it,
        }
        PointError {
            PointError::NotATime(_) =>
                it.reason("a time is `2015-04-03T18:00`, a date `2015-04-03` (its end)"),
            _ => it,
        }
        LineError {
            LineError { problem: LineProblem::Json(_), .. } => it
                .reason("a line is an object with `stream`, `type`, `effective_at` and `payload`")
                .hint("annals log append --help"),
            _ => it,
        }
        DraftLinesError {
            DraftLinesError::Line { error, .. } => return replay(error, it),
            DraftLinesError::NoEvent { .. } => it.hint("annals log append --help"),
            _ => it,
        }
        FindStreamError {
            FindStreamError::Several { streams, .. } => {
                let names: Vec<String> = streams.iter().map(|stream| format!("`{stream}`")).collect();
                it.reason(format_args!("streams of that name are {}", names.join(", ")))
            },
            FindStreamError::None { name, streams } => near_stream(it, name, streams),
            FindStreamError::NotAGame(_) => it.hint("annals log show --streams"),
            FindStreamError::NoGameOfBoard { tournament, boards, .. } => {
                let boards: Vec<String> = boards.iter().map(ToString::to_string).collect();
                match boards.as_slice() {
                    [] => it.hint(format_args!("annals tournament game start {} PAIRING", tournament.name())),
                    boards => it.reason(format_args!("the boards with a game are {}", boards.join(", "))),
                }
            },
            FindStreamError::NoTournament { name, tournaments } => it.did_you_mean(
                name, tournaments.iter().map(String::as_str), match tournaments.as_slice() {
                    [] => "annals tournament announce TOURNAMENT --rulebook NAME",
                    _ => "annals tournament list",
                },
            ),
            _ => it,
        }
        NoSuchType {
            NoSuchType { word, known } if nearest(word, known.iter().copied()).is_some() =>
                it.did_you_mean(word, known.iter().copied(), ""),
            _ => it.reason(format_args!("the families are {}", Family::ALL.map(Family::word).join(", "))),
        }
    }
    None
}

/// A stream with a similar name, or how to list them.
fn near_stream(it: CliError, text: &str, streams: &[StreamName]) -> CliError {
    let names = || streams.iter().map(StreamName::as_str);
    let near = match text.contains('/') {
        true => nearest(text, names()),
        false => nearest(text, streams.iter().map(StreamName::name))
            .and_then(|near| streams.iter().find(|stream| stream.name() == near).map(StreamName::as_str)),
    };
    match near {
        Some(near) => it.hint(format_args!("did you mean `{near}`?")),
        None if streams.len() <= 12 => {
            it.reason(format_args!("its streams are {}", names().collect::<Vec<_>>().join(", ")))
        }
        None => it.hint("annals log show --streams"),
    }
}

fn tournaments(error: &Failure, it: CliError) -> Option<CliError> {
    let boxed = || error.downcast_ref::<Box<Refusal>>().map(|refusal| &**refusal);
    let Refusal { rule, what, next } = error.downcast_ref().or_else(boxed)?;
    let it = match rule {
        Some(rule) => it.message(what).reason(format_args!(
            "{}, {}: {}",
            rule.id,
            rule.paragraph,
            rule.says.trim_end_matches('.')
        )),
        None => it.message(what),
    };
    let repairs = match next {
        Some(Remedy::Breach(rule)) => remedies::correction(*rule).map(str::to_owned),
        _ => None,
    };
    Some(repairs.into_iter().chain(next.iter().filter_map(remedies::hint)).fold(it, CliError::hint))
}

fn ingest(error: &Failure, it: CliError) -> Option<CliError> {
    table! { error:
        OutputError {
            OutputError::Exists(_) =>
                it.state("the file is unchanged").hint("add `--force` to overwrite it"),
            OutputError::System { error, .. } => it.reason(error),
        }
        NamedFileError {
            NamedFileError::Several { name, first, .. } => it.hint(format_args!("name one of them: `@{name}:{first}`")),
            NamedFileError::NoSuchGame { name, known, number } => {
                match known.iter().min_by_key(|known| known.abs_diff(*number)) {
                    Some(near) => it.reason(format_args!("the nearest is `@{name}:{near}`")),
                    None => it,
                }
            },
            NamedFileError::ListOfArimaa { .. } => it.hint("`annals game export GAME --format archive` writes a file that is read"),
            NamedFileError::Position { .. } => it.reason(A_POSITION),
            _ => it,
        }
        OpenStateError {
            OpenStateError::NotUtf8 { path, .. } => it.state("nothing was imported")
                .hint(format_args!("iconv -f latin1 -t utf-8 {}", path.display())),
            _ => it.state("nothing was imported"),
        }
        RecordingError {
            RecordingError::NoStage { stages, .. } =>
                it.reason(format_args!("its stages are {}", stages.join(", "))),
            RecordingError::UnknownName { name, known } =>
                it.did_you_mean(name, known.iter().map(String::as_str), ""),
            _ => it,
        }
        NoSuchTable {
            NoSuchTable { name } => {
                let known = TABLES.map(|table| table.id);
                it.reason(format_args!("the tables are {}", known.join(", "))).did_you_mean(name, known, "")
            },
        }
        NoSuchEvent {
            NoSuchEvent { event, events, .. } => {
                let shown = events.iter().take(12);
                let shown = shown.map(|row| format!("`{}` ({})", row.event, counted(row.games, "game")));
                let more = match events.len().saturating_sub(12) {
                    0 => String::new(),
                    more => format!(", and {more} more: `--list` shows all"),
                };
                let shown: Vec<String> = shown.collect();
                it.reason(format_args!("the events of the files are {}{more}", shown.join(", ")))
                    .did_you_mean(event, events.iter().map(|row| row.event.as_str()), "")
            },
        }
    }
    None
}

/// The command that explains the published order of a qualifier with a player who has left since.
pub fn explain_as_published(tournament: &str, player: &str, published_at: i64) -> String {
    let at = Timestamp::from_microsecond(published_at).map_or_else(|_| String::new(), |at| at.to_string());
    format!("annals tournament explain {tournament} qualifier {player} --as-of {at}")
}
