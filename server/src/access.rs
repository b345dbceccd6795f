//! Who may ask: names of this host (against DNS rebinding), origins, a token; and the headers of every answer.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};

use crate::Failure;

/// Headers of every answer. Nothing is loaded from another host, and no page is framed.
pub const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// The cookie that holds the token.
const COOKIE: &str = "annals_token";

#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Names of this host in addition to those of loopback, without ports.
    pub hosts: Vec<String>,
    /// What a reader must present, if anything.
    pub token: Option<String>,
}

/// What follows from the head of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Admission {
    Admitted,
    /// The token was in the address: it is kept in a cookie, and the address is shown without it.
    KeepToken {
        cookie: HeaderValue,
        address: String,
    },
}

impl Access {
    /// Checks the head of a request.
    ///
    /// # Errors
    /// 400 or 421 for another host's name, 403 for another origin, 405 for another method than GET, 401 without token.
    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Admission, Failure> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err(Failure::new(405, format!("{method} is refused: the server only shows the record")));
        }
        let host =
            text(headers, &header::HOST).ok_or_else(|| Failure::bad("the request has no Host header"))?;
        if !self.is_own(name_of(host)) {
            return Err(Failure::new(
                421,
                format!("`{}` is not a name of this server", annals_report::one_line(host)),
            )
            .hint("`annals serve --host NAME` adds a name"));
        }
        if let Some(origin) = text(headers, &header::ORIGIN) {
            let origin = origin.split_once("://").map_or(origin, |(_, host)| host);
            if origin != host {
                return Err(Failure::new(403, "a page of another site may not ask this server"));
            }
        }
        self.check_token(uri, headers)
    }

    fn is_own(&self, name: &str) -> bool {
        let loopback = ["localhost", "127.0.0.1", "[::1]"].into_iter();
        loopback.chain(self.hosts.iter().map(String::as_str)).any(|own| own.eq_ignore_ascii_case(name))
    }

    fn check_token(&self, uri: &Uri, headers: &HeaderMap) -> Result<Admission, Failure> {
        let Some(token) = &self.token else { return Ok(Admission::Admitted) };
        let cookies = text(headers, &header::COOKIE).unwrap_or_default().split(';');
        let cookie = cookies.filter_map(|pair| pair.trim().split_once('=')).find(|(name, _)| *name == COOKIE);
        if has_bearer(headers, token) || cookie.is_some_and(|(_, given)| is_same(given, token)) {
            return Ok(Admission::Admitted);
        }
        let query = uri.query().unwrap_or_default();
        let (own, other): (Vec<&str>, Vec<&str>) =
            query.split('&').filter(|part| !part.is_empty()).partition(|part| part.starts_with("token="));
        if own.iter().any(|part| is_same(&part["token=".len()..], token))
            && let Ok(cookie) = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/").parse()
        {
            let rest = if other.is_empty() { String::new() } else { format!("?{}", other.join("&")) };
            // A path that begins with two slashes names another host where a browser is sent to it.
            let path = uri.path().trim_start_matches(['/', '\\']);
            return Ok(Admission::KeepToken { cookie, address: format!("/{path}{rest}") });
        }
        Err(Failure::new(401, "this server requires a token")
            .hint("open the address with `?token=TOKEN`, or send `Authorization: Bearer TOKEN`"))
    }
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Whether the header `Authorization` has the token.
pub fn has_bearer(headers: &HeaderMap, token: &str) -> bool {
    let given = text(headers, &header::AUTHORIZATION).and_then(|value| value.split_once(' '));
    given.is_some_and(|(scheme, given)| scheme.eq_ignore_ascii_case("bearer") && is_same(given, token))
}

/// Compares all bytes, so that the time does not show how many agree.
fn is_same(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(access: &Access, uri: &str, headers: &[(HeaderName, &str)]) -> Result<Admission, u16> {
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        access.check(&Method::GET, &uri.parse().unwrap(), &headers).map_err(|failure| failure.status)
    }

    #[test]
    fn only_names_of_this_host_are_answered() {
        let access = Access { hosts: vec!["annals.example".to_owned()], token: None };
        for own in ["localhost:7440", "127.0.0.1", "[::1]:7440", "Annals.example:80"] {
            assert_eq!(check(&access, "/", &[(header::HOST, own)]), Ok(Admission::Admitted), "{own}");
        }
        for other in ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io:7440", ""] {
            assert_eq!(check(&access, "/", &[(header::HOST, other)]), Err(421), "{other}");
        }
        assert_eq!(check(&access, "/", &[]), Err(400));
    }

    #[test]
    fn another_site_and_another_method_are_refused() {
        let access = Access::default();
        let host = (header::HOST, "localhost:7440");
        let own = (header::ORIGIN, "http://localhost:7440");
        assert_eq!(check(&access, "/", &[host.clone(), own]), Ok(Admission::Admitted));
        for origin in ["http://evil.example", "null", "http://localhost:1"] {
            assert_eq!(check(&access, "/", &[host.clone(), (header::ORIGIN, origin)]), Err(403));
        }
        let headers = [(header::HOST, "localhost".parse().unwrap())].into_iter().collect();
        let refused = access.check(&Method::POST, &"/".parse().unwrap(), &headers);
        assert_eq!(refused.unwrap_err().status, 405);
    }

    #[test]
    fn a_token_is_read_from_header_cookie_or_address() {
        let access = Access { hosts: Vec::new(), token: Some("secret".to_owned()) };
        let host = (header::HOST, "localhost");
        let with = |name, value| check(&access, "/log?a=b", &[host.clone(), (name, value)]);
        for bearer in ["Bearer secret", "bearer secret", "BEARER secret"] {
            assert_eq!(with(header::AUTHORIZATION, bearer), Ok(Admission::Admitted));
        }
        assert_eq!(with(header::AUTHORIZATION, "Basic secret"), Err(401));
        assert_eq!(with(header::COOKIE, "x=y; annals_token=secret"), Ok(Admission::Admitted));
        assert_eq!(with(header::COOKIE, "annals_token=secre"), Err(401));
        assert_eq!(with(header::AUTHORIZATION, "Bearer Secret"), Err(401));
        let kept = check(&access, "/log?a=b&token=secret&c=d", std::slice::from_ref(&host));
        let Ok(Admission::KeepToken { address, .. }) = kept else { panic!("{kept:?}") };
        assert_eq!(address, "/log?a=b&c=d");
        // None of these leads to another host.
        for path in ["//evil.example/", "///evil.example/", "//"] {
            let kept = check(&access, &format!("{path}?token=secret"), std::slice::from_ref(&host));
            let Ok(Admission::KeepToken { address, .. }) = kept else { panic!("{kept:?}") };
            assert_eq!(address, format!("/{}", path.trim_start_matches('/')));
        }
    }
}
