//! A request for a page: the segments of its path, its parameters, and the shape of the answer.

use annals_report::{one_line, shell_word};
use axum::extract::Query;
use axum::http::{HeaderMap, Uri, header};
use percent_encoding::percent_decode_str;

use crate::Failure;
use crate::address::{Address, unmarked};

/// The parameters that choose a point in time.
pub const TIMES: [&str; 3] = ["as_of", "known_at", "tz"];

/// The most bytes of an address.
pub const LONGEST_ADDRESS: usize = 8 << 10;

/// The shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    Html,
    Json,
    Csv,
    Arrow,
    Parquet,
    Svg,
    /// FIDE's file of a tournament.
    Trf,
    /// A game as its moves.
    Text,
}

impl Shape {
    /// By the ending of a path.
    pub const ENDINGS: [(&'static str, Shape); 7] = [
        (".json", Shape::Json),
        (".csv", Shape::Csv),
        (".arrow", Shape::Arrow),
        (".parquet", Shape::Parquet),
        (".svg", Shape::Svg),
        (".trf", Shape::Trf),
        (".txt", Shape::Text),
    ];

    /// Of a file of this shape, without the dot.
    pub fn ending(self) -> &'static str {
        let known = Shape::ENDINGS.iter().find(|(_, shape)| *shape == self);
        known.map_or("html", |(ending, _)| &ending[1..])
    }
}

#[derive(Debug, Clone)]
pub struct PageRequest {
    /// Decoded.
    pub path: Vec<String>,
    pub parameters: Vec<(String, String)>,
    pub shape: Shape,
}

impl PageRequest {
    /// Reads an address: the path without its ending, and the parameters.
    ///
    /// # Errors
    /// If the address is too long or is not UTF-8.
    pub fn read(uri: &Uri, headers: &HeaderMap) -> Result<PageRequest, Failure> {
        if uri.path().len() + uri.query().map_or(0, str::len) > LONGEST_ADDRESS {
            return Err(Failure::new(414, format!("the address is longer than {LONGEST_ADDRESS} bytes")));
        }
        let ending = Shape::ENDINGS.iter().find(|(ending, _)| uri.path().ends_with(ending));
        let path = uri.path().strip_suffix(ending.map_or("", |(ending, _)| ending)).unwrap_or(uri.path());
        let accepts_json = || {
            let accepted =
                headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
            accepted.contains("application/json") && !accepted.contains("text/html")
        };
        let shape = match ending {
            Some((_, shape)) => *shape,
            None if accepts_json() => Shape::Json,
            None => Shape::Html,
        };
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        let decoded = segments.map(|segment| {
            let decoded = percent_decode_str(segment).decode_utf8()?;
            Ok::<_, std::str::Utf8Error>(unmarked(&decoded).to_owned())
        });
        let mut path: Vec<String> =
            decoded.collect::<Result<_, _>>().map_err(|_| Failure::bad("the path is not UTF-8"))?;
        if path == ["index"] {
            path.clear();
        }
        let parameters = Query::<Vec<(String, String)>>::try_from_uri(uri)
            .map_err(|error| {
                Failure::bad("the parameters of the address cannot be read").reason(error.to_string())
            })?
            .0;
        Ok(PageRequest { path, parameters, shape })
    }

    /// The path as words.
    pub fn segments(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }

    /// A parameter that is not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(known, value)| known == name && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    /// The point in time as options of a command line, each after a space.
    pub fn moment_words(&self) -> String {
        let given = TIMES.into_iter().filter_map(|name| Some((name, self.get(name)?)));
        let options = given
            .filter(|given| *given != ("tz", "UTC"))
            .map(|(name, value)| format!(" --{} {}", name.replace('_', "-"), shell_word(&one_line(value))));
        options.collect()
    }

    /// A parameter as a number.
    ///
    /// # Errors
    /// If it is not one.
    pub fn number(&self, name: &str) -> Result<Option<u64>, Failure> {
        let read = |text: &str| {
            text.parse().map_err(|_| Failure::bad(format!("expected a number as `{name}`, found `{text}`")))
        };
        self.get(name).map(read).transpose()
    }

    /// The address of this page with all its parameters.
    pub fn address(&self) -> Address {
        let parameters = self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Address::of(&self.segments()).with_all(parameters)
    }

    /// Another page at the same point in time.
    pub fn at_same_time(&self, segments: &[&str]) -> Address {
        Address::of(segments)
            .with_all(TIMES.into_iter().map(|name| (name, self.get(name).unwrap_or_default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(uri: &str) -> Result<PageRequest, Failure> {
        PageRequest::read(&uri.parse().unwrap(), &HeaderMap::new())
    }

    #[test]
    fn a_path_is_decoded_once_and_its_ending_is_the_shape() {
        let request = read("/game/cup.r1.1.json?as_of=2015&tz=%2B02:00&empty=").unwrap();
        assert_eq!((request.segments(), request.shape), (vec!["game", "cup.r1.1"], Shape::Json));
        assert_eq!(
            (request.get("tz"), request.get("empty"), request.get("none")),
            (Some("+02:00"), None, None)
        );
        assert_eq!(read("/player/a%252F%2F..").unwrap().path, ["player", "a%2F/.."]);
        assert!(read("/index.json").unwrap().path.is_empty());
        for name in
            [".", "..", "~..", "~~.", "~x", ".json", "x.svg", "a.json.csv", "...", "x%2Ejson", "<é> /"]
        {
            let address = Address::of(&["player", name]);
            // As a browser reads it, which removes segments of dots.
            assert!(
                !address.to_string().split('/').any(|segment| matches!(segment, "." | "..")),
                "{address}"
            );
            for (address, shape) in [(address.clone(), Shape::Html), (address.ending("json"), Shape::Json)] {
                let request = read(&address.to_string()).unwrap();
                assert_eq!((request.segments(), request.shape), (vec!["player", name], shape), "{address}");
            }
        }
        assert_eq!(read("/player/%ff").unwrap_err().status, 400);
        assert_eq!(read(&format!("/{}", "a".repeat(9_000))).unwrap_err().status, 414);
    }

    #[test]
    fn json_is_chosen_by_the_header_too() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, "application/json".parse().unwrap());
        let request = PageRequest::read(&"/log".parse().unwrap(), &headers).unwrap();
        assert_eq!(request.shape, Shape::Json);
    }
}
