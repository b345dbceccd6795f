//! `annals tournament entry program` and `hardware`: what plays, and on what.

use annals_events::TournamentEvent;
use annals_events::tournament::{
    Computer, HardwareDeclared, HardwareSpecified, ProgramPublished, ProgramSubmitted, ProgramSubstituted,
    ProgramTested, ProgramUpdated, ReferenceHardwareRecorded,
};
use annals_replay::handler::{DirectorSession, Step};

use super::director::{Request, cents, evidence, one};
use crate::errors::CliError;

/// What is recorded of a program.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Act {
    /// It was handed in
    Submitted,
    /// The organiser tested it
    Tested,
    /// It changed between two rounds
    Updated,
    /// An earlier version plays instead
    Substituted,
    /// It was made public after the challenge match
    Published,
}

/// Record the upload, test or change of a program
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the upload, test or change of a program\n\n\
        A program is identified by the digest of its upload: algorithm, colon, hexadecimal digits.",
    after_help = "Examples:\n  \
        annals tournament entry program wcc-2015 sharp submitted --digest sha256:4f1c...\n  \
        annals tournament entry program wcc-2015 sharp tested --passed --access-closed\n  \
        annals tournament entry program wcc-2015 sharp updated --before sha256:4f1c... \\\n    \
        --digest sha256:77aa... --after-round 2 --automated\n  \
        annals tournament entry program wcc-2015 sharp substituted --stand-in sharp2014 \\\n    \
        --program \"Sharp 2014\" --year 2014"
)]
pub struct ProgramArgs {
    /// Player
    player: String,

    /// What happened to the program
    #[arg(value_name = "WHAT", value_enum)]
    act: Act,

    /// Program and version
    #[arg(long, value_name = "TEXT")]
    program: Option<String>,

    /// Digest of the program; of an update, the new one
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,

    /// Test: it passed
    #[arg(long)]
    passed: bool,

    /// Test: the developer's access was closed
    #[arg(long)]
    access_closed: bool,

    /// Update: digest before it
    #[arg(long, value_name = "DIGEST")]
    before: Option<String>,

    /// Update: last round played before it
    #[arg(long, value_name = "N")]
    after_round: Option<u32>,

    /// Update: it was an automated run
    #[arg(long)]
    automated: bool,

    /// Update: start of the run
    #[arg(long, value_name = "TIME")]
    started_at: Option<String>,

    /// Update: end of the run
    #[arg(long, value_name = "TIME")]
    ended_at: Option<String>,

    /// Substitution: identity of the version that plays
    #[arg(long, value_name = "PLAYER")]
    stand_in: Option<String>,

    /// Substitution: year for which that version was submitted
    #[arg(long, value_name = "YEAR")]
    year: Option<i32>,

    /// Publication: name in the gameroom
    #[arg(long, value_name = "NAME")]
    gameroom_name: Option<String>,

    /// Evidence; may be repeated
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<String>,

    /// Note; of a substitution, its reason
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

/// What has to be given for an act.
fn needed<T>(given: Option<T>, option: &str) -> Result<T, CliError> {
    given.ok_or_else(|| CliError::new(format!("--{option} is missing: the event records it")))
}

impl Request for ProgramArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        let event = match self.act {
            Act::Submitted => TournamentEvent::ProgramSubmitted(ProgramSubmitted {
                player,
                program: needed(self.program, "program")?,
                digest: needed(self.digest, "digest")?,
                note: self.note,
            }),
            Act::Tested => TournamentEvent::ProgramTested(ProgramTested {
                player,
                digest: needed(self.digest, "digest")?,
                passed: self.passed,
                access_closed: self.access_closed,
                note: self.note,
            }),
            Act::Updated => TournamentEvent::ProgramUpdated(ProgramUpdated {
                player,
                before: needed(self.before, "before")?,
                after: needed(self.digest, "digest")?,
                after_round: needed(self.after_round, "after-round")?,
                automated: self.automated,
                started_at: work.time(&needed(self.started_at, "started-at")?)?,
                ended_at: work.time(&needed(self.ended_at, "ended-at")?)?,
                evidence: evidence(&self.evidence),
            }),
            Act::Substituted => TournamentEvent::ProgramSubstituted(ProgramSubstituted {
                player,
                stand_in: work.identity(&needed(self.stand_in, "stand-in")?)?,
                program: needed(self.program, "program")?,
                year: needed(self.year, "year")?,
                digest: self.digest,
                reason: self.note,
            }),
            Act::Published => TournamentEvent::ProgramPublished(ProgramPublished {
                player,
                gameroom_name: self.gameroom_name,
                note: self.note,
            }),
        };
        one(event)
    }
}

