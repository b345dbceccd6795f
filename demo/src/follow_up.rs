/// Commands to run, and suggestions.
#[derive(Debug, Default)]
pub struct FollowUp {
    pub questions: Vec<Question>,
    /// The command line after `annals --home DIR`, and what it shows.
    pub suggestions: Vec<(String, &'static str)>,
}

#[derive(Debug)]
pub struct Question {
    /// The question.
    pub about: &'static str,
    /// Arguments after `annals --home DIR`.
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
