//! Files that every page needs, compiled into the program.

/// The names of the files that a site has.
pub const NAMES: [&str; 5] = ["annals.css", "annals.js", "proof.js", "icon.svg", "check_proof.py"];

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
        "check_proof.py" => ("text/plain; charset=utf-8", include_bytes!("../../tools/check_proof.py")),
        _ => return None,
    })
}