/// Record the hardware of the tournament or of a player
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the hardware of the tournament or of a player\n\n\
        With --player it records a player's machine, with --reference the machine of the previous year's \
        challenge match, with which players' machines are compared.",
    after_help = "Examples:\n  \
        annals tournament entry hardware wcc-2015 \"Xeon E5-2650\" --price 1000\n  \
        annals tournament entry hardware wcc-2015 \"Core i7\" --player sharp --speed 1.5\n  \
        annals tournament entry hardware wcc-2015 \"Core i7-4770\" --reference --year 2014"
)]
pub struct HardwareArgs {
    /// Machine
    #[arg(value_name = "MACHINE")]
    hardware: String,

    /// Player who declares it [default: the tournament's hardware]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    /// Machine of the previous year's challenge match
    #[arg(long, conflicts_with_all = ["player", "price", "speed"])]
    reference: bool,

    /// Year of that challenge match
    #[arg(long, value_name = "YEAR", requires = "reference")]
    year: Option<i32>,

    /// Operating system
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,

    /// Price; of the tournament's hardware, the highest allowed
    #[arg(long, value_name = "AMOUNT", value_parser = cents)]
    price: Option<u64>,

    /// Speed relative to the reference; of the tournament's hardware, the highest allowed
    #[arg(long, value_name = "FACTOR", value_parser = thousandths)]
    speed: Option<u64>,

    /// Computer of the player, with its price; may be repeated
    #[arg(long = "computer", value_name = "NAME[=AMOUNT]", value_parser = computer, requires = "player")]
    computers: Vec<Computer>,
}

/// A computer with its price.
fn computer(text: &str) -> Result<Computer, String> {
    let (name, price) = match text.split_once('=') {
        Some((name, price)) => (name, Some(cents(price)?)),
        None => (text, None),
    };
    if name.trim().is_empty() {
        return Err(format!("`{text}` names no computer; write \"Pentium 4=800\""));
    }
    Ok(Computer { name: name.trim().to_owned(), price })
}

/// A factor with up to three decimals, in thousandths.
fn thousandths(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no factor; write 5 or 1.25");
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    if part.is_empty() || part.len() > 3 || !part.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let part: u64 = format!("{part:0<3}").parse().map_err(|_| wrong())?;
    whole.checked_mul(1_000).and_then(|whole| whole.checked_add(part)).ok_or_else(wrong)
}

impl Request for HardwareArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let HardwareArgs { hardware, system, price, speed, computers, .. } = self;
        let event = match &self.player {
            None if self.reference => {
                let (year, note) = (self.year, None);
                TournamentEvent::ReferenceHardwareRecorded(ReferenceHardwareRecorded {
                    hardware,
                    system,
                    year,
                    note,
                })
            }
            Some(player) => TournamentEvent::HardwareDeclared(HardwareDeclared {
                player: work.player(player)?,
                hardware,
                system,
                price,
                speed,
                computers,
            }),
            None => TournamentEvent::HardwareSpecified(HardwareSpecified {
                hardware,
                system,
                price_limit: price,
                speed_limit: speed,
            }),
        };
        one(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_kept_in_thousandths() {
        assert_eq!(thousandths("5"), Ok(5_000));
        assert_eq!(thousandths("1.25"), Ok(1_250));
        for bad in ["", "x", "1.2345", "1.", "-1"] {
            assert!(thousandths(bad).is_err(), "{bad}");
        }
    }
}
