//! The front matter of a study: TOML in the comments at the top of its file, with its title, its question, its
//! parameters, and how its result is drawn.

use serde::Deserialize;

use super::parameter::Parameter;

#[cfg(feature = "charts")]
pub use annals_charts::recipe::Recipe;
/// A recipe of a chart in a build without charts: only its kind is read.
#[cfg(not(feature = "charts"))]
pub type Recipe = std::collections::BTreeMap<String, serde::de::IgnoredAny>;

/// The content of a front matter.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontMatter {
    /// The title of the study and of its picture.
    pub title: String,
    /// Its question, which is also the line below the title of its picture.
    pub question: String,
    /// Facts needed to read the result.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The parameters of the query.
    #[serde(default, rename = "param")]
    pub parameters: Vec<Parameter>,
    /// How the result is drawn; none without a chart.
    pub chart: Option<Recipe>,
}

/// An invalid line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The line of the file, from 1.
    pub line: usize,
    /// The found and the expected content.
    pub why: String,
}

impl Broken {
    pub(super) fn new(line: usize, why: impl Into<String>) -> Broken {
        Broken { line, why: why.into() }
    }
}

impl FrontMatter {
    /// The name of the chart's kind.
    #[must_use]
    pub fn chart_kind(&self) -> Option<&str> {
        #[cfg(feature = "charts")]
        return self.chart.as_ref().map(Recipe::kind);
        #[cfg(not(feature = "charts"))]
        self.chart.as_ref().and_then(|chart| chart.keys().next().map(String::as_str))
    }
}

/// Reads the front matter of a file.
///
/// # Errors
/// The first invalid line.
pub fn front_matter(text: &str) -> Result<FrontMatter, Broken> {
    let comments = text.trim_start_matches('\u{feff}').lines().map_while(|line| line.strip_prefix("--"));
    let toml: String = comments.flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect();
    let line_of = |offset: usize| 1 + toml[..offset.min(toml.len())].matches('\n').count();
    if toml.lines().any(|line| line.starts_with("title:") || line.starts_with("question:")) {
        return Err(Broken::new(
            1,
            "the front matter of a study is TOML now: `-- title = \"Long games\"`, `-- question = \"Which are long?\"`, \
             `-- [[param]]` with `name`, `kind`, `default` and `meaning`, and `-- [chart.bars]` with `x`, `x_axis`, `y` and `y_axis`",
        ));
    }
    let mut front: FrontMatter = toml::from_str(&toml).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(span.start));
        match error.message() {
            missing @ ("missing field `title`" | "missing field `question`") => Broken::new(
                line,
                format!("{missing}; a study begins with `-- title = \"...\"` and `-- question = \"...\"`"),
            ),
            message => Broken::new(line, message),
        }
    })?;
    for at in 0..front.parameters.len() {
        let (before, rest) = front.parameters.split_at_mut(at);
        let parameter = &mut rest[0];
        parameter.line = line_of(parameter.line);
        if let Some(other) = before.iter().find(|other| other.name == parameter.name) {
            let why = format!("the parameter `{}` stands in line {} already", parameter.name, other.line);
            return Err(Broken::new(parameter.line, why));
        }
    }
    #[cfg(feature = "charts")]
    if let Some(Err(why)) = front.chart.as_ref().map(Recipe::check) {
        return Err(Broken::new(line_of(toml.find("[chart").unwrap_or(0)), why));
    }
    Ok(front)
}

#[cfg(test)]
mod tests {
    use super::super::parameter::{ParameterKind, Value};
    use super::*;

    const WHOLE: &str = r#"-- title = "Games of each year"
-- question = """How many games were played \
--   each year?"""
--
-- notes = ["One.", "Two: with a colon."]
-- [[param]]
-- name = "from"
-- kind = "whole"
-- default = 2002
-- meaning = "the first year"
-- [[param]]
-- name = "player"
-- kind = "text"
-- meaning = "whose games"
-- [chart.bars]
-- x = "year"
-- x_axis = { name = "year" }
-- y = [{ column = "games" }]
-- y_axis = { name = "games", rule = 5 }

-- title = "no part of the front matter"
SELECT 1
"#;

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
                ("player", ParameterKind::Text, None, 12),
            ]
        );
        assert_eq!(front.chart_kind(), Some("bars"));
        let short = front_matter("-- title = \"A\"\r\n-- question = \"B?\"\r\nSELECT 1").unwrap();
        assert_eq!((short.question.as_str(), short.chart), ("B?", None));
    }

    #[test]
    fn a_line_that_says_nothing_is_named_with_what_should_stand_there() {
        let both = "-- title = \"A\"\n-- question = \"B?\"\n";
        let param = |name: &str, kind: &str, default: &str| {
            format!("-- [[param]]\n-- name = \"{name}\"\n-- kind = \"{kind}\"\n{default}-- meaning = \"x\"\n")
        };
        for (text, line, words) in [
            ("SELECT 1".to_owned(), 1, "missing field `title`; a study begins with `-- title = "),
            ("-- title: A\n-- question: B?\n".to_owned(), 1, "TOML now: `-- title = \"Long games\"`"),
            ("-- title = \"A\"\nSELECT 1".to_owned(), 1, "missing field `question`"),
            (format!("{both}-- title = \"C\"\n"), 3, "duplicate key"),
            ("-- how many games\nSELECT 1".to_owned(), 1, ""),
            (format!("{both}-- titel = \"C\"\n"), 3, "unknown field `titel`, expected one of `title`"),
            (format!("{both}-- notes =\n"), 3, ""),
            (format!("{both}-- [chart.pie]\n"), 3, if cfg!(feature = "charts") { "`pie`" } else { "" }),
            (
                format!("{both}-- [[param]]\n-- name = \"a\"\n-- kind = \"text\"\n"),
                3,
                "missing field `meaning`",
            ),
            (format!("{both}{}", param("Least", "whole", "")), 3, "small letters"),
            (
                format!("{both}{}", param("least", "int", "")),
                5,
                "unknown variant `int`, expected one of `whole`",
            ),
            (format!("{both}{}", param("least", "whole", "-- default = \"many\"\n")), 3, "a whole number"),
            (format!("{both}{}{}", param("a", "text", ""), param("a", "text", "")), 8, "line 4 already"),
        ] {
            if text.contains("pie") && !cfg!(feature = "charts") {
                continue;
            }
            let broken = front_matter(&text).unwrap_err();
            assert_eq!(broken.line, line, "{text}: {broken:?}");
            assert!(broken.why.contains(words), "{text}: {broken:?}");
        }
    }
}
