//! Replaces `$name` by the values of parameters. Quoted texts and comments are unchanged.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::front_matter::Broken;

/// The text with each `$name` replaced by the result of `value` for the name. A text that is not SQL is unchanged.
///
/// # Errors
/// The first name for which there is no value, with its line.
pub(super) fn replaced(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, Broken> {
    let tokens = Tokenizer::new(&GenericDialect {}, text).with_unescape(false).tokenize_with_location();
    let Ok(tokens) = tokens else { return Ok(text.to_owned()) };
    let replaced = tokens.into_iter().map(|token| {
        let Token::Placeholder(placeholder) = &token.token else { return Ok(token.token.to_string()) };
        let name = placeholder.trim_start_matches('$');
        value(name).ok_or_else(|| {
            let why = format!(
                "`{placeholder}` stands for a parameter that the front matter does not have: write `-- [[param]]` with \
                 `name = \"{name}\"`, `kind` and `meaning`"
            );
            Broken::new(usize::try_from(token.span.start.line).unwrap_or(usize::MAX), why)
        })
    });
    replaced.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sevens(text: &str) -> Result<String, Broken> {
        replaced(text, |name| (name == "n" || name == "n_2").then(|| "7".to_owned()))
    }

    #[test]
    fn names_are_replaced_but_for_those_in_quotes_and_comments() {
        for (text, becomes) in [
            ("SELECT $n, $n_2;", "SELECT 7, 7;"),
            ("'$n' || '''$n' || $n", "'$n' || '''$n' || 7"),
            ("\"$n\" -- $n $x\n$n /* $n\n$x */ $n", "\"$n\" -- $n $x\n7 /* $n\n$x */ 7"),
            ("é $n", "é 7"),
            ("é $n '", "é $n '"),
            ("/* $x", "/* $x"),
            ("", ""),
        ] {
            assert_eq!(sevens(text).unwrap(), becomes);
        }
    }

    #[test]
    fn a_name_without_a_value_is_told_with_its_line() {
        let broken = sevens("-- $x\nSELECT\n  $m").unwrap_err();
        assert_eq!(broken.line, 3);
        assert!(broken.why.contains("`$m`") && broken.why.contains("`name = \"m\"`"), "{broken:?}");
        assert!(sevens("$1").is_err() && sevens("$N").is_err());
    }
}
