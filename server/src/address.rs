//! Addresses of pages: a path of encoded segments and parameters.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::request::Shape;

/// What stays as it is in a segment or a parameter.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// Before a segment that is [`of_dots`].
const MARK: char = '~';

/// Whether a segment is `.` or `..`, with any number of marks before it. Browsers remove a segment of dots, however it is encoded.
fn is_of_dots(segment: &str) -> bool {
    matches!(segment.trim_start_matches(MARK), "." | "..")
}

/// A segment as a path has it. Names may be anything: none is a step up, and none has the ending of a file.
fn encoded(segment: &str) -> String {
    let marked = if is_of_dots(segment) { format!("{MARK}{segment}") } else { segment.to_owned() };
    let encoded = utf8_percent_encode(&marked, KEPT).to_string();
    match Shape::ENDINGS.iter().find_map(|(ending, _)| encoded.strip_suffix(ending).zip(ending.get(1..))) {
        Some((name, ending)) => format!("{name}%2E{ending}"),
        None => encoded,
    }
}

/// The segment of a path, decoded but for the mark.
pub fn unmarked(segment: &str) -> &str {
    segment.strip_prefix(MARK).filter(|_| is_of_dots(segment)).unwrap_or(segment)
}

/// An address on this server. Every text in it is encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    path: String,
    parameters: Vec<(String, String)>,
}

impl Address {
    pub fn of(segments: &[&str]) -> Address {
        let path: String = segments.iter().map(|segment| format!("/{}", encoded(segment))).collect();
        Address { path: if path.is_empty() { "/".to_owned() } else { path }, parameters: Vec::new() }
    }

    /// With a parameter, in the place of one of the same name; an empty value removes it.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Address {
        let place = self.parameters.iter().position(|(known, _)| known == name);
        match (place, value) {
            (Some(place), "") => drop(self.parameters.remove(place)),
            (None, "") => {}
            (Some(place), _) => self.parameters[place].1 = value.to_owned(),
            (None, _) => self.parameters.push((name.to_owned(), value.to_owned())),
        }
        self
    }

    /// With all parameters of a list.
    #[must_use]
    pub fn with_all<'p>(self, parameters: impl IntoIterator<Item = (&'p str, &'p str)>) -> Address {
        parameters.into_iter().fold(self, |address, (name, value)| address.with(name, value))
    }

    /// The same page as JSON or as a file of another kind.
    pub fn ending(&self, ending: &str) -> Address {
        let path =
            if self.path == "/" { format!("/index.{ending}") } else { format!("{}.{ending}", self.path) };
        Address { path, ..self.clone() }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        for (place, (name, value)) in self.parameters.iter().enumerate() {
            let before = if place == 0 { '?' } else { '&' };
            write!(f, "{before}{}={}", utf8_percent_encode(name, KEPT), utf8_percent_encode(value, KEPT))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_an_address_is_encoded() {
        let address =
            Address::of(&["player", "a/b?<\"é"]).with("as_of", "2015-03-01T00:00:00Z").with("x", "&=");
        assert_eq!(address.to_string(), "/player/a%2Fb%3F%3C%22%C3%A9?as_of=2015-03-01T00:00:00Z&x=%26%3D");
        assert_eq!(
            address.with("x", "").with("as_of", "2016").to_string(),
            "/player/a%2Fb%3F%3C%22%C3%A9?as_of=2016"
        );
        assert_eq!(Address::of(&[]).to_string(), "/");
        assert_eq!(Address::of(&[]).ending("json").to_string(), "/index.json");
    }
}
