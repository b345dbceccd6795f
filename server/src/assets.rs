//! Files that every page needs, compiled into the program.

/// A file by its name, with its type.
pub fn asset(name: &str) -> Option<(&'static str, &'static [u8])> {
    let script = "text/javascript; charset=utf-8";
    Some(match name {
        "annals.css" => ("text/css; charset=utf-8", include_bytes!("../assets/annals.css")),
        "annals.js" => (script, include_bytes!("../assets/annals.js")),
        "proof.js" => (script, include_bytes!("../assets/proof.js")),
        "sql.js" => (script, include_bytes!("../assets/sql.js")),
        "explore.js" => (script, include_bytes!("../assets/explore.js")),
        "icon.svg" => ("image/svg+xml", include_bytes!("../assets/icon.svg")),
        _ => return None,
    })
}
