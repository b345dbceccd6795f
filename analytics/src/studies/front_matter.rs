//! The front matter of a study: the comments at the top of its file, one `-- key: value` a line, which say what it is called,
//! what it asks, what a user may say in it, and how its answer is drawn.

use super::parameter::{Parameter, ParameterKind};

/// What stands in a front matter.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontMatter {
    /// What the study is called.
    pub title: String,
    /// What it asks.
    pub question: String,
    /// What one has to know to read the answer.
    pub notes: Vec<String>,
    /// What a user may say in the question.
    pub parameters: Vec<Parameter>,
    /// How the answer is drawn; the line `chart:` and those that belong to it. None where it is not.
    pub chart: Option<(Entry, Vec<Entry>)>,
}

/// A line of a front matter, with those that go on with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The line of the file, from 1.
    pub line: usize,
    /// What stands before the colon.
    pub key: String,
    /// What stands behind it.
    pub value: String,
}

/// A line that does not say what it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong, and what should stand there.
    pub why: String,
}

impl Broken {
    pub(super) fn new(line: usize, why: impl Into<String>) -> Broken {
        Broken { line, why: why.into() }
    }
}

/// The keys of a study.
const KEYS: [&str; 5] = ["title", "question", "note", "param", "chart"];

/// The keys that belong to a chart, of whatever kind.
pub(super) const CHART_KEYS: [&str; 18] = [
    "band", "beside", "colours", "column", "label", "panel", "range", "row", "rule", "scale", "series",
    "shape", "square", "subtitle", "value", "words", "x", "y",
];

/// Reads the front matter of a file.
///
/// # Errors
/// The first line that does not say what it should.
pub fn front_matter(text: &str) -> Result<FrontMatter, Broken> {
    let entries = entries(text)?;
    let one = |key: &str| -> Result<String, Broken> {
        let mut found = entries.iter().filter(|entry| entry.key == key);
        let first = found.next().ok_or_else(|| {
            Broken::new(
                1,
                format!("a study begins with `-- title: ...` and `-- question: ...`, and has no `{key}:`"),
            )
        })?;
        match found.next() {
            None => Ok(first.value.clone()),
            Some(again) => {
                Err(Broken::new(again.line, format!("`{key}:` stands in line {} already", first.line)))
            }
        }
    };
    let (title, question) = (one("title")?, one("question")?);
    let notes = entries.iter().filter(|entry| entry.key == "note").map(|entry| entry.value.clone()).collect();
    let mut parameters: Vec<Parameter> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.key == "param") {
        let parameter = parameter(entry)?;
        if let Some(other) = parameters.iter().find(|other| other.name == parameter.name) {
            let why = format!("the parameter `{}` stands in line {} already", parameter.name, other.line);
            return Err(Broken::new(entry.line, why));
        }
        parameters.push(parameter);
    }
    Ok(FrontMatter { title, question, notes, parameters, chart: chart(&entries)? })
}

/// The lines of the front matter: the comments at the very top.
fn entries(text: &str) -> Result<Vec<Entry>, Broken> {
    let mut entries: Vec<Entry> = Vec::new();
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let number = at + 1;
        let Some(rest) = line.trim_end().strip_prefix("--") else { break };
        if rest.is_empty() {
            continue;
        }
        // A line that is indented goes on with the one before.
        if let Some(more) = rest.strip_prefix("   ") {
            let Some(last) = entries.last_mut() else {
                return Err(Broken::new(number, "there is no line before this one that it could go on with"));
            };
            last.value.push(' ');
            last.value.push_str(more.trim());
            continue;
        }
        let Some((key, value)) = rest.split_once(':') else {
            let why = "a line of the front matter is `-- key: value`; what is said of the SQL stands below an empty line";
            return Err(Broken::new(number, why));
        };
        let (key, value) = (key.trim(), value.trim());
        if !KEYS.contains(&key) && !is_of_chart(key) {
            let why = format!(
                "`{key}:` means nothing in a front matter; the keys of a study are {}",
                KEYS.map(|key| format!("`{key}:`")).join(", ")
            );
            return Err(Broken::new(number, why));
        }
        if value.is_empty() {
            return Err(Broken::new(number, format!("nothing stands behind `{key}:`")));
        }
        entries.push(Entry { line: number, key: key.to_owned(), value: value.to_owned() });
    }
    Ok(entries)
}

/// Whether a key belongs to a chart.
pub(super) fn is_of_chart(key: &str) -> bool {
    CHART_KEYS.contains(&key)
}

/// `NAME KIND = DEFAULT | meaning`, or without `= DEFAULT`.
fn parameter(entry: &Entry) -> Result<Parameter, Broken> {
    let wrong = |why: String| {
        Broken::new(
            entry.line,
            format!("{why}; write `param: least whole = 20 | the fewest games that count`"),
        )
    };
    let (declared, meaning) = entry.value.split_once('|').unwrap_or((entry.value.as_str(), ""));
    if meaning.trim().is_empty() {
        return Err(wrong("the meaning of the parameter is missing behind a `|`".to_owned()));
    }
    let (named, default) = match declared.split_once('=') {
        Some((named, default)) => (named, Some(default.trim())),
        None => (declared, None),
    };
    let words: Vec<&str> = named.split_whitespace().collect();
    let &[name, word] = words.as_slice() else {
        return Err(wrong(format!("`{}` is no name with a kind", named.trim())));
    };
    if !is_name(name) {
        return Err(wrong(format!("`{name}` is no name: small letters, digits and _ make one")));
    }
    let Some(kind) = ParameterKind::from_word(word) else {
        let kinds = ParameterKind::ALL.map(|(word, _)| word).join(", ");
        return Err(wrong(format!("`{word}` is no kind of value: {kinds} are")));
    };
    let default = default.map(|text| kind.read(text)).transpose();
    let default = default.map_err(|why| wrong(format!("the default of `{name}` will not do: {why}")))?;
    let (name, meaning) = (name.to_owned(), meaning.trim().to_owned());
    Ok(Parameter { name, kind, default, meaning, line: entry.line })
}

