//! Files at an address, of one or several manifests. Files of two manifests can have the same path, but objects are
//! named by content.

use std::collections::HashMap;
use std::sync::Arc;

use super::file::TableFile;
use super::objects::Objects;
use super::published::ObjectEntry;
use super::upload::named_by_content;
use crate::manifest::FileEntry;

#[derive(Debug)]
pub(crate) struct Deposited {
    objects: Arc<Objects>,
    /// By object.
    tails: HashMap<String, u64>,
}

impl Deposited {
    pub fn new(objects: Arc<Objects>) -> Deposited {
        Deposited { objects, tails: HashMap::new() }
    }

    pub fn add(&mut self, objects: impl IntoIterator<Item = ObjectEntry>) {
        self.tails.extend(objects.into_iter().map(|ObjectEntry { object, tail }| (object, tail)));
    }

    /// The object of a file; none if it is not at the address.
    pub fn object(&self, file: &FileEntry) -> Option<ObjectEntry> {
        let object = named_by_content(&file.path, &file.digest);
        let tail = *self.tails.get(&object)?;
        Some(ObjectEntry { object, tail })
    }

    /// Where a file is; none if it is not at the address.
    pub fn file(&self, file: &FileEntry) -> Option<TableFile> {
        let ObjectEntry { object, tail } = self.object(file)?;
        Some(TableFile::remote(&self.objects, self.objects.store(), &object, file.bytes, tail))
    }
}
