//! Where an exported file comes from: what was read, the command, and the program. Neither a place on the machine nor a
//! time is in it, so that the same command on the same data gives the same bytes.

use crate::one_line;

pub const SOURCE: &str = "annals.source";
pub const COMMAND: &str = "annals.command";
pub const PROGRAM: &str = "annals.program";
pub const DAMAGE: &str = "annals.damage";
pub const TITLE: &str = "annals.title";

#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Provenance {
    /// Identifiers of what was read, or names of files.
    pub sources: Vec<String>,
    pub command: String,
    /// With version.
    pub program: String,
    /// What is wrong with the log that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

impl Provenance {
    /// Keys and values for the metadata of a file.
    #[must_use]
    pub fn entries(&self) -> Vec<(&'static str, String)> {
        let sources = (!self.sources.is_empty()).then(|| self.sources.join("; "));
        let values = [
            (SOURCE, sources),
            (COMMAND, Some(self.command.clone())),
            (PROGRAM, Some(self.program.clone())),
            (DAMAGE, self.damage.clone()),
        ];
        values.into_iter().filter_map(|(key, value)| Some((key, one_line(&value?)))).collect()
    }

    /// As [`entries`](Provenance::entries), with the title of the picture in front.
    #[must_use]
    pub fn entries_of_picture(&self, title: &str) -> Vec<(&'static str, String)> {
        let mut entries = self.entries();
        entries.insert(0, (TITLE, one_line(title)));
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_lines_without_control_characters() {
        let provenance = Provenance {
            sources: vec!["annals:a".to_owned(), "b".to_owned()],
            command: "annals query \"SELECT\n1\"".to_owned(),
            program: "annals 1".to_owned(),
            damage: None,
        };
        let entries = provenance.entries();
        assert_eq!(entries[0], (SOURCE, "annals:a; b".to_owned()));
        assert_eq!(entries[1], (COMMAND, "annals query \"SELECT\\n1\"".to_owned()));
        assert_eq!(entries.len(), 3);
        assert!(Provenance::default().entries().iter().all(|(key, _)| *key != SOURCE));
    }
}
