//! Words of command lines that are printed, as a shell reads them.

/// A word as it is written on a command line: quoted only where a shell would read it otherwise.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || "._-+:/=@%,".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    // A word with a NUL can be on no command line.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn a_shell_reads_a_word_as_it_was() {
        for (word, written) in [
            ("T7=B", "T7=B"),
            ("Béla", "Béla"),
            ("cup r3.1", "'cup r3.1'"),
            ("", "''"),
            ("O'Hara", "\"O'Hara\""),
            ("$HOME", "'$HOME'"),
        ] {
            assert_eq!(shell_word(word), written);
            assert_eq!(shlex::split(written), Some(vec![word.to_owned()]));
        }
    }
}
