//! Pixels as a PNG file: eight bits for each of red, green and blue, no filter, one compressed block. The format asks for
//! little, and the compression is that of the archives which the program reads anyway.

use std::io::{self, Write as _};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// A picture of a size, its pixels line by line.
pub(crate) fn png(pixels: &[u8], width: u32, height: u32) -> io::Result<Vec<u8>> {
    let mut lines = ZlibEncoder::new(Vec::new(), Compression::default());
    for line in pixels.chunks_exact(3 * width as usize) {
        // Each line begins with its filter: none.
        lines.write_all(&[0])?;
        lines.write_all(line)?;
    }
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Bits a channel, true colour, deflate, the one filter method, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, b"IHDR", &header)?;
    chunk(&mut out, b"IDAT", &lines.finish()?)?;
    chunk(&mut out, b"IEND", &[])?;
    Ok(out)
}

/// A chunk: its length, its name, its bytes, and the checksum of name and bytes.
fn chunk(out: &mut Vec<u8>, name: &[u8; 4], bytes: &[u8]) -> io::Result<()> {
    let length =
        u32::try_from(bytes.len()).map_err(|_| io::Error::other("the picture is too large for PNG"))?;
    out.extend(length.to_be_bytes());
    let mut sum = Crc::new();
    for part in [&name[..], bytes] {
        sum.update(part);
        out.extend(part);
    }
    out.extend(sum.sum().to_be_bytes());
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;

    use super::*;

    /// Reads a picture back: its size and its pixels. Every checksum has to be right.
    pub fn read(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let (mut at, mut chunks) = (8, Vec::new());
        while at < bytes.len() {
            let end = at + 8 + number(at) as usize;
            let mut sum = Crc::new();
            sum.update(&bytes[at + 4..end]);
            assert_eq!(sum.sum(), number(end));
            chunks.push((bytes[at + 4..at + 8].to_vec(), bytes[at + 8..end].to_vec()));
            at = end + 4;
        }
        let names: Vec<&[u8]> = chunks.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(names, [b"IHDR", b"IDAT", b"IEND"]);
        let (width, height) = (number(16), number(20));
        let mut lines = Vec::new();
        ZlibDecoder::new(&chunks[1].1[..]).read_to_end(&mut lines).unwrap();
        let line = 1 + 3 * width as usize;
        assert_eq!(lines.len(), line * height as usize);
        let pixels = lines.chunks(line).flat_map(|line| line[1..].to_vec()).collect();
        (width, height, pixels)
    }

    #[test]
    fn pixels_come_back_as_they_went() {
        let pixels: Vec<u8> = (0..3 * 5 * 4).collect();
        assert_eq!(read(&png(&pixels, 5, 4).unwrap()), (5, 4, pixels));
    }

    #[test]
    fn the_checksum_of_an_empty_end_is_the_one_that_every_png_has() {
        let bytes = png(&[1, 2, 3], 1, 1).unwrap();
        assert_eq!(&bytes[bytes.len() - 12..], b"\0\0\0\0IEND\xae\x42\x60\x82");
    }
}
