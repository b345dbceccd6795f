//! `annals diff`: what changed between two points in time.

use std::process::ExitCode;

use annals_replay::point::Point;
use annals_replay::subject::Subject;
use annals_replay::{Labels, diff, differences_document};
use annals_report::shell_word;
use jiff::tz::TimeZone;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::{ZoneArgs, single_cut};

/// Show what changed between two points in time
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show what changed between two points in time\n\n\
        A point is a time, a date (its end), a month, a season, a year, round:5, seq:1234 (the first 1,234 events) or `now`. With \
        `known:` before it, the state is the one recorded by then.",
    after_long_help = "Examples:\n  \
        annals diff tournament/wcc-2015 round:4 round:5\n  \
        annals diff wcc-2015 known:2015-03-08 now\n  \
        annals diff game/arimaa-669192 seq:120 seq:140\n  \
        annals diff people 2008-12-31 2009-12-31 --json"
)]
pub struct Args {
    /// Stream, `people` or `log` [default: log], and the two points
    #[arg(value_names = ["STREAM", "A", "B"], num_args = 1..=3, required = true)]
    words: Vec<String>,

    #[command(flatten)]
    zone: ZoneArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

/// A point without the mark of what was recorded by then.
fn point_of(text: &str) -> &str {
    text.strip_prefix("known:").unwrap_or(text)
}

fn is_point(text: &str, zone: &TimeZone) -> bool {
    text == "now" || Point::parse(point_of(text), zone).is_ok()
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let (subject, a, b) = match args.words.as_slice() {
        [subject, a, b] => (subject.as_str(), a, b),
        [a, b] => {
            let zone = args.zone.zone()?;
            if !is_point(a, &zone) && is_point(b, &zone) {
                let hint = format!("`annals diff {} {} now`", shell_word(a), shell_word(b));
                return Err(CliError::new("a second point in time is missing")
                    .reason(format_args!("`{a}` is read as the stream, and `{b}` as the first point"))
                    .hint(hint));
            }
            ("log", a, b)
        }
        words => {
            let subject = words.first().map_or("log", String::as_str);
            return Err(CliError::new("two points in time are missing")
                .hint(format!("annals diff {} A B", shell_word(subject))));
        }
    };
    let zone = args.zone.zone()?;
    let log = log_file::open(home)?;
    let subject = Subject::of(&log, subject)?;
    let view = |point: &str| {
        let cut = single_cut(point, &log, subject.stream(), &zone)?;
        Ok::<_, CliError>(subject.view(&log, &cut)?)
    };
    let (before, after) = (view(a)?, view(b)?);
    let (differences, labels) = (diff(&before, &after), Labels::of([&before, &after]));
    args.form.write_in(&differences, &zone, || differences_document(&differences, &labels, &zone))?;
    Ok(ExitCode::SUCCESS)
}
