//! Lines out of a stream that nobody has promised anything of: bytes that are no text, lines that never end.

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is kept, in bytes; no message of the protocol comes near it.
pub const LONGEST: usize = 16 * 1024;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its text, without the line end; bytes that are no UTF-8 stand as the replacement sign.
    pub text: String,
    /// How many bytes it had in all, the line end included.
    pub bytes: usize,
    /// Whether it was longer than [`LONGEST`], so that the rest is lost.
    pub cut: bool,
}

/// Reads the next line; none at the end. However long it is, no more than [`LONGEST`] bytes of it are kept. A last line
/// without a line end counts.
///
/// # Errors
/// When the stream cannot be read.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut kept = Vec::new();
    let mut bytes = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() && bytes == 0 {
            return Ok(None);
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let text = &chunk[..end.unwrap_or(chunk.len())];
        let room = LONGEST.saturating_sub(kept.len());
        kept.extend_from_slice(&text[..text.len().min(room)]);
        let used = text.len() + usize::from(end.is_some());
        let over = chunk.is_empty() || end.is_some();
        input.consume(used);
        bytes += used;
        if over {
            let cut = bytes > kept.len() + 1;
            let text = String::from_utf8_lossy(&kept).trim_end_matches('\r').to_owned();
            return Ok(Some(Line { text, bytes, cut }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| next_line(&mut bytes).unwrap()).collect()
    }

    #[test]
    fn lines_end_in_both_ways_and_the_last_needs_no_end() {
        let texts: Vec<String> = lines(b"aei\r\n\nisready\nquit").into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["aei", "", "isready", "quit"]);
    }

    #[test]
    fn a_line_without_end_is_cut_and_the_next_one_is_whole() {
        let mut bytes = vec![b'x'; 3 * LONGEST];
        bytes.extend_from_slice(b"\nquit\n");
        let found = lines(&bytes);
        assert_eq!((found[0].text.len(), found[0].bytes, found[0].cut), (LONGEST, 3 * LONGEST + 1, true));
        assert_eq!((found[1].text.as_str(), found[1].cut), ("quit", false));
        let whole = lines(&[b'x'; LONGEST]);
        assert_eq!((whole.len(), whole[0].cut), (1, false));
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        assert_eq!(lines(&[0xff, 0xfe, b'\n'])[0].text, "\u{fffd}\u{fffd}");
    }
}
