//! Requests over HTTP, as their first line and the lines of their head: the address of a request that was read is read as the
//! same request, and no page of a whole record is an error of the server. The first byte chooses whether a token is required.
#![no_main]

use std::sync::LazyLock;

use annals_fuzz::home::{SmallHome, on_large_stack};
use annals_server::{Access, App, PageRequest, Reply, Shape};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use libfuzzer_sys::fuzz_target;

static HOME: LazyLock<(SmallHome, App)> = LazyLock::new(|| {
    let home = SmallHome::create();
    let app = home.app();
    (home, app)
});

fn read(text: &[u8]) -> Option<(Method, Uri, HeaderMap)> {
    let mut lines = text.split(|byte| *byte == b'\n');
    let mut first = lines.next()?.splitn(2, |byte| *byte == b' ');
    let method = Method::from_bytes(first.next()?).ok()?;
    let uri = Uri::try_from(first.next()?).ok()?;
    let mut headers = HeaderMap::new();
    for line in lines {
        let mut halves = line.splitn(2, |byte| *byte == b':');
        let (Some(name), Some(value)) = (halves.next(), halves.next()) else { continue };
        let name = HeaderName::from_bytes(name).ok();
        if let (Some(name), Ok(value)) = (name, HeaderValue::from_bytes(value.trim_ascii())) {
            headers.append(name, value);
        }
    }
    Some((method, uri, headers))
}

fn run(data: &[u8]) {
    let [form, rest @ ..] = data else { return };
    let Some((method, uri, headers)) = read(rest) else { return };
    let token = (form % 2 == 1).then(|| "t".to_owned());
    if let Err(failure) =
        (Access { hosts: vec!["annals.example".to_owned()], token }).check(&method, &uri, &headers)
    {
        assert!((400..500).contains(&failure.status));
    }
    let request = match PageRequest::read(&uri, &headers) {
        Ok(request) => request,
        Err(failure) => return assert!(matches!(failure.status, 400 | 414)),
    };
    let address = request.address();
    match PageRequest::read(&address.to_string().parse().unwrap(), &HeaderMap::new()) {
        Ok(again) => {
            assert_eq!((&again.path, again.shape, again.address()), (&request.path, Shape::Html, address));
        }
        Err(failure) => assert_eq!(failure.status, 414, "encoded, it is longer"),
    }
    // A query on this page may take as long as the server lets it: the target `sql_text` has them.
    if request.segments() == ["sql"] && request.get("q").is_some() {
        return;
    }
    match HOME.1.answer(&request) {
        Ok(Reply::Page(page)) => assert!(!page.title.is_empty()),
        Ok(Reply::File { bytes, .. }) => drop(bytes),
        Ok(Reply::Moved(address)) => {
            assert!(address.starts_with('/') && !address.starts_with("//"), "{address}")
        }
        Err(failure) => assert!(matches!(failure.status, 400..500 | 503), "{}", failure.error),
    }
}

fuzz_target!(|data: &[u8]| on_large_stack(|| run(data)));
