//! The last of the numbered manifests. Numbers have no gaps, so the last is found without the right to list objects:
//! doubling, then halving.

use super::error::{AddressError, RequestFailure};
use super::objects::Objects;
use super::published::{self, Published};
use crate::manifest::ManifestError;

/// A store that has all numbers up to this one answers every request.
const MOST: u64 = 1 << 40;

/// The last number; 0 without a dataset.
pub(super) fn number(objects: &Objects) -> Result<u64, AddressError> {
    objects.run(last(objects))
}

pub(super) async fn last(objects: &Objects) -> Result<u64, AddressError> {
    let (mut present, mut absent) = (0, 1);
    while exists(objects, absent).await? {
        if absent >= MOST {
            let why = format!("there are manifests of every number up to {MOST}");
            return Err(AddressError::Damaged { object: objects.named(&published::name(absent)), why });
        }
        (present, absent) = (absent, absent * 2);
    }
    while absent - present > 1 {
        let middle = present + (absent - present) / 2;
        match exists(objects, middle).await? {
            true => present = middle,
            false => absent = middle,
        }
    }
    Ok(present)
}

async fn exists(objects: &Objects, number: u64) -> Result<bool, AddressError> {
    match objects.size(&published::name(number)).await {
        // Without the right to list objects some stores deny what does not exist.
        Err(error) if number > 1 && error.failure() == Some(RequestFailure::Denied) => Ok(false),
        other => Ok(other?.is_some()),
    }
}

/// A manifest by its number.
pub(crate) fn numbered(objects: &Objects, number: u64) -> Result<Published, ManifestError> {
    let text = objects.run(async { objects.read(&published::name(number)).await })?;
    Published::parse(&text, number, objects)
}

/// The last manifest; none without a dataset.
pub(crate) fn read(objects: &Objects) -> Result<Option<Published>, ManifestError> {
    let read = objects.run(async {
        match last(objects).await? {
            0 => Ok(None),
            number => Ok(Some((number, objects.read(&published::name(number)).await?))),
        }
    })?;
    read.map(|(number, text)| Published::parse(&text, number, objects)).transpose()
}
