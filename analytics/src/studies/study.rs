//! One study: its file, its query with the values of its parameters, its result, and the picture of that.

use std::collections::BTreeMap;

#[cfg(feature = "charts")]
use annals_charts::recipe::{Caption, Drawing};
use annals_report::shell_word;

use super::error::StudyError;
use super::figures::Figures;
use super::front_matter::{FrontMatter, front_matter};
use super::parameter::{Parameter, Value};
use super::placeholders::replaced;
use crate::session::{Answer, Session};
use crate::sql_guard::queries;

#[derive(Debug, Clone)]
pub struct Study {
    /// Its name, or that of its file.
    pub name: String,
    /// Its front matter.
    pub front: FrontMatter,
    file: String,
    text: String,
}

/// The values of all parameters, and those that a user gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    values: BTreeMap<String, Value>,
    said: Vec<(String, String)>,
}

impl Given {
    /// The values that a user gave, as `name=value`, in the order of the parameters.
    #[must_use]
    pub fn said(&self) -> Vec<String> {
        self.said.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    /// The value of a parameter; none if the study has no such parameter.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }
}

impl Study {
    /// Reads a study.
    ///
    /// # Errors
    /// `Broken` with file and line if the front matter or a name in the query is not valid.
    pub fn read(name: &str, file: &str, text: &str) -> Result<Study, StudyError> {
        let broken = |broken| StudyError::broken(file, broken);
        // A byte-order mark belongs neither to the front matter nor to the SQL.
        let text = text.trim_start_matches('\u{feff}');
        let front = front_matter(text).map_err(broken)?;
        for parameter in &front.parameters {
            let used = std::cell::Cell::new(false);
            // Each parameter is checked separately, so other names are ignored here.
            let _ = replaced(text, |name| {
                used.set(used.get() || name == parameter.name);
                Some(String::new())
            });
            if !used.get() {
                let why = format!(
                    "the parameter `{0}` is not used: no `${0}` stands in the question",
                    parameter.name
                );
                return Err(broken(super::Broken::new(parameter.line, why)));
            }
        }
        replaced(text, |name| {
            front.parameters.iter().any(|parameter| parameter.name == name).then(String::new)
        })
        .map_err(broken)?;
        Ok(Study { name: name.to_owned(), front, file: file.to_owned(), text: text.to_owned() })
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether its result can be drawn.
    #[must_use]
    pub fn has_chart(&self) -> bool {
        self.front.chart.is_some()
    }

    /// The values of its parameters: those that are given, as `name=value`, and the defaults of the others.
    ///
    /// # Errors
    /// If a parameter is not one of the study's, has a value of another type, is given twice or is missing.
    pub fn given(&self, said: &[(String, String)]) -> Result<Given, StudyError> {
        let mut given = Given::default();
        for (name, text) in said {
            let Some(parameter) = self.parameter(name) else {
                let has = |parameter: &Parameter| format!("`{}`, {}", parameter.name, parameter.meaning);
                return Err(StudyError::NoSuchParameter {
                    study: self.name.clone(),
                    name: name.clone(),
                    has: self.front.parameters.iter().map(has).collect(),
                });
            };
            let value = parameter.read(text).map_err(|why| StudyError::BadValue {
                study: self.name.clone(),
                name: name.clone(),
                found: text.clone(),
                why,
            })?;
            if given.values.insert(name.clone(), value).is_some() {
                return Err(StudyError::Twice { name: name.clone() });
            }
        }
        for parameter in &self.front.parameters {
            let text = said.iter().find(|(name, _)| *name == parameter.name).map(|(_, text)| text.clone());
            if let Some(text) = text {
                given.said.push((parameter.name.clone(), text));
                continue;
            }
            let Some(default) = &parameter.default else {
                return Err(StudyError::ParameterMissing {
                    study: self.name.clone(),
                    name: parameter.name.clone(),
                    meaning: parameter.meaning.clone(),
                });
            };
            given.values.insert(parameter.name.clone(), default.clone());
        }
        Ok(given)
    }

    /// The command that runs it with these parameters.
    #[must_use]
    pub fn command(&self, given: &Given) -> String {
        let params = given.said().into_iter().map(|param| format!(" --param {}", shell_word(&param)));
        params.fold(format!("annals study run {}", self.name), |line, param| line + &param)
    }

    fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.front.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The query with the values of its parameters, without the front matter.
    ///
    /// # Errors
    /// If a value is missing, which `given` excludes.
    pub fn sql(&self, given: &Given) -> Result<String, StudyError> {
        let sql = self.asked(given)?;
        let below =
            sql.lines().skip_while(|line| line.starts_with("--")).skip_while(|line| line.trim().is_empty());
        Ok(below.fold(String::new(), |text, line| text + line + "\n"))
    }

    /// The whole file with the values of its parameters, so that an error names the line of the file.
    fn asked(&self, given: &Given) -> Result<String, StudyError> {
        let value = |name: &str| given.values.get(name).map(Value::literal);
        replaced(&self.text, value).map_err(|broken| StudyError::broken(&self.file, broken))
    }

    /// Starts the query.
    ///
    /// # Errors
    /// If the file is not one statement, or a name in it does not exist.
    pub fn ask<'s>(&self, session: &'s Session, given: &Given) -> Result<Answer<'s>, StudyError> {
        let asking = |source| StudyError::Asking { file: self.file.clone(), source };
        let asked = queries(&self.asked(given)?).map_err(asking)?;
        let [question] = asked.as_slice() else {
            return Err(StudyError::NotOneQuestion { file: self.file.clone(), found: asked.len() });
        };
        session.ask(question).map_err(asking)
    }

