//! How a log can be examined when its event is over: commands of the program, as data.

/// Commands to run in order, and commands to try afterwards.
#[derive(Debug, Default)]
pub struct FollowUp {
    /// What is run.
    pub questions: Vec<Question>,
    /// What to try: the command line after `annals --home DIR`, and what it shows.
    pub suggestions: Vec<(String, &'static str)>,
}

/// One command.
#[derive(Debug)]
pub struct Question {
    /// What it answers.
    pub about: &'static str,
    /// Its name and arguments, after `annals --home DIR`.
    pub words: Vec<String>,
}

impl FollowUp {
    pub(crate) fn question(&mut self, about: &'static str, words: &[&str]) {
        self.questions.push(Question { about, words: words.iter().map(|word| (*word).to_owned()).collect() });
    }

    pub(crate) fn suggestion(&mut self, line: impl Into<String>, about: &'static str) {
        self.suggestions.push((line.into(), about));
    }
}
