//! "Did you mean": the known name that is nearest to a misspelt one.

/// How alike two names must be for one to be suggested in place of the other, from 0 to 1.
const ALIKE: f64 = 0.75;

/// The nearest of the known names, where one is near enough.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    known
        .into_iter()
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(alike, _)| *alike > ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_something_else_is_not() {
        let known = ["tournament/wcc-2015", "game/wcc-2015.r1.1", "people/omar"];
        assert_eq!(nearest("tournament/wcc-2105", known), Some("tournament/wcc-2015"));
        assert_eq!(nearest("people/omer", known), Some("people/omar"));
        assert_eq!(nearest("zzz", known), None);
        assert_eq!(nearest("x", []), None);
    }
}
