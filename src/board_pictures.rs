//! Pictures of the boards of a document, for HTML. Without the feature `charts` the boards are texts.

use annals_report::Document;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;

/// The document, in HTML with the boards as pictures, in the order of its boards.
pub fn with_boards(
    form: &DocumentArgs,
    document: Document,
    boards: impl FnOnce() -> Result<Vec<annals_charts::Board>, CliError>,
) -> Result<Document, CliError> {
    if !form.is_html() {
        return Ok(document);
    }
    let pictures: Result<Vec<String>, _> = boards()?.iter().map(annals_charts::Board::svg).collect();
    Ok(document.with_pictures(pictures?))
}
