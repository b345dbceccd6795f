//! `annals tournament entry program`, `hardware`, `machines`, `account`: what plays, and on what.

use annals_events::tournament::{
    AccountGiven, AccountWithdrawn, Computer, Evidence, HardwareDeclared, HardwareSpecified,
    MachinesAssigned, ProgramPublished, ProgramSubmitted, ProgramSubstituted, ProgramTested, ProgramUpdated,
    ReferenceHardwareRecorded,
};
use annals_events::{Cents, Thousandths};
use annals_replay::handler::{DirectorSession, Step};

use super::director::{self, Request, record};
use crate::errors::{CliError, InWords as _};
use crate::values::name_with_value;

/// What is recorded of a program.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum ProgramAct {
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

/// What is recorded of an account.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum AccountAct {
    /// The developer was given the account
    Given,
    /// The account was withdrawn
    Withdrawn,
}

#[derive(Debug, clap::Subcommand)]
pub enum ProgramRequest {
    /// Record the upload, test or change of a program
    ///
    /// A program is identified by the digest of its upload: algorithm, colon, hexadecimal digits.
    #[command(after_long_help = "Examples:\n  \
        annals tournament entry program wcc-2015 sharp submitted \\\n    \
        --program \"Sharp 1.0\" --digest sha256:4f1c\n  \
        annals tournament entry program wcc-2015 sharp tested --digest sha256:4f1c \\\n    \
        --passed --access-closed\n  \
        annals tournament entry program wcc-2015 sharp updated --before sha256:4f1c \\\n    \
        --digest sha256:77aa --after-round 2 --automated \\\n    \
        --started-at 2015-03-02T01:00Z --ended-at 2015-03-02T03:00Z\n  \
        annals tournament entry program wcc-2015 sharp substituted --stand-in sharp2014 \\\n    \
        --program \"Sharp 2014\" --year 2014")]
    Program(Box<ProgramArgs>),

    /// Record the hardware of the tournament or of a player
    ///
    /// With --player it records a player's machine, with --reference the machine of the previous year's challenge match, with
    /// which players' machines are compared.
    #[command(after_long_help = "Examples:\n  \
        annals tournament entry hardware wcc-2015 \"Xeon E5-2650\" --price 1000\n  \
        annals tournament entry hardware wcc-2015 \"Core i7\" --player sharp --speed 1.5\n  \
        annals tournament entry hardware wcc-2015 \"Core i7-4770\" --reference --year 2014")]
    Hardware {
        /// Machine
        #[arg(value_name = "MACHINE")]
        hardware: String,

        /// Player who declares it [default: the tournament's hardware]
        #[arg(long, value_name = "PLAYER")]
        player: Option<String>,

        /// Machine of the previous year's challenge match
        #[arg(hide_short_help = true, long, conflicts_with_all = ["player", "price", "speed"])]
        reference: bool,

        /// Year of that challenge match
        #[arg(long, value_name = "YEAR", requires = "reference")]
        year: Option<i32>,

        /// Operating system
        #[arg(long, value_name = "TEXT")]
        system: Option<String>,

        /// Price; of the tournament's hardware, the highest allowed
        #[arg(long, value_name = "AMOUNT")]
        price: Option<Cents>,

        /// Speed relative to the reference; of the tournament's hardware, the highest allowed
        #[arg(hide_short_help = true, long, value_name = "FACTOR")]
        speed: Option<Thousandths>,

        /// Computer of the player, with its price; may be repeated
        #[arg(long = "computer", value_name = "NAME[=AMOUNT]", value_parser = name_with_value::<Cents>, requires = "player")]
        computers: Vec<(String, Option<Cents>)>,
    },

    /// Record the computers of a round
    ///
    /// One kind of machine for all players of the round, or for those that --player names.
    #[command(after_long_help = "Examples:\n  \
        annals tournament entry machines wcc-2015 1 \"Xeon E5-2650, 8 cores\" --system Linux\n  \
        annals tournament entry machines wcc-2015 2 \"Xeon E5-2650, 8 cores\" --system Linux \\\n    \
        --player sharp=left --player ziltoid=right")]
    Machines {
        /// Round
        #[arg(value_name = "N")]
        round: u32,

        /// Kind of machine
        #[arg(value_name = "MACHINE")]
        hardware: String,

        /// Operating system
        #[arg(hide_short_help = true, long, value_name = "TEXT")]
        system: Option<String>,

        /// Player, with the name of their computer; may be repeated [default: all of the round]
        #[arg(long = "player", value_name = "PLAYER[=NAME]", value_parser = name_with_value::<String>)]
        players: Vec<(String, Option<String>)>,
    },

    /// Record an account on the tournament's computers
    ///
    /// A developer was given an account on the tournament's computers, or it was withdrawn.
    #[command(after_long_help = "Examples:\n  \
        annals tournament entry account wcc-2015 sharp given --login sharp\n  \
        annals tournament entry account wcc-2015 sharp withdrawn")]
    Account {
        /// Player
        player: String,

        /// What happened to the account
        #[arg(value_name = "ACT", value_enum)]
        act: AccountAct,

        /// Name of the account
        #[arg(long, value_name = "NAME")]
        login: Option<String>,

        /// Note
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub struct ProgramArgs {
    /// Player
    player: String,

    /// What happened to the program
    #[arg(value_name = "ACT", value_enum)]
    act: ProgramAct,

    /// Program and version; required for submitted and substituted
    #[arg(long, value_name = "TEXT")]
    program: Option<String>,

    /// Digest of the program, of an update the new one; required for submitted, tested and updated
    #[arg(long, value_name = "DIGEST", value_parser = digest)]
    digest: Option<String>,

    /// Test: it passed
    #[arg(long)]
    passed: bool,

    /// Test: the developer's access was closed
    #[arg(long)]
    access_closed: bool,

    /// Update: digest before it (required)
    #[arg(long, value_name = "DIGEST", value_parser = digest)]
    before: Option<String>,

    /// Update: last round played before it (required)
    #[arg(long, value_name = "N")]
    after_round: Option<u32>,

    /// Update: it was an automated run
    #[arg(hide_short_help = true, long)]
    automated: bool,

    /// Update: start of the run (required)
    #[arg(hide_short_help = true, long, value_name = "TIME")]
    started_at: Option<String>,

    /// Update: end of the run (required)
    #[arg(hide_short_help = true, long, value_name = "TIME")]
    ended_at: Option<String>,

    /// Substitution: identity of the version that plays (required)
    #[arg(long, value_name = "PLAYER")]
    stand_in: Option<String>,

    /// Substitution: year for which that version was submitted (required)
    #[arg(long, value_name = "YEAR")]
    year: Option<i32>,

    /// Publication: name in the gameroom
    #[arg(hide_short_help = true, long, value_name = "NAME")]
    gameroom_name: Option<String>,

    /// Evidence; may be repeated
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<Evidence>,

    /// Note; of a substitution, its reason
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

/// Parses a digest: algorithm, colon, hexadecimal digits.
fn digest(text: &str) -> Result<String, String> {
    let is_hex = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.split_once(':') {
        Some((algorithm, digits)) if !algorithm.is_empty() && is_hex(digits) => Ok(text.to_owned()),
        _ => Err("expected an algorithm, a colon and hexadecimal digits, such as sha256:4f1c".to_owned()),
    }
}

/// A value without which this act of a program cannot be recorded.
fn needed<T>(value: Option<T>, option: &str) -> Result<T, CliError> {
    director::needed(value, option).hint("annals tournament entry program --help")
}

impl ProgramArgs {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let (player, note) = (session.player(&self.player)?, self.note);
        let digest = || needed(self.digest.clone(), "digest");
        match self.act {
            ProgramAct::Submitted => record(ProgramSubmitted {
                player,
                program: needed(self.program, "program")?,
                digest: digest()?,
                note,
            }),
            ProgramAct::Tested => record(ProgramTested {
                player,
                digest: digest()?,
                passed: self.passed,
                access_closed: self.access_closed,
                note,
            }),
            ProgramAct::Updated => record(ProgramUpdated {
                player,
                before: needed(self.before, "before")?,
                after: digest()?,
                after_round: needed(self.after_round, "after-round")?,
                automated: self.automated,
                started_at: session.time(&needed(self.started_at, "started-at")?)?,
                ended_at: session.time(&needed(self.ended_at, "ended-at")?)?,
                evidence: self.evidence,
            }),
            ProgramAct::Substituted => record(ProgramSubstituted {
                player,
                stand_in: session.identity(&needed(self.stand_in, "stand-in")?)?,
                program: needed(self.program, "program")?,
                year: needed(self.year, "year")?,
                digest: self.digest,
                reason: note,
            }),
            ProgramAct::Published => {
                record(ProgramPublished { player, gameroom_name: self.gameroom_name, note })
            }
        }
    }
}

impl Request for ProgramRequest {
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError> {
        match self {
            ProgramRequest::Program(args) => args.steps(session),
            ProgramRequest::Hardware { hardware, reference: true, year, system, .. } => {
                record(ReferenceHardwareRecorded { hardware, system, year, note: None })
            }
            ProgramRequest::Hardware { hardware, player, system, price, speed, computers, .. } => {
                let (price, speed) = (price.map(|price| price.0), speed.map(|speed| speed.0));
                let Some(player) = player else {
                    let (price_limit, speed_limit) = (price, speed);
                    return record(HardwareSpecified { hardware, system, price_limit, speed_limit });
                };
                let player = session.player(&player)?;
                let computer =
                    |(name, price): (_, Option<Cents>)| Computer { name, price: price.map(|price| price.0) };
                let computers = computers.into_iter().map(computer).collect();
                record(HardwareDeclared { player, hardware, system, price, speed, computers })
            }
            ProgramRequest::Machines { round, hardware, system, players } => {
                let kind = (hardware.as_str(), system.as_deref());
                record(MachinesAssigned { round, machines: session.machines(round, kind, &players)? })
            }
            ProgramRequest::Account { player, act: AccountAct::Given, login, note } => {
                record(AccountGiven { player: session.player(&player)?, login, note })
            }
            ProgramRequest::Account { player, act: AccountAct::Withdrawn, note: reason, .. } => {
                record(AccountWithdrawn { player: session.player(&player)?, reason })
            }
        }
    }
}
