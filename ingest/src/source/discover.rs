//! From given files, folders and globs to files, each once, in an order independent of how they were given.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Marks a folder as a dataset, in which archives are not searched.
pub const MANIFEST_FILE: &str = "manifest.json";

/// Endings of files used in folders.
const ENDINGS: [&str; 7] = ["txt", "sgf", "moves", "gz", "tgz", "tar", "zip"];

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFile {
    /// Below the given folder, with `/`; for a given file, its own name.
    pub name: String,
    pub path: PathBuf,
    pub bytes: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    #[error("there is no file or folder `{}`", path.display())]
    NotThere { path: PathBuf },
    #[error("`{pattern}` is not a valid pattern: {why}")]
    Pattern { pattern: String, why: String },
    /// A pattern or folder without files.
    #[error(
        "no file in `{given}`; name archive files or game files (.txt, .sgf, .moves, .gz, .tgz, .tar, .zip), folders of them, or a pattern"
    )]
    Nothing { given: String },
    /// A pipe, device or socket, which can be read only once.
    #[error(
        "`{}` is a pipe or a device, which cannot be read a second time to check whether it changed; \
         write it into a file first", path.display()
    )]
    NoFile { path: PathBuf },
    #[error("the folder `{}` cannot be listed: {why}", path.display())]
    Folder { path: PathBuf, why: io::Error },
}

/// Finds the files. Folders are searched recursively for the endings of archives and game files (`.txt`, `.sgf`,
/// `.moves`, `.gz`, `.tgz`, `.tar`, `.zip`), without hidden files (`.name`), links to folders, datasets, and irregular
/// files; patterns skip hidden files, too. Each file appears once. Sorted by name, then path.
///
/// # Errors
/// If an input is missing, or has no file.
pub fn discover<P: AsRef<Path>>(given: &[P]) -> Result<Vec<SourceFile>, DiscoverError> {
    let mut files = Vec::new();
    for given in given {
        let given = given.as_ref();
        let before = files.len();
        match fs::metadata(given) {
            Ok(metadata) if metadata.is_dir() => walk(given, "", &mut files)?,
            Ok(metadata) if !metadata.is_file() => {
                return Err(DiscoverError::NoFile { path: given.to_owned() });
            }
            Ok(metadata) => files.push(single(given, metadata.len())),
            Err(_) => matching(given, &mut files)?,
        }
        if files.len() == before {
            return Err(DiscoverError::Nothing { given: given.display().to_string() });
        }
    }
    files.sort();
    let mut seen = HashSet::new();
    files.retain(|file| {
        let real = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
        seen.insert(real)
    });
    Ok(files)
}

/// Files that desktop systems add to archives and folders.
pub(super) fn is_clutter(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.starts_with('.') || name.split('/').any(|part| part == "__MACOSX")
}

fn single(path: &Path, bytes: u64) -> SourceFile {
    let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    SourceFile { name: name.into_owned(), path: path.to_owned(), bytes }
}

fn matching(given: &Path, files: &mut Vec<SourceFile>) -> Result<(), DiscoverError> {
    let Some(pattern) = given.to_str().filter(|text| text.contains(['*', '?', '['])) else {
        return Err(DiscoverError::NotThere { path: given.to_owned() });
    };
    let paths = glob::glob(pattern)
        .map_err(|error| DiscoverError::Pattern { pattern: pattern.to_owned(), why: error.to_string() })?;
    for path in paths.flatten() {
        if path.file_name().is_some_and(|name| is_clutter(&name.to_string_lossy())) {
            continue;
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => walk(&path, "", files)?,
            Ok(metadata) if !metadata.is_file() => {}
            Ok(metadata) => files.push(single(&path, metadata.len())),
            // Removed since, or a dangling link: reading reports it.
            Err(_) => files.push(single(&path, 0)),
        }
    }
    Ok(())
}

fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn walk(folder: &Path, below: &str, files: &mut Vec<SourceFile>) -> Result<(), DiscoverError> {
    let failed = |why| DiscoverError::Folder { path: folder.to_owned(), why };
    if folder.join(MANIFEST_FILE).is_file() {
        // A dataset is not an archive.
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let own = entry.file_name().to_string_lossy().into_owned();
        if is_clutter(&own) {
            continue;
        }
        let path = entry.path();
        let name = if below.is_empty() { own } else { format!("{below}/{own}") };
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        if is_folder {
            walk(&path, &name, files)?;
        } else if let Ok(metadata) = fs::metadata(&path)
            && metadata.is_file()
            && is_archive(&path)
        {
            files.push(SourceFile { name, path, bytes: metadata.len() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_clutter;

    #[test]
    fn what_desktops_leave_behind_is_passed_over() {
        assert!(is_clutter(".DS_Store") && is_clutter("a/._b.txt") && is_clutter("__MACOSX/a.txt"));
        assert!(!is_clutter("a/b.txt") && !is_clutter("./b.txt"));
    }
}
