//! The last of the numbered manifests. Where the store has a list of its objects, it is the largest number. A web host, and
//! a store that denies the list, are probed: doubling, then halving. There the numbers must have no gaps.

use super::error::{AddressError, RequestFailure};
use super::objects::Objects;
use super::published::{self, Published};
use crate::manifest::ManifestError;

/// A web host that has all numbers up to this one has an answer for every name.
const MOST: u64 = 1 << 40;

/// The last number; 0 without a dataset.
pub(super) fn number(objects: &Objects) -> Result<u64, AddressError> {
    objects.run(last(objects))
}

pub(super) async fn last(objects: &Objects) -> Result<u64, AddressError> {
    match listed(objects).await? {
        Some(number) => Ok(number),
        None => probed(objects).await,
    }
}

/// The largest number in the list of objects; none without a list.
async fn listed(objects: &Objects) -> Result<Option<u64>, AddressError> {
    if objects.is_web_host() {
        return Ok(None);
    }
    match objects.names().await {
        Ok(names) => Ok(Some(names.iter().filter_map(|name| published::number_of(name)).max().unwrap_or(0))),
        Err(error) => match error.failure() {
            Some(RequestFailure::NoBucket | RequestFailure::Unreachable) => Err(error),
            _ => Ok(None),
        },
    }
}

async fn probed(objects: &Objects) -> Result<u64, AddressError> {
    let (mut present, mut absent) = (0, 1);
    while exists(objects, absent).await? {
        if absent >= MOST {
            return Err(AddressError::cannot_be_read(objects.address(), RequestFailure::EveryName));
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
    let name = published::name(number);
    let text = objects.run(async {
        if objects.is_web_host() {
            objects.check_ranges(&name).await?;
        }
        objects.read(&name).await
    })?;
    Published::parse(&text, number, objects)
}

/// The last manifest; none without a dataset.
pub(crate) fn read(objects: &Objects) -> Result<Option<Published>, ManifestError> {
    match number(objects)? {
        0 => Ok(None),
        last => numbered(objects, last).map(Some),
    }
}
