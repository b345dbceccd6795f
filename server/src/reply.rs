//! The answer to a request: a page, which is also JSON, or a file.

use maud::Markup;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::Failure;

pub struct Page {
    pub title: String,
    /// The content of `main`.
    pub body: Markup,
    /// With every digit of its numbers.
    pub json: Box<RawValue>,
    /// Scripts of this page alone.
    pub scripts: Vec<&'static str>,
    /// The head of the log from which the page was made; none of a page that does not follow the log.
    pub head: Option<String>,
}

impl Page {
    /// A page with its typed answer.
    ///
    /// # Errors
    /// If the answer cannot be written as JSON.
    pub fn new(title: impl Into<String>, body: Markup, answer: &impl Serialize) -> Result<Page, Failure> {
        let json = to_raw_value(answer)?;
        Ok(Page { title: title.into(), body, json, scripts: Vec::new(), head: None })
    }

    #[must_use]
    pub fn script(mut self, name: &'static str) -> Page {
        self.scripts.push(name);
        self
    }
}

pub enum Reply {
    Page(Page),
    File {
        content_type: &'static str,
        bytes: Vec<u8>,
        /// For a download.
        name: Option<String>,
    },
    /// Another page has it.
    Moved(String),
}

impl From<Page> for Reply {
    fn from(page: Page) -> Reply {
        Reply::Page(page)
    }
}
