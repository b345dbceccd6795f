//! From bytes to lines and text.

/// Line starts. A line ends with LF, CR, or both.
#[derive(Debug)]
pub(super) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub fn of(text: &[u8]) -> Lines {
        let mut starts = vec![0];
        for (at, byte) in text.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => text.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                starts.push(at + 1);
            }
        }
        Lines { starts }
    }

    /// From 1.
    pub fn line(&self, at: usize) -> u64 {
        self.starts.partition_point(|start| *start <= at) as u64
    }

    /// Offset and bytes of each line, without line end.
    pub fn each<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = (usize, &'t [u8])> {
        let ends = self.starts.iter().skip(1).copied().chain([text.len()]);
        self.starts.iter().copied().zip(ends).map(|(start, end)| {
            let line = text.get(start..end).unwrap_or_default();
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            (start, line.strip_suffix(b"\r").unwrap_or(line))
        })
    }
}

/// ISO 8859-1: every byte is a character.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_all_three_ways_and_every_byte_is_on_one() {
        let text = b"a\r\nbb\n\rc\r\n\r\nd";
        let lines = Lines::of(text);
        let each: Vec<&[u8]> = lines.each(text).map(|(_, line)| line).collect();
        assert_eq!(each, [&b"a"[..], b"bb", b"", b"c", b"", b"d"]);
        let numbers: Vec<u64> = (0..=text.len()).map(|at| lines.line(at)).collect();
        assert_eq!(numbers, [1, 1, 1, 2, 2, 2, 3, 4, 4, 4, 5, 5, 6, 6]);
        assert_eq!(Lines::of(b"").each(b"").count(), 1);
    }
}
