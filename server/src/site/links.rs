//! The links of a rendered page in a site. Pages escape `<`, `>`, `&` and `"` in every text and attribute, so that each
//! `<` begins a tag and the next `>` ends it.

/// The page with each address of the server, one that begins with `/`, replaced by what `target` gives; a link without a
/// target becomes plain text. Forms, which only a server answers, are left out, but not that of a proof.
pub fn linked(page: &str, mut target: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let (text, tags) = rest.split_at(start);
        out.push_str(text);
        let is_form = tags.starts_with("<form") && !tags.starts_with("<form id=\"proof\"");
        let end = if is_form { "</form>" } else { ">" };
        let (tag, after) = tags.split_at(tags.find(end).map_or(tags.len(), |at| at + end.len()));
        if !is_form {
            push_tag(&mut out, tag, &mut target);
        }
        rest = after;
    }
    out + rest
}

fn push_tag(out: &mut String, tag: &str, target: &mut impl FnMut(&str) -> Option<String>) {
    for attribute in [" href=\"", " src=\""] {
        let Some((before, value)) = tag.split_once(attribute) else { continue };
        let Some((address, after)) = value.split_once('"') else { continue };
        if !address.starts_with('/') {
            continue;
        }
        out.push_str(before);
        if let Some(file) = target(&address.replace("&amp;", "&")) {
            out.extend([attribute, &file, "\""]);
        }
        return out.push_str(after);
    }
    out.push_str(tag);
}

/// The path from one file of a site to another. Both have safe characters only.
pub fn relative(from: &str, to: &str) -> String {
    "../".repeat(from.matches('/').count()) + to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_replaced_and_forms_are_left_out() {
        let page = "<a class=\"x\" href=\"/a?b=1&amp;c=2\">a &lt;b&gt;</a><a href=\"/gone\">gone</a><a href=\"#here\">h</a>\
                    <form method=\"get\" action=\"/search\"><input name=\"q\"></form><form id=\"proof\"><b>kept</b></form><img src=\"/i.svg\">";
        let site = linked(page, |address| match address {
            "/a?b=1&c=2" => Some("a.html".to_owned()),
            "/i.svg" => Some("i.svg".to_owned()),
            _ => None,
        });
        assert_eq!(
            site,
            "<a class=\"x\" href=\"a.html\">a &lt;b&gt;</a><a>gone</a><a href=\"#here\">h</a>\
             <form id=\"proof\"><b>kept</b></form><img src=\"i.svg\">"
        );
        assert_eq!(relative("tournament/cup/standings.html", "index.html"), "../../index.html");
    }
}
