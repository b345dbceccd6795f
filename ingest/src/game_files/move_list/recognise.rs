use annals_rules::amazons::Move;

use super::header::Header;
use super::word::{Word, next};

pub(crate) fn looks_like_one(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start.get(..start.len().min(4096)).unwrap_or_default());
    let mut brace = false;
    for line in text.split(['\n', '\r']).map(str::trim) {
        if !brace && Header::of(line).is_some_and(|header| header.key.is_some()) {
            return true;
        }
        let mut rest = line;
        loop {
            if brace {
                let Some((_, behind)) = rest.split_once('}') else { break };
                brace = false;
                rest = behind;
            }
            match next(rest) {
                None | Some((Word::Comment, _)) => break,
                Some((Word::Brace, behind)) => (brace, rest) = (true, behind),
                Some((Word::Label(..), behind)) => rest = behind,
                Some((Word::Other(text), _)) => return Move::parse(text.as_bytes()).is_ok(),
                Some(_) => return false,
            }
        }
    }
    false
}
