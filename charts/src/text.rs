//! Text on pictures: styles, widths, truncation.

use plotters::prelude::*;
use plotters::style::FontStyle;
use plotters::style::text_anchor::Pos;

/// The built-in font family.
pub(crate) const FAMILY: FontFamily<'static> = FontFamily::SansSerif;
pub(crate) const WORDS: RGBColor = RGBColor(34, 34, 34);
/// Of secondary text.
pub(crate) const FAINT: RGBColor = RGBColor(100, 100, 100);

/// Of lines behind the data.
pub(crate) const GRID: RGBColor = RGBColor(225, 225, 225);

/// Size in pixels.
pub(crate) fn words(size: i32, colour: &'static RGBColor, pos: Pos) -> TextStyle<'static> {
    TextStyle::from((FAMILY, size)).color(colour).pos(pos)
}

/// Size in pixels.
pub(crate) fn bold(size: i32, pos: Pos) -> TextStyle<'static> {
    TextStyle::from((FAMILY, size, FontStyle::Bold)).color(&WORDS).pos(pos)
}

/// One line of text from a record; undrawable and direction-changing characters are escaped.
pub(crate) fn shown(words: &str) -> String {
    words.chars().fold(String::with_capacity(words.len()), |mut out, sign| {
        let misleads = sign.is_control()
            || matches!(sign, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || matches!(sign, '\u{fffe}' | '\u{ffff}');
        if misleads {
            out.extend(sign.escape_default());
        } else {
            out.push(sign);
        }
        out
    })
}

/// In pixels.
pub(crate) fn width(words: &str, style: &TextStyle<'_>) -> i32 {
    let size = style.font.box_size(words).map_or(0, |(width, _)| width);
    i32::try_from(size).unwrap_or(i32::MAX)
}

/// `fits` decides about a line.
pub(crate) fn wrapped(words: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in shown(words).split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}")).filter(|line| fits(line));
        match (lines.last_mut(), longer) {
            (Some(last), Some(longer)) => *last = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// At most `most` lines; the last has the rest, which may not fit.
pub(crate) fn lines(words: &str, style: &TextStyle<'_>, room: i32, most: usize) -> Vec<String> {
    let mut lines = wrapped(words, |line| width(line, style) <= room);
    if lines.len() > most {
        let rest = lines.split_off(most - 1);
        lines.push(rest.join(" "));
    }
    lines
}

/// Truncated with a mark.
pub(crate) fn fitting(words: &str, style: &TextStyle<'_>, room: i32) -> String {
    let words = shown(words);
    if width(&words, style) <= room {
        return words;
    }
    let signs: Vec<char> = words.chars().collect();
    let cut = |n: usize| signs.iter().take(n).chain(['…'].iter()).collect::<String>();
    // Widths grow with the characters.
    let places: Vec<usize> = (0..signs.len()).collect();
    let fits = places.partition_point(|n| width(&cut(*n), style) <= room);
    cut(fits.saturating_sub(1))
}
