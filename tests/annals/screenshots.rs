//! Pictures of every page, for people to look at:
//!
//! ```sh
//! ANNALS_SCREENSHOTS=FOLDER cargo test -p annals --test annals -- screenshots::
//! ```

use std::path::PathBuf;

use serde_json::json;

use crate::browsing::Reader;
use crate::serving::PAGES;

/// The tallest picture, in pixels.
const TALLEST: u64 = 4000;

#[test]
fn every_page_is_pictured_in_both_themes_wide_and_narrow() {
    let Some(folder) = std::env::var_os("ANNALS_SCREENSHOTS").map(PathBuf::from) else {
        eprintln!("skipped: ANNALS_SCREENSHOTS names no folder");
        return;
    };
    let reader = Reader::start().expect("pictures need a browser");
    std::fs::create_dir_all(&folder).unwrap();
    for path in PAGES {
        let name: String =
            path.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '-' }).collect();
        for width in [1100, 320] {
            reader.size(width, 800);
            reader.go(path);
            let height = reader.script("return document.documentElement.scrollHeight", &[]).as_u64().unwrap();
            reader.size(width, u32::try_from(height.min(TALLEST)).unwrap());
            for theme in ["light", "dark"] {
                reader.theme(theme);
                let picture = reader.chromium("Page.captureScreenshot", &json!({ "format": "png" }));
                let bytes = bytes_of_base64(picture["data"].as_str().unwrap());
                assert!(bytes.starts_with(b"\x89PNG"));
                std::fs::write(folder.join(format!("page{name}.{theme}.{width}.png")), bytes).unwrap();
            }
        }
    }
}

/// The bytes of a text in base 64.
fn bytes_of_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0_u32, 0);
    for digit in text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte)) {
        held = (held << 6 | digit as u32) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    bytes
}
