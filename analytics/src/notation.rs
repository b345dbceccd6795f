//! The mirror image of a turn in notation. Look-ups merge positions with their mirror images; turns played in a
//! mirrored one must be mirrored back before they are counted.

/// A turn or setup mirrored left to right: files a and h change places, and so do the directions e and w.
///
/// Tokens that are not steps, placements or captures (`resign`, `takeback`) are unchanged.
#[must_use]
pub fn mirrored_turn(steps: &str) -> String {
    let mut out = String::with_capacity(steps.len());
    for (i, token) in steps.split(' ').enumerate() {
        if i > 0 {
            out.push(' ');
        }
        mirror_token(token, &mut out);
    }
    out
}

/// `Ea2e`: piece, file, rank, and a direction or `x` unless it is a placement.
fn mirror_token(token: &str, out: &mut String) {
    let (piece, file, rank, last) = match *token.as_bytes() {
        [piece, file, rank] => (piece, file, rank, None),
        [piece, file, rank, last] => (piece, file, rank, Some(last)),
        _ => return out.push_str(token),
    };
    let is_piece = b"RCDHMErcdhme".contains(&piece);
    let is_square = (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    let last_mirrored = match last {
        None => None,
        Some(b'e') => Some('w'),
        Some(b'w') => Some('e'),
        Some(other @ (b'n' | b's' | b'x')) => Some(char::from(other)),
        Some(_) => return out.push_str(token),
    };
    if !is_piece || !is_square {
        return out.push_str(token);
    }
    out.push(char::from(piece));
    out.push(char::from(b'a' + b'h' - file));
    out.push(char::from(rank));
    out.extend(last_mirrored);
}

#[cfg(test)]
mod tests {
    use super::mirrored_turn;

    #[test]
    fn files_and_east_and_west_change_places() {
        assert_eq!(mirrored_turn("Ea2e rb3x Hc4n md5w"), "Eh2w rg3x Hf4n me5e");
        assert_eq!(mirrored_turn("Ra1 Rb1 Ed2"), "Rh1 Rg1 Ee2");
    }

    #[test]
    fn mirroring_twice_changes_nothing() {
        for text in ["", "Ea2e rb3x", "resign", "takeback", "Ra1 Rh1", "Ea9e Zb2n x é ab"] {
            assert_eq!(mirrored_turn(&mirrored_turn(text)), text);
        }
        assert_eq!(mirrored_turn("resign"), "resign");
    }
}
