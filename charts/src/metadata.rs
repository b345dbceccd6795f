//! Keys with values in a picture: entries in the `<metadata>` of an SVG, `iTXt` chunks of a PNG.

use std::io::Cursor;

use crate::error::ChartError;
use crate::picture::Picture;

/// The bytes of the signature and of the header chunk of a PNG.
const PNG_HEADER: usize = 8 + 25;

const BEGIN: &str = "\n<metadata><provenance xmlns=\"annals:provenance\">";
const END: &str = "</provenance></metadata>";
const ENTRY: &str = "<entry key=\"";
const ENTRY_END: &str = "</entry>";
const ESCAPES: [(&str, &str); 4] = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")];

/// A picture with entries. Keys are ASCII of at most 79 characters; neither keys nor values have control characters.
///
/// # Errors
/// `Drawing` if it is not a picture of this kind.
pub fn embed(picture: &[u8], kind: Picture, entries: &[(&str, String)]) -> Result<Vec<u8>, ChartError> {
    let (place, added) = match kind {
        Picture::Svg => (end_of_tag(picture).ok_or_else(|| not_a("SVG"))?, svg(entries).into_bytes()),
        Picture::Png => {
            if !is_png(picture) || picture.len() < PNG_HEADER {
                return Err(not_a("PNG"));
            }
            (PNG_HEADER, entries.iter().flat_map(|(key, value)| chunk(key, value)).collect())
        }
    };
    Ok([&picture[..place], &added, &picture[place..]].concat())
}

/// The entries of a picture that [`embed`] wrote; none of another file.
#[must_use]
pub fn read(picture: &[u8]) -> Option<Vec<(String, String)>> {
    if !is_png(picture) {
        return read_svg(std::str::from_utf8(picture).ok()?);
    }
    let reader = png::Decoder::new(Cursor::new(picture)).read_info().ok()?;
    let texts = reader.info().utf8_text.iter();
    let entries: Vec<_> =
        texts.filter_map(|text| Some((text.keyword.clone(), text.get_text().ok()?))).collect();
    (!entries.is_empty()).then_some(entries)
}

fn is_png(picture: &[u8]) -> bool {
    picture.starts_with(b"\x89PNG\r\n\x1a\n")
}

fn not_a(kind: &str) -> ChartError {
    ChartError::Drawing(format!("the picture is not a complete {kind}"))
}

/// Behind the first tag of an SVG, whose attributes have no `>`.
fn end_of_tag(picture: &[u8]) -> Option<usize> {
    let place = picture.iter().position(|byte| *byte == b'>')? + 1;
    picture.starts_with(b"<svg ").then_some(place)
}

fn svg(entries: &[(&str, String)]) -> String {
    let escaped =
        |text: &str| ESCAPES.iter().fold(text.to_owned(), |text, (sign, name)| text.replace(sign, name));
    let entry =
        |(key, value): &(&str, String)| format!("{ENTRY}{}\">{}{ENTRY_END}", escaped(key), escaped(value));
    format!("{BEGIN}{}{END}", entries.iter().map(entry).collect::<String>())
}

fn read_svg(picture: &str) -> Option<Vec<(String, String)>> {
    let (block, _) = picture.split_once(BEGIN)?.1.split_once(END)?;
    let plain = |text: &str| {
        ESCAPES.iter().rev().fold(text.to_owned(), |text, (sign, name)| text.replace(name, sign))
    };
    let entry = |text: &str| {
        let (key, value) = text.split_once("\">")?;
        Some((plain(key), plain(value)))
    };
    block.split_terminator(ENTRY_END).map(|text| entry(text.strip_prefix(ENTRY)?)).collect()
}

/// An uncompressed `iTXt` chunk without a language.
fn chunk(key: &str, value: &str) -> Vec<u8> {
    let body = [b"iTXt", key.as_bytes(), &[0; 5], value.as_bytes()].concat();
    let length = u32::try_from(body.len() - 4).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::tests::sample;
    use crate::draw::draw;

    #[test]
    fn entries_survive_in_either_kind_of_picture_and_the_same_entries_give_the_same_bytes() {
        let entries = [
            ("annals.source", "annals:dataset:00".to_owned()),
            ("annals.command", "annals query \"SELECT '<&amp;>' – é\"".to_owned()),
        ];
        let owned: Vec<_> = entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        for kind in [Picture::Svg, Picture::Png] {
            let plain = draw(&sample(), kind).unwrap();
            assert_eq!(read(&plain), None);
            let picture = embed(&plain, kind, &entries).unwrap();
            assert_eq!(read(&picture), Some(owned.clone()), "{kind:?}");
            assert_eq!(picture, embed(&draw(&sample(), kind).unwrap(), kind, &entries).unwrap());
        }
        assert!(embed(b"<html>", Picture::Svg, &entries).is_err());
        assert!(embed(b"\x89PNG\r\n\x1a\n", Picture::Png, &entries).is_err());
        assert_eq!(read(b"GIF89a"), None);
    }
}
