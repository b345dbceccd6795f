//! Players of fixed strength, by patterns.

use annals_events::PlayerKind;
use glob::{MatchOptions, Pattern};

use crate::game::Player;

#[derive(Debug, Clone, PartialEq)]
pub struct Fixed {
    /// Names with `*` and `?`, or `kind:bot`, `kind:human`.
    pub pattern: String,
    /// None for one estimated strength.
    pub rating: Option<f64>,
}

impl Fixed {
    #[must_use]
    pub fn fits(&self, player: &Player) -> bool {
        match self.pattern.strip_prefix("kind:") {
            Some("bot") => player.kind == Some(PlayerKind::Bot),
            Some("human") => player.kind == Some(PlayerKind::Human),
            _ => fits(&self.pattern, &player.name),
        }
    }
}

/// The first that matches.
pub(crate) fn fixed_for<'f>(fixed: &'f [Fixed], player: &Player) -> Option<&'f Fixed> {
    fixed.iter().find(|fixed| fixed.fits(player))
}

/// Matches `*` and `?`, ignoring ASCII case.
fn fits(pattern: &str, text: &str) -> bool {
    let mut pattern = pattern.replace('[', "[[]");
    // Two stars would match folders.
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
