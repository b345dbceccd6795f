//! The evaluators by name, with the trained networks that arguments name: the file of `net:FILE` is read then.

use std::sync::Arc;

use annals_engine::evaluation::{Evaluators, Registry};

use crate::errors::CliError;

/// All evaluators of the engine, and every network that one of the texts names. A text is an evaluator's name, or settings of a
/// player such as `evaluator=net:FILE,nodes=2000`.
pub fn registry<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Registry, CliError> {
    #[cfg_attr(not(feature = "learning"), expect(unused_mut, reason = "only networks are added"))]
    let mut registry = Registry::standard();
    for text in texts {
        // A text that begins with `net:` is one name, commas included; settings are separated by commas.
        let parts =
            if text.trim_start().starts_with("net:") { vec![text] } else { text.split(',').collect() };
        for part in parts {
            let name = part.trim().strip_prefix("evaluator=").unwrap_or(part.trim());
            let Some(file) = name.strip_prefix("net:") else { continue };
            #[cfg(feature = "learning")]
            {
                let net = annals_learning::NetEvaluator::read(std::path::Path::new(file))?;
                registry.register(std::sync::Arc::new(net));
            }
            #[cfg(not(feature = "learning"))]
            return Err(CliError::new(format!("{file}: this program was built without trained networks"))
                .hint("cargo install --path . --locked --features learning"));
        }
    }
    Ok(registry)
}

/// The evaluators of the names, each once; all of them if none is named.
pub fn chosen<E: ?Sized>(registry: &Evaluators<E>, names: &[String]) -> Result<Vec<Arc<E>>, CliError> {
    if names.is_empty() {
        return Ok(registry.iter().cloned().collect());
    }
    let mut chosen: Vec<Arc<E>> = Vec::new();
    for name in names {
        let evaluator = registry.get(name).map_err(|unknown| {
            let list = "`annals engine evaluate --list` describes each; net:FILE is a network";
            let known = unknown.known.iter().map(String::as_str);
            CliError::from_error(&unknown).did_you_mean(name, known, list)
        })?;
        if !chosen.iter().any(|known| Arc::ptr_eq(known, &evaluator)) {
            chosen.push(evaluator);
        }
    }
    Ok(chosen)
}
