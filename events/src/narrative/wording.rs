//! Shared phrases: lists, money, clocks, grounds, closed vocabularies.

use super::narrator::{Narrative, Narrator};
use crate::tournament::{
    Disqualification, Draw, Equals, Evidence, Failure, Ground, Measure, Milestone, Notice, Outcome, Stage,
};
use crate::vocabulary::{Side, Termination};

pub fn plain(what: String) -> Narrative {
    Narrative { what, why: None }
}

pub fn because(what: String, why: Why) -> Narrative {
    Narrative { what, why: why.text() }
}

/// Reason and grounds, as sentences.
#[derive(Default)]
pub struct Why(Vec<String>);

impl Why {
    pub fn reason<'w>(mut self, reason: impl Into<Option<&'w str>>) -> Why {
        self.0.extend(reason.into().map(sentence));
        self
    }

    pub fn grounds<'w>(mut self, grounds: impl IntoIterator<Item = &'w Ground>) -> Why {
        let grounds: Vec<String> = grounds.into_iter().map(ground).collect();
        if !grounds.is_empty() {
            let word = if grounds.len() == 1 { "Rule" } else { "Rules" };
            self.0.push(format!("{word} {}.", grounds.join("; ")));
        }
        self
    }

    pub fn evidence(mut self, pieces: &[Evidence]) -> Why {
        let pieces: Vec<String> = pieces.iter().map(evidence).collect();
        if !pieces.is_empty() {
            self.0.push(format!("Evidence: {}.", pieces.join("; ")));
        }
        self
    }

    fn text(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(" "))
    }
}

/// With a capital and a full stop.
pub fn sentence(words: &str) -> String {
    let words = words.trim();
    let mut letters = words.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if words.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{capital}{}{stop}", letters.as_str())
}

/// `a`, `a and b`, `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

pub fn counted(number: impl Into<u64>, noun: &str) -> String {
    let number = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// `, as it is` for a value, else empty.
pub fn part<T>(value: Option<T>, narrate: impl FnOnce(T) -> String) -> String {
    value.map_or(String::new(), narrate)
}

/// Cents as `10.00`.
#[must_use]
pub fn money(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// Half points as `2½`.
#[must_use]
pub fn points(halves: u32) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// Seconds as `0:17`, `2:28`, `1:02:03`, `-0:12`.
pub fn clock(seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let all = seconds.unsigned_abs();
    let (hours, minutes, seconds) = (all / 3600, all / 60 % 60, all % 60);
    if hours == 0 {
        format!("{sign}{minutes}:{seconds:02}")
    } else {
        format!("{sign}{hours}:{minutes:02}:{seconds:02}")
    }
}

/// Thousandths as `1.1 times`.
pub fn times_as_fast(thousandths: u64) -> String {
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    format!("{} times", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Shortened; the payload has the whole.
pub fn digest(whole: &str) -> String {
    match whole.split_once(':') {
        Some((algorithm, digits)) if digits.len() > 12 && digits.is_ascii() => {
            format!("{algorithm}:{}…", &digits[..12])
        }
        _ => whole.to_owned(),
    }
}

/// After "by".
pub const fn ending(termination: Termination) -> &'static str {
    match termination {
        Termination::Goal => "goal",
        Termination::Immobilization => "immobilization",
        Termination::Elimination => "elimination",
        Termination::Time => "time",
        Termination::Resignation => "resignation",
        Termination::IllegalMove => "an illegal move of the other",
        Termination::Forfeit => "forfeit",
        Termination::Abandoned => "abandonment",
        Termination::Score => "score",
        Termination::Repetition => "repetition",
        Termination::NoRabbits => "the loss of the last rabbits on both sides",
    }
}

pub fn outcome(narrator: &Narrator<'_>, outcome: Outcome) -> String {
    match outcome {
        Outcome::Gold => format!("{} won", narrator.side(Side::Gold)),
        Outcome::Silver => format!("{} won", narrator.side(Side::Silver)),
        Outcome::Draw => "a draw".to_owned(),
        Outcome::DoubleLoss => "a loss for both".to_owned(),
        Outcome::DoubleWin => "a win for both".to_owned(),
        Outcome::NoDecision => "no decision".to_owned(),
    }
}

/// With its article.
pub const fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Qualifier => "the qualifier",
        Stage::Swiss => "the Swiss system",
        Stage::RoundRobin => "the round robin",
        Stage::Ring => "the ring",
        Stage::Final => "the final",
        Stage::Continuation => "the continuation of the final",
        Stage::SecondPlayoff => "the playoff for second place",
        Stage::ThirdPlayoff => "the playoff for third place",
    }
}

pub const fn milestone(milestone: Milestone) -> &'static str {
    match milestone {
        Milestone::RegistrationOpens => "registration opens",
        Milestone::RegistrationCloses => "registration closes",
        Milestone::QualifyingOpens => "qualifying opens",
        Milestone::QualifyingCloses => "qualifying closes",
        Milestone::QualifiersNamed => "the qualifiers are named",
        Milestone::AccountsGiven => "developers get their accounts",
        Milestone::ProgramsDue => "programs are due",
        Milestone::TestsDue => "tests are due",
        Milestone::HardwareDue => "hardware is due to be declared",
        Milestone::PairingPublished => "the first pairing is published",
        Milestone::PlayBegins => "play begins",
        Milestone::PlayEnds => "play ends",
        Milestone::ChallengeEnds => "the challenge match ends",
    }
}

