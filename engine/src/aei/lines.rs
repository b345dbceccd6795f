//! Reads lines of any length and encoding.

use std::io::{self, BufRead, ErrorKind};

/// The longest line kept, in bytes, far above any message.
pub const LONGEST: usize = 16 * 1024;

/// Bytes without a line end after which a piece is returned.
const PIECE: usize = 4 * LONGEST;

/// A line, or a piece of an overlong one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AeiLine {
    /// Without line end, invalid UTF-8 replaced. Empty for later pieces.
    pub text: String,
    /// In bytes, line end included.
    pub bytes: usize,
    /// Longer than [`LONGEST`]: the rest is lost.
    pub cut: bool,
}

/// Keeps the first [`LONGEST`] bytes of a line.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    within: bool,
}

impl<R: BufRead> Lines<R> {
    pub const fn new(input: R) -> Lines<R> {
        Lines { input, within: false }
    }

    /// None at the end. The last line needs no line end. An overlong line is returned in pieces, of which the first has
    /// text.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<AeiLine>> {
        let mut kept = Vec::new();
        let mut bytes = 0;
        let later = std::mem::take(&mut self.within);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() && bytes == 0 {
                return Ok(None);
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let text = &chunk[..end.unwrap_or(chunk.len())];
            let room = if later { 0 } else { LONGEST.saturating_sub(kept.len()) };
            kept.extend_from_slice(&text[..text.len().min(room)]);
            let used = text.len() + usize::from(end.is_some());
            let over = chunk.is_empty() || end.is_some();
            self.input.consume(used);
            bytes += used;
            self.within = !over && bytes >= PIECE;
            if over || self.within {
                let cut = later || bytes > kept.len() + usize::from(end.is_some());
                let text = String::from_utf8_lossy(&kept).trim_end_matches('\r').to_owned();
                return Ok(Some(AeiLine { text, bytes, cut }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<AeiLine> {
        let mut lines = Lines::new(bytes);
        std::iter::from_fn(|| lines.next_line().unwrap()).collect()
    }

    #[test]
    fn lines_end_in_both_ways_and_the_last_needs_no_end() {
        let texts: Vec<String> = lines(b"aei\r\n\nisready\nquit").into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["aei", "", "isready", "quit"]);
    }

    #[test]
    fn a_line_without_end_is_told_in_pieces_and_the_next_one_is_whole() {
        let mut bytes = vec![b'x'; 3 * LONGEST];
        bytes.extend_from_slice(b"\nquit\n");
        let found = lines(&bytes);
        assert_eq!((found[0].text.len(), found[0].bytes, found[0].cut), (LONGEST, 3 * LONGEST + 1, true));
        assert_eq!((found[1].text.as_str(), found[1].cut), ("quit", false));
        let whole = lines(&[b'x'; LONGEST]);
        assert_eq!((whole.len(), whole[0].cut), (1, false));
        let mut endless = lines(&[b"x".repeat(10 * LONGEST), b"\nquit".to_vec()].concat());
        assert_eq!(endless.pop().map(|line| line.text), Some("quit".to_owned()));
        assert_eq!(endless.iter().map(|line| line.bytes).sum::<usize>(), 10 * LONGEST + 1);
        assert!(
            endless.iter().all(|piece| piece.cut) && endless[1..].iter().all(|piece| piece.text.is_empty())
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        assert_eq!(lines(&[0xff, 0xfe, b'\n'])[0].text, "\u{fffd}\u{fffd}");
    }
}
