//! Players whose strength is fixed, and the patterns that name them.

use annals_events::PlayerKind;
use glob::{MatchOptions, Pattern};

use crate::game::Player;

/// Players whose strength is fixed.
#[derive(Debug, Clone, PartialEq)]
pub struct Fixed {
    /// Which: names with `*` and `?`, or `kind:bot`, `kind:human`.
    pub pattern: String,
    /// At what; none where it is estimated as one strength for all time.
    pub rating: Option<f64>,
}

impl Fixed {
    /// Whether it means a player.
    #[must_use]
    pub fn fits(&self, player: &Player) -> bool {
        match self.pattern.strip_prefix("kind:") {
            Some("bot") => player.kind == Some(PlayerKind::Bot),
            Some("human") => player.kind == Some(PlayerKind::Human),
            _ => fits(&self.pattern, &player.name),
        }
    }
}

/// The first of the fixed that means a player.
pub(crate) fn fixed_for<'f>(fixed: &'f [Fixed], player: &Player) -> Option<&'f Fixed> {
    fixed.iter().find(|fixed| fixed.fits(player))
}

/// Whether a pattern with `*` and `?` fits a text; upper and lower case are the same for the letters of English.
fn fits(pattern: &str, text: &str) -> bool {
    let mut pattern = pattern.replace('[', "[[]");
    // Two stars together mean folders in a path.
    while pattern.contains("**") {
        pattern = pattern.replace("**", "*");
    }
    let options = MatchOptions { case_sensitive: false, ..MatchOptions::default() };
    Pattern::new(&pattern).is_ok_and(|pattern| pattern.matches_with(text, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_names() {
        for (pattern, name, fits_it) in [
            ("bot_*", "bot_Clueless", true),
            ("BOT_*", "bot_", true),
            ("bot_*", "robot_", false),
            ("*a*b", "xaab", true),
            ("*a*b", "xba", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("", "", true),
            ("*", "", true),
            ("a**[x]", "a/b[X]", true),
        ] {
            assert_eq!(fits(pattern, name), fits_it, "{pattern} {name}");
        }
        let bot = Player { name: "x".to_owned(), kind: Some(PlayerKind::Bot) };
        assert!(Fixed { pattern: "kind:bot".to_owned(), rating: None }.fits(&bot));
    }
}
