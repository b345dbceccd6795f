//! The result of an import as a document.

use annals_report::{counted, first_lines, grouped, one_line};

use super::file_import::{FileImport, Noticed};
use super::import::ImportCounts;

impl ImportCounts {
    /// The number of appended events, and of those in the log before.
    #[must_use]
    pub fn appended(&self, streams: &str, lifted: &str) -> String {
        let known = self.known;
        if self.events == 0 {
            return format!("nothing new ({} known)", counted(known, "event"));
        }
        let span = match (self.first_seq, self.last_seq) {
            (Some(first), Some(last)) => format!(" (events {first} to {last})"),
            _ => String::new(),
        };
        let known = if known == 0 { String::new() } else { format!(", {} known before", grouped(known)) };
        format!("{}{streams} appended{span}{known}{lifted}", counted(self.events, "event"))
    }
}

impl FileImport {
    /// A line, and below it indented lines.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        const MORE: &str = "; --json lists all";
        let mut lines = vec![self.summary()];
        for (what, words) in [("flags of the rows", &self.flags), ("findings of the rules", &self.findings)] {
            let words: Vec<String> =
                words.iter().map(|(word, n)| format!("{word} {}", grouped(*n))).collect();
            if !words.is_empty() {
                lines.push(format!("  {what}: {}", words.join(", ")));
            }
        }
        lines.extend(first_lines(&self.streams, MORE, ToString::to_string));
        let noticed: Vec<&Noticed> = self.remarks.iter().flat_map(|remark| &remark.noticed).collect();
        lines.extend(first_lines(&noticed, MORE, |one| format!("{}: {}", self.source, in_words(one))));
        lines.extend(first_lines(&self.refused, MORE, |refused| {
            let line = refused.line.map_or(String::new(), |line| format!(" line {line}"));
            // The reason of a game file names its place itself.
            let place = match refused.reason.starts_with(&refused.source) {
                true => String::new(),
                false => format!("{}{line}: ", refused.source),
            };
            format!("refused: {place}{} [{}]", refused.reason, refused.code)
        }));
        lines
    }

    fn summary(&self) -> String {
        let counts = &self.counts;
        let rows = counts.accepted + counts.flagged + self.rejected + self.left_out;
        let noun = if self.format == "json_lines" { "line" } else { "game" };
        let mut text = format!("{}: {}", one_line(&self.source), counted(rows, noun));
        let left_out = if noun == "game" { "not selected" } else { "that only a log itself writes" };
        for (number, words) in
            [(counts.flagged, "with findings"), (self.rejected, "refused"), (self.left_out, left_out)]
        {
            if number > 0 {
                text.push_str(&format!(", {} {words}", grouped(number)));
            }
        }
        let lifted = match counts.lifted {
            0 => String::new(),
            lifted => format!(", {} lifted in time", grouped(lifted)),
        };
        let streams = format!(" in {}", counted(counts.streams, "stream"));
        text + "; " + &counts.appended(&streams, &lifted)
    }
}

/// `line 4, move 12 of White: … [variations]`.
fn in_words(one: &Noticed) -> String {
    let colour = if one.side == Some("gold") { "White" } else { "Black" };
    let at = one.number.map_or_else(String::new, |number| format!(", move {number} of {colour}"));
    format!("line {}{at}: {} [{}]", one.line, one.what, one.code)
}