/// Whether a text can name a parameter.
pub(super) fn is_name(text: &str) -> bool {
    let mut signs = text.chars();
    signs.next().is_some_and(|sign| sign.is_ascii_lowercase() || sign == '_')
        && signs.all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_')
}

/// The line `chart:` and those that belong to it.
fn chart(entries: &[Entry]) -> Result<Option<(Entry, Vec<Entry>)>, Broken> {
    let mut kind: Option<&Entry> = None;
    let mut lines = Vec::new();
    for entry in entries {
        match kind {
            Some(first) if entry.key == "chart" => {
                let why =
                    format!("`chart:` stands in line {} already, and a study has one chart", first.line);
                return Err(Broken::new(entry.line, why));
            }
            None if entry.key == "chart" => kind = Some(entry),
            None if is_of_chart(&entry.key) => {
                let why =
                    format!("`{}:` belongs to a chart, and no line `chart:` stands above it", entry.key);
                return Err(Broken::new(entry.line, why));
            }
            Some(_) if is_of_chart(&entry.key) => lines.push(entry.clone()),
            _ => {}
        }
    }
    Ok(kind.map(|kind| (kind.clone(), lines)))
}

#[cfg(test)]
mod tests {
    use super::super::parameter::Value;
    use super::*;

    const WHOLE: &str = "\
-- title: Games of each year
-- question: How many games were played
--   each year?
--
-- note: One.
-- note: Two: with a colon.
-- param: from whole = 2002 | the first year
-- param: player text | whose games
-- chart: bars
-- x: year | year
-- y: games | games
-- rule: y 5

-- title: no part of the front matter
SELECT 1
";

    #[test]
    fn a_front_matter_is_read_to_its_end() {
        let front = front_matter(WHOLE).unwrap();
        assert_eq!(front.title, "Games of each year");
        assert_eq!(front.question, "How many games were played each year?");
        assert_eq!(front.notes, ["One.", "Two: with a colon."]);
        let parameters: Vec<_> =
            front.parameters.iter().map(|p| (p.name.as_str(), p.kind, p.default.clone(), p.line)).collect();
        assert_eq!(
            parameters,
            [
                ("from", ParameterKind::Whole, Some(Value::Whole(2_002)), 7),
                ("player", ParameterKind::Text, None, 8),
            ]
        );
        let (kind, lines) = front.chart.unwrap();
        assert_eq!((kind.value.as_str(), kind.line), ("bars", 9));
        assert_eq!(
            lines.iter().map(|line| (line.key.as_str(), line.line)).collect::<Vec<_>>(),
            [("x", 10), ("y", 11), ("rule", 12)]
        );
        let short = front_matter("-- title: A\r\n-- question: B?\r\nSELECT 1").unwrap();
        assert_eq!((short.question.as_str(), short.chart), ("B?", None));
    }

    #[test]
    fn a_line_that_says_nothing_is_named_with_what_should_stand_there() {
        let both = "-- title: A\n-- question: B?\n";
        for (text, line, words) in [
            ("SELECT 1", 1, "no `title:`"),
            ("", 1, "begins with"),
            ("-- title: A\nSELECT 1", 1, "no `question:`"),
            ("-- title: A\n-- question: B?\n-- title: C\n", 3, "line 1 already"),
            ("-- how many games\nSELECT 1", 1, "`-- key: value`"),
            ("--    goes on\n", 1, "no line before"),
            (&format!("{both}-- titel: C\n"), 3, "`titel:` means nothing"),
            (&format!("{both}-- note:\n"), 3, "nothing stands behind `note:`"),
            (&format!("{both}-- x: year | year\n"), 3, "no line `chart:`"),
            (&format!("{both}-- chart: lines\n-- x: a | a\n-- chart: bars\n"), 5, "one chart"),
            (&format!("{both}-- param: least whole = 20\n"), 3, "behind a `|`"),
            (&format!("{both}-- param: least = 20 | games\n"), 3, "`least` is no name with a kind"),
            (&format!("{both}-- param: Least whole = 20 | games\n"), 3, "small letters"),
            (&format!("{both}-- param: least int = 20 | games\n"), 3, "whole, number, text, date"),
            (&format!("{both}-- param: least whole = many | games\n"), 3, "a whole number is expected"),
            (&format!("{both}-- param: a whole = 1 | b\n-- param: a text | c\n"), 4, "line 3 already"),
        ] {
            let broken = front_matter(text).unwrap_err();
            assert_eq!(broken.line, line, "{text}: {broken:?}");
            assert!(broken.why.contains(words), "{text}: {broken:?}");
        }
    }

    #[cfg(feature = "charts")]
    #[test]
    fn the_keys_of_charts_are_those_that_recipes_have() {
        let known = annals_charts::recipe::keys();
        assert!(known.iter().all(|key| is_of_chart(key)), "{known:?}");
        assert_eq!(known.len(), CHART_KEYS.len());
    }
}
