//! Addresses of pages: a path of encoded segments and parameters.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What stays as it is in a segment or a parameter.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// An address on this server. Every text in it is encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    path: String,
    parameters: Vec<(String, String)>,
}

impl Address {
    pub fn of(segments: &[&str]) -> Address {
        let encoded = segments.iter().map(|segment| format!("/{}", utf8_percent_encode(segment, KEPT)));
        let path: String = encoded.collect();
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