pub const fn failure(failure: Failure) -> &'static str {
    match failure {
        Failure::ExtraneousProcess => "extraneous processes on a tournament server",
        Failure::MoveLostToGameServer => "a move that the game server did not receive",
        Failure::MoveLostToPlayer => "a move that a tournament server did not receive",
        Failure::RestartedMidMove => "a program restarted in the middle of a move",
        Failure::Misconfigured => "a program misconfigured by the coordinator",
        Failure::GameServer => "a failure of the game server",
        Failure::Other => "a failure that the director weighed",
    }
}

/// The cause of a disqualification.
pub const fn disqualification(cause: Disqualification) -> &'static str {
    match cause {
        Disqualification::NotUploaded => "a program that was not uploaded and set up in time",
        Disqualification::QualifyingRules => "breaking a rule of the qualifying phase",
        Disqualification::FasterHardware => "qualifying on faster hardware or with other help",
        Disqualification::ProgramChanged => "changing the program by hand after it was submitted or frozen",
        Disqualification::HardwareChanged => "changing the hardware after it was declared",
        Disqualification::LimitedProgram => "a program limited in time or in games",
        Disqualification::OutsideHelp => "moves that were not the player's own",
        Disqualification::Other => "breaking another rule",
    }
}

pub const fn notice(about: Notice) -> &'static str {
    match about {
        Notice::Pairing => "whom they play",
        Notice::GameTime => "when they play",
        Notice::Invitation => "an invitation",
        Notice::Ruling => "a ruling",
        Notice::Deadline => "a deadline",
        Notice::Other => "another matter",
    }
}

pub fn draw(draw: &Draw) -> String {
    let how = match draw.method.as_str() {
        "coin" => "by the toss of a coin".to_owned(),
        "by_hand" => "by hand".to_owned(),
        "sha256_seed" => "from a seed by SHA-256".to_owned(),
        other => format!("by `{other}`"),
    };
    let seed = part(draw.seed.as_ref(), |seed| format!(", the seed being `{seed}`"));
    let before =
        part(draw.commitment.as_ref(), |c| format!(", to which {} had been published before", digest(c)));
    format!("{how}{seed}{before}")
}

/// The number of equivalents.
pub fn equals(equals: Equals) -> String {
    match equals {
        Equals::Exactly(1) => "no other pairing is as good".to_owned(),
        Equals::Exactly(n) => format!("{n} pairings are as good, this one among them"),
        Equals::AtLeast(n) => format!("at least {n} pairings are as good, this one among them"),
    }
}

