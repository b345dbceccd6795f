//! The names of a site's files: readable, with characters that every file system and address takes.

use std::collections::{HashMap, HashSet};

use crate::request::PageRequest;

/// The longest name of a file or folder without its ending.
const LONGEST: usize = 100;

/// The file of each page, without its ending.
#[derive(Default)]
pub struct Files {
    of: HashMap<String, String>,
    /// In lower case, since some file systems make no difference.
    taken: HashSet<String>,
}

impl Files {
    /// The file of a page, always the same; two pages never have one file.
    pub fn stem(&mut self, page: &PageRequest) -> String {
        let address = page.address().to_string();
        if let Some(known) = self.of.get(&address) {
            return known.clone();
        }
        let wanted = wanted(page);
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        let free = std::iter::once(wanted.clone())
            .chain(numbered)
            .find(|stem| self.taken.insert(stem.to_lowercase()));
        let stem = free.unwrap_or(wanted);
        self.of.insert(address, stem.clone());
        stem
    }
}

fn wanted(page: &PageRequest) -> String {
    let parameters = page.parameters.iter().filter(|(name, _)| !name.starts_with("since_"));
    let ending: String = parameters.map(|(name, value)| format!(".{name}-{value}")).collect();
    let Some((last, folders)) = page.path.split_last() else { return "index".to_owned() };
    let folders = folders.iter().map(|folder| safe(folder) + "/");
    folders.collect::<String>() + &safe(&format!("{last}{ending}"))
}

fn safe(text: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = text.chars().take(LONGEST).map(kept).collect();
    // A name that begins with a dot is hidden, or is another folder.
    if name.starts_with('.') { format!("-{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_safe_and_no_other_pages() {
        let mut files = Files::default();
        let mut stem =
            |uri: &str| files.stem(&PageRequest::read(&uri.parse().unwrap(), &Default::default()).unwrap());
        assert_eq!(stem("/"), "index");
        assert_eq!(stem("/tournament/cup/rounds?known_at=round:3"), "tournament/cup/rounds.known_at-round-3");
        assert_eq!(stem("/player/..%2F..%2Fetc"), "player/-..-..-etc");
        assert_eq!(
            (stem("/player/Bob"), stem("/player/bob")),
            ("player/Bob".to_owned(), "player/bob-2".to_owned())
        );
        assert_eq!(stem("/player/Bob"), "player/Bob");
        assert_eq!(
            stem(&format!("/player/{}", "%C3%A9".repeat(900))),
            format!("player/{}", "-".repeat(LONGEST))
        );
    }
}