    /// The whole result.
    ///
    /// # Errors
    /// As [`ask`](Study::ask), and if the query fails later.
    pub fn figures(&self, session: &Session, given: &Given) -> Result<Figures, StudyError> {
        let answer = self.ask(session, given)?;
        Figures::collect(answer).map_err(|source| StudyError::Asking { file: self.file.clone(), source })
    }

    /// The picture of a result; `source` is the line at its foot.
    ///
    /// # Errors
    /// `NoChart` if the study has none, `Drawing` if the result lacks a column that the chart needs, or has no row.
    #[cfg(feature = "charts")]
    pub fn draw(&self, figures: &Figures, source: String) -> Result<Drawing, StudyError> {
        let Some(recipe) = &self.front.chart else {
            return Err(StudyError::NoChart { study: self.name.clone() });
        };
        let table =
            figures.values().map_err(|source| StudyError::Asking { file: self.file.clone(), source })?;
        let said = Caption { title: self.front.title.clone(), subtitle: self.front.question.clone(), source };
        recipe.make(&table, said).map_err(|source| StudyError::Drawing { study: self.name.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"-- title = "Long games"
-- question = "Which games had many turns?"
-- param = [
--   { name = "least", kind = "whole", default = 20, meaning = "the fewest turns" },
--   { name = "player", kind = "text", meaning = "whose games" },
-- ]
-- [chart.dots]
-- x = "plies"
-- x_axis = { name = "turns" }
-- y = [{ column = "games" }]
-- y_axis = { name = "games" }

-- A comment with $nothing.
SELECT plies, 1 AS games FROM games WHERE plies >= $least AND gold = $player
"#;

    fn study() -> Study {
        Study::read("long", "long.sql", TEXT).unwrap()
    }

    fn said(words: &[(&str, &str)]) -> Vec<(String, String)> {
        words.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn values_stand_in_the_place_of_their_names() {
        let given = study().given(&said(&[("player", "O'Neill"), ("least", "-3")])).unwrap();
        assert_eq!(given.said(), ["least=-3", "player=O'Neill"], "in the order of the front matter");
        assert_eq!(
            study().sql(&given).unwrap(),
            "-- A comment with $nothing.\nSELECT plies, 1 AS games FROM games WHERE plies >= (-3) AND gold = 'O''Neill'\n"
        );
        let given = study().given(&said(&[("player", "x")])).unwrap();
        assert!(study().sql(&given).unwrap().contains(">= 20 AND"), "the default");
        assert_eq!(study().asked(&given).unwrap().lines().count(), TEXT.lines().count());
    }

    #[test]
    fn what_cannot_be_given_is_refused_with_what_can() {
        let refused = |words: &[(&str, &str)]| study().given(&said(words)).unwrap_err();
        let unknown = refused(&[("most", "7")]);
        assert_eq!(unknown.to_string(), "the study `long` has no parameter `most`");
        assert_eq!(unknown.hints(), ["it has `least`, the fewest turns; `player`, whose games"]);
        let wrong = refused(&[("least", "many")]);
        assert_eq!(
            wrong.to_string(),
            "`many` will not do for the parameter `least` of the study `long`: a whole number is expected"
        );
        let missing = refused(&[]);
        assert_eq!(
            missing.to_string(),
            "the study `long` cannot be run without its parameter `player`: whose games"
        );
        assert!(matches!(refused(&[("least", "1"), ("least", "2")]), StudyError::Twice { .. }));
    }

    #[test]
    fn names_that_do_not_match_are_told_with_file_and_line() {
        let broken = |text: &str| Study::read("x", "x.sql", text).unwrap_err().to_string();
        let head = "-- title = \"A\"\n-- question = \"B?\"\n";
        let n = "-- param = [{ name = \"n\", kind = \"whole\", default = 1, meaning = \"c\" }]";
        let unused = broken(&format!("{head}{n}\n\nSELECT '$n'"));
        assert_eq!(unused, "x.sql, line 3: the parameter `n` is not used: no `$n` stands in the question");
        let undeclared = broken(&format!("{head}\nSELECT 1,\n $n"));
        assert!(undeclared.starts_with("x.sql, line 5: `$n` stands for a parameter"), "{undeclared}");
        assert!(broken("SELECT 1").starts_with("x.sql, line 1: "), "{}", broken("SELECT 1"));
    }

    #[cfg(feature = "charts")]
    #[test]
    fn a_recipe_that_cannot_be_read_is_told_with_file_and_line() {
        let text = TEXT.replace("-- x = ", "-- z = ");
        let error = Study::read("x", "folder/x.sql", &text).unwrap_err();
        assert!(error.to_string().starts_with("folder/x.sql, line 8: unknown field `z`"), "{error}");
    }

    #[test]
    fn the_command_can_be_typed() {
        let text = "-- title = \"A\"\n-- question = \"B?\"\n\
                    -- param = [{ name = \"who\", kind = \"text\", meaning = \"c\" }]\n\nSELECT $who";
        let study = Study::read("mine.sql", "mine.sql", text).unwrap();
        let given = study.given(&[("who".to_owned(), "O'Neill x".to_owned())]).unwrap();
        assert_eq!(study.command(&given), "annals study run mine.sql --param \"who=O'Neill x\"");
    }
}