/// `losses 0, performance 1968.382`. By convention `performance` and `rating` are millionths of an Elo point, and names
/// ending in `_at` are times.
pub fn measures(narrator: &Narrator<'_>, all: &[Measure]) -> String {
    measured(narrator, all, |value| value.to_string())
}

/// Of rankings by points: `points` and `opponents` count halves.
pub fn score_measures(narrator: &Narrator<'_>, all: &[Measure]) -> String {
    measured(narrator, all, |value| u32::try_from(value).map_or_else(|_| value.to_string(), points))
}

fn measured(narrator: &Narrator<'_>, all: &[Measure], score: fn(i64) -> String) -> String {
    let one = |measure: &Measure| {
        let value = |value: &i64| match measure.name.as_str() {
            "performance" | "rating" => elo(*value),
            "points" | "opponents" => score(*value),
            // Counted downwards, so that less is lower.
            "losses_before" => value.unsigned_abs().to_string(),
            name if name.ends_with("_at") => narrator.at(*value),
            _ => value.to_string(),
        };
        let values: Vec<String> = measure.values.iter().map(value).collect();
        format!("{} {}", measure.name.replace('_', " "), values.join("/"))
    };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Millionths to points.
#[must_use]
pub fn elo(millionths: i64) -> String {
    let sign = if millionths < 0 { "-" } else { "" };
    let all = millionths.unsigned_abs();
    let text = format!("{sign}{}.{:06}", all / 1_000_000, all % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn ground(ground: &Ground) -> String {
    let paragraph = part(ground.paragraph.as_ref(), |p| format!(" ({p})"));
    let finding = part(ground.finding.as_ref(), |f| format!(": {}", f.trim_end_matches('.')));
    format!("`{}`{paragraph}{finding}", ground.rule)
}

fn evidence(piece: &Evidence) -> String {
    let mut where_from: Vec<String> = piece.source.iter().cloned().collect();
    where_from.extend(piece.digest.as_deref().map(digest));
    match (&piece.game, piece.ply) {
        (Some(game), Some(ply)) => where_from.push(format!("game {game}, ply {ply}")),
        (Some(game), None) => where_from.push(format!("game {game}")),
        (None, Some(ply)) => where_from.push(format!("ply {ply}")),
        (None, None) => {}
    }
    where_from.extend(piece.seq.map(|seq| format!("event {seq}")));
    let place = if where_from.is_empty() { String::new() } else { format!(" ({})", where_from.join(", ")) };
    format!("{}{place}", piece.text.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_amounts_and_clocks_read_as_people_write_them() {
        let items = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(list(&items("a")), "a");
        assert_eq!(list(&items("a b")), "a and b");
        assert_eq!(list(&items("a b c")), "a, b and c");
        assert_eq!((money(5), money(45_000)), ("0.05".to_owned(), "450.00".to_owned()));
        assert_eq!((points(0), points(1), points(5)), ("0".to_owned(), "½".to_owned(), "2½".to_owned()));
        for (millionths, shown) in
            [(0, "0"), (-1_500_000, "-1.5"), (-1, "-0.000001"), (2_310_000_000, "2310")]
        {
            assert_eq!(elo(millionths), shown);
        }
        for (seconds, shown) in [(0, "0:00"), (-12, "-0:12"), (148, "2:28"), (3723, "1:02:03")] {
            assert_eq!(clock(seconds), shown);
        }
        assert_eq!(times_as_fast(5000), "5 times");
        assert_eq!(times_as_fast(1100), "1.1 times");
    }

    #[test]
    fn somebodys_words_become_a_sentence() {
        assert_eq!(sentence("  too late"), "Too late.");
        assert_eq!(sentence("Why?"), "Why?");
        assert_eq!(sentence(""), ".");
        assert_eq!(sentence("élan"), "Élan.");
    }
}
