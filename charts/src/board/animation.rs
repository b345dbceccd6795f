//! Diagrams as an animated PNG; viewers without animation show the first.

use super::Diagram;
use super::draw::Sheet;
use crate::error::ChartError;
use crate::picture::{Paint, pixels};

/// Shows each diagram for `milliseconds`, and repeats.
///
/// # Errors
/// `NoPoints` without a diagram or a square, `Drawing` for diagrams of different sizes.
pub fn animation(diagrams: &[Diagram], milliseconds: u16) -> Result<Vec<u8>, ChartError> {
    let failed = |error: &dyn std::fmt::Display| ChartError::Drawing(error.to_string());
    let nothing = || ChartError::NoPoints { title: String::new() };
    let sheets = diagrams.iter().map(Sheet::new).collect::<Result<Vec<_>, _>>()?;
    let first = sheets.first().ok_or_else(nothing)?;
    let ([width, height], mut frame) = pixels(first)?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_deflate_compression(png::DeflateCompression::Level(6));
    encoder.set_filter(png::Filter::NoFilter);
    let frames = u32::try_from(sheets.len()).map_err(|e| failed(&e))?;
    encoder.set_animated(frames, 0).map_err(|e| failed(&e))?;
    encoder.set_frame_delay(milliseconds, 1000).map_err(|e| failed(&e))?;
    let mut writer = encoder.write_header().map_err(|e| failed(&e))?;
    writer.write_image_data(&frame).map_err(|e| failed(&e))?;
    for sheet in &sheets[1..] {
        let size;
        (size, frame) = pixels(sheet)?;
        if size != [width, height] || sheet.size() != first.size() {
            return Err(ChartError::Drawing("the pictures of an animation differ in size".to_owned()));
        }
        writer.write_image_data(&frame).map_err(|e| failed(&e))?;
    }
    writer.finish().map_err(|e| failed(&e))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;

    #[test]
    fn an_animation_has_a_frame_for_each_diagram() {
        let of = |ranks| Diagram {
            boards: vec![Board { files: 3, ranks, ..Board::default() }],
            ..Diagram::default()
        };
        let file = animation(&[of(3), of(3), of(3)], 500).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let control = reader.info().animation_control().unwrap();
        assert_eq!((control.num_frames, control.num_plays), (3, 0));
        assert_eq!(reader.info().frame_control().unwrap().delay_num, 500);
        assert!(animation(&[of(3), of(4)], 500).is_err());
        assert!(animation(&[], 500).is_err());
    }
}
