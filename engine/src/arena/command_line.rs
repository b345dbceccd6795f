//! The command line of a program: words, as a shell would split them, but without a shell.

use std::fmt;
use std::str::FromStr;

/// The words of a command line; there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

/// Why a text is no command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// There is no word in it.
    #[error("the command line is empty; write the program and its arguments")]
    Empty,
    /// A quotation mark without its fellow.
    #[error("`{0}`: a quotation mark is not closed")]
    OpenQuote(String),
    /// A sign that no argument can hold.
    #[error("the command line holds a zero byte, which no program can be given")]
    Zero,
}

impl CommandLine {
    /// The program.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Its arguments.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// What the program is called where nobody names it: the last word that looks like a name, without its folder and
    /// ending (`python3 -m pyrimaa.simple_engine` is `simple_engine`).
    #[must_use]
    pub fn short_name(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let named = words.filter(|word| !word.starts_with('-')).take(3).map(|word| bare(word));
        named.filter(|name| !name.is_empty()).last().unwrap_or_else(|| "program".to_owned())
    }
}

/// A path or module without folder and ending, as a name can be.
fn bare(word: &str) -> String {
    let file = word.rsplit('/').next().unwrap_or(word);
    let file =
        ["py", "sh", "exe"].iter().find_map(|end| file.strip_suffix(&format!(".{end}"))).unwrap_or(file);
    let last = file.rsplit('.').next().unwrap_or(file);
    last.chars().filter(|c| c.is_ascii_alphanumeric() || "_-".contains(*c)).take(40).collect()
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    /// Splits at white space; what stands between single or double quotation marks is one word, and a backslash takes
    /// the sign after it as it is (not within single ones).
    fn from_str(text: &str) -> Result<CommandLine, CommandLineError> {
        if text.contains('\0') {
            return Err(CommandLineError::Zero);
        }
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        let mut signs = text.chars();
        while let Some(sign) = signs.next() {
            match (quote, sign) {
                (Some(open), _) if sign == open => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(sign);
                    word.get_or_insert_default();
                }
                (None | Some('"'), '\\') => word.get_or_insert_default().extend(signs.next()),
                (None, _) if sign.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(sign),
            }
        }
        if quote.is_some() {
            return Err(CommandLineError::OpenQuote(text.chars().take(80).collect()));
        }
        words.extend(word);
        let mut words = words.into_iter();
        match words.next().filter(|program| !program.is_empty()) {
            Some(program) => Ok(CommandLine { program, arguments: words.collect() }),
            None => Err(CommandLineError::Empty),
        }
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program)?;
        self.arguments.iter().try_for_each(|word| {
            let plain =
                !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,+".contains(c));
            if plain { write!(f, " {word}") } else { write!(f, " '{}'", word.replace('\'', "'\\''")) }
        })
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
        let odd: CommandLine = r#"x 'it'\''s' "a b""#.parse().unwrap();
        assert_eq!(odd.to_string().parse(), Ok(odd));
    }

    #[test]
    fn a_program_is_called_by_the_last_word_that_looks_like_a_name() {
        let name = |text: &str| text.parse::<CommandLine>().unwrap().short_name();
        assert_eq!(name("python3 -m pyrimaa.simple_engine"), "simple_engine");
        assert_eq!(name("/opt/bots/sharp"), "sharp");
        assert_eq!(name("sh ./bot.sh"), "bot");
        assert_eq!(name("annals aei"), "aei");
        assert_eq!(name("/"), "program");
    }
}
