//! The lines of a recipe: which may stand there, each once, and the little grammar that they share.

use super::error::Misread;

/// A line `key: value` of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeLine {
    /// Its number in the file, from 1.
    pub number: usize,
    /// What stands before the colon.
    pub key: String,
    /// What stands behind it.
    pub value: String,
}

/// A column, and the line that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) column: String,
    pub(super) line: usize,
}

/// The lines of one recipe.
pub(super) struct Lines<'l> {
    kind: &'l RecipeLine,
    lines: &'l [RecipeLine],
}

impl<'l> Lines<'l> {
    /// The lines below `chart:`, which may be some words, each at most once unless it is one of `often`.
    pub(super) fn new(
        kind: &'l RecipeLine,
        lines: &'l [RecipeLine],
        known: &[&str],
        often: &[&str],
    ) -> Result<Lines<'l>, Misread> {
        for (place, line) in lines.iter().enumerate() {
            if !known.contains(&line.key.as_str()) {
                let why = format!(
                    "a chart of {} has no `{}:`; it has {}",
                    kind.value,
                    line.key,
                    known.iter().map(|key| format!("`{key}:`")).collect::<Vec<_>>().join(", ")
                );
                return Err(Misread::new(line.number, why));
            }
            let before = lines[..place].iter().find(|other| other.key == line.key);
            if let Some(before) = before.filter(|_| !often.contains(&line.key.as_str())) {
                let why = format!("`{}:` stands in line {} already", line.key, before.number);
                return Err(Misread::new(line.number, why));
            }
        }
        Ok(Lines { kind, lines })
    }

    /// The line of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'l RecipeLine> {
        self.lines.iter().find(|line| line.key == key)
    }

    /// The lines of a key.
    pub(super) fn all(&self, key: &str) -> Vec<&'l RecipeLine> {
        self.lines.iter().filter(|line| line.key == key).collect()
    }

    /// The line of a key without which there is no chart.
    pub(super) fn need(&self, key: &str, example: &str) -> Result<&'l RecipeLine, Misread> {
        self.get(key).ok_or_else(|| {
            let why = format!(
                "a chart of {} needs a line `{key}:` below, for instance `{example}`",
                self.kind.value
            );
            Misread::new(self.kind.number, why)
        })
    }

    /// The one column that a line names; none where there is no such line.
    pub(super) fn column(&self, key: &str) -> Result<Option<Named>, Misread> {
        self.get(key).map(|line| named(line, &line.value)).transpose()
    }
}

/// A column out of a line.
pub(super) fn named(line: &RecipeLine, text: &str) -> Result<Named, Misread> {
    let column = text.trim();
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    if column.is_empty() || !column.chars().all(is_name) {
        let why = format!("`{column}` behind `{}:` is no name of a column", line.key);
        return Err(Misread::new(line.number, why));
    }
    Ok(Named { column: column.to_owned(), line: line.number })
}

/// What a line names, and behind a `|` the name of what is measured, with its unit.
pub(super) fn with_axis(line: &RecipeLine) -> Result<(&str, String), Misread> {
    let (what, axis) = line.value.split_once('|').unwrap_or((line.value.as_str(), ""));
    if axis.trim().is_empty() {
        let why = format!(
            "`{}:` needs the name of the axis with its unit behind a `|`, for instance `{}: {} | time used (seconds)`",
            line.key,
            line.key,
            if what.trim().is_empty() { "seconds" } else { what.trim() }
        );
        return Err(Misread::new(line.number, why));
    }
    Ok((what.trim(), axis.trim().to_owned()))
}

/// A number out of a line.
pub(super) fn number(line: &RecipeLine, text: &str) -> Result<f64, Misread> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| Misread::new(line.number, format!("`{text}` behind `{}:` is no number", line.key)))
}
