//! The command line of a program: words, split as by a shell, but without a shell.

use std::fmt;
use std::str::FromStr;

/// The words of a command line; there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

/// Why a text is not a command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    #[error("the command line is empty; write the program and its arguments")]
    Empty,
    #[error("`{0}`: a quotation mark is not closed")]
    OpenQuote(String),
    #[error("the command line holds a zero byte, which no program can be given")]
    Zero,
}

impl CommandLine {
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The default name of a program: its own name without folder and ending, or if it only runs
    /// another one, the name of that (`python3 -m pyrimaa.simple_engine` is `simple_engine`). The value of an option is
    /// never used as a name.
    #[must_use]
    pub fn short_name(&self) -> String {
        let own = bare(&self.program);
        let runs_another = RUNNERS.contains(&own.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
        let other = runs_another.then(|| self.what_it_runs()).flatten();
        let name = other.map(bare).filter(|name| !name.is_empty()).unwrap_or(own);
        if name.is_empty() { "program".to_owned() } else { name }
    }

    /// The module or script among the arguments of a program that runs others: what follows `-m` or `-jar`, or the first word
    /// that is neither an option nor may be the value of one.
    fn what_it_runs(&self) -> Option<&str> {
        let mut before = "";
        for word in self.arguments.iter().map(String::as_str) {
            match before {
                "-m" | "-jar" => return Some(word),
                // The next word is a program itself.
                "-c" | "-e" => return None,
                _ => {}
            }
            let option = word.starts_with('-');
            let variable = word.contains('=');
            let file = word.contains('/') || ENDINGS.iter().any(|end| has_ending(word, end));
            if !option && !variable && (file || !before.starts_with('-')) {
                return Some(word);
            }
            before = word;
        }
        None
    }
}

/// Programs that run others, without their version.
const RUNNERS: [&str; 15] = [
    "python", "pypy", "sh", "bash", "dash", "zsh", "perl", "ruby", "node", "java", "lua", "env", "nice",
    "nohup", "stdbuf",
];

/// The endings of files that such programs run.
const ENDINGS: [&str; 9] = ["py", "sh", "pl", "rb", "js", "mjs", "jar", "lua", "exe"];

fn has_ending(word: &str, ending: &str) -> bool {
    word.strip_suffix(ending).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
}

/// A path or module without folder and ending, as a name.
fn bare(word: &str) -> String {
    let file = word.rsplit('/').next().unwrap_or(word);
    let ending = ENDINGS.iter().find(|end| has_ending(file, end));
    let stem = ending.map_or(file, |end| &file[..file.len() - end.len() - 1]);
    // The number after the point of a version is not a name.
    let last = stem.rsplit('.').find(|part| !part.bytes().all(|b| b.is_ascii_digit())).unwrap_or(stem);
    last.chars().filter(|c| c.is_ascii_alphanumeric() || "_-".contains(*c)).take(40).collect()
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    /// Splits the words as a POSIX shell does.
    fn from_str(text: &str) -> Result<CommandLine, CommandLineError> {
        if text.contains('\0') {
            return Err(CommandLineError::Zero);
        }
        let words =
            shlex::split(text).ok_or_else(|| CommandLineError::OpenQuote(text.chars().take(80).collect()))?;
        let mut words = words.into_iter();
        match words.next().filter(|program| !program.is_empty()) {
            Some(program) => Ok(CommandLine { program, arguments: words.collect() }),
            None => Err(CommandLineError::Empty),
        }
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, word) in std::iter::once(&self.program).chain(&self.arguments).enumerate() {
            let plain =
                !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,+".contains(c));
            let space = if place > 0 { " " } else { "" };
            if plain {
                write!(f, "{space}{word}")?;
            } else {
                write!(f, "{space}'{}'", word.replace('\'', "'\\''"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let line: CommandLine = text.parse().unwrap();
        std::iter::once(line.program().to_owned()).chain(line.arguments().iter().cloned()).collect()
    }

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        assert_eq!(words("python3 -m  pyrimaa.simple_engine"), ["python3", "-m", "pyrimaa.simple_engine"]);
        assert_eq!(words(r#"a 'b c' "d \"e\"" f\ g '' "#), ["a", "b c", "d \"e\"", "f g", ""]);
        assert_eq!("".parse::<CommandLine>(), Err(CommandLineError::Empty));
        assert_eq!("'' x".parse::<CommandLine>(), Err(CommandLineError::Empty));
        assert!("a 'b".parse::<CommandLine>().is_err() && "a\0b".parse::<CommandLine>().is_err());
        for odd in [r#"x 'it'\''s' "a b""#, r#""my bots/it's" -x"#] {
            let odd: CommandLine = odd.parse().unwrap();
            assert_eq!(odd.to_string().parse(), Ok(odd));
        }
    }

    #[test]
    fn a_program_is_called_by_its_name_or_that_of_what_it_runs() {
        let name = |text: &str| text.parse::<CommandLine>().unwrap().short_name();
        assert_eq!(name("python3 -m pyrimaa.simple_engine"), "simple_engine");
        assert_eq!(name("/opt/bots/sharp"), "sharp");
        assert_eq!(name("sh ./bot.sh"), "bot");
        assert_eq!(name("annals engine aei --nodes 20"), "annals");
        assert_eq!(name("/opt/bots/sharp --depth 4 fast"), "sharp");
        assert_eq!(name("python3.12 -X dev -u bots/quick.py --time 9"), "quick");
        assert_eq!(name("python3 -X dev"), "python3");
        assert_eq!(name("sh -c 'exec ./bot --deep'"), "sh");
        assert_eq!(name("nice -n 19 ./bot 7"), "bot");
        assert_eq!(name("env THREADS=4 bot 7"), "bot");
        assert_eq!(name("java -Xmx1g -jar sharp-2.1.jar"), "sharp-2");
        assert_eq!(name("/"), "program");
    }
}
