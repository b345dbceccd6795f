//! Putting the values of parameters in the place of `$name`. What stands in quotes or in a comment stays as it is.

use super::front_matter::{Broken, is_name};

/// The text with each `$name` replaced by what `value` gives for the name.
///
/// # Errors
/// The first name for which there is no value, with its line.
pub(super) fn replaced(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, Broken> {
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let taken = match sign {
            '\'' | '"' => quoted(rest, sign),
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '$' => {
                let name: String =
                    rest[1..].chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect();
                if !name.is_empty() {
                    let known = if is_name(&name) { value(&name) } else { None };
                    let Some(value) = known else {
                        let line = 1 + text[..text.len() - rest.len()].matches('\n').count();
                        let why = format!(
                            "`${name}` stands for a parameter that the front matter does not have: \
                             `-- param: {name} whole = 1 | what it means`"
                        );
                        return Err(Broken::new(line, why));
                    };
                    out.push_str(&value);
                    rest = &rest[1 + name.len()..];
                    continue;
                }
                1
            }
            sign => sign.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    Ok(out)
}

/// How far a text in quotes goes; a quote that stands twice is one of the text.
fn quoted(text: &str, quote: char) -> usize {
    let mut from = 1;
    while let Some(end) = text[from..].find(quote) {
        from += end + 1;
        if !text[from..].starts_with(quote) {
            return from;
        }
        from += 1;
    }
    text.len()
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
            ("é $n '", "é 7 '"),
            ("1 $ 2 $", "1 $ 2 $"),
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
        assert!(broken.why.contains("`$m`") && broken.why.contains("-- param: m"), "{broken:?}");
        assert!(sevens("$1").is_err() && sevens("$N").is_err());
    }
}
