//! `reference.json` describes the payload of every event type. This test derives it from the source of the types and the
//! released payloads in `golden/`, and compares; `ANNALS_UPDATE_DOCS=1` writes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use annals_events::{EventType, REFERENCE};
use serde_json::{Value, json};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Fields, GenericArgument, Item, PathArguments, Token, Type, parenthesized};

/// A type of the payloads: its description, and its shape as it is written.
struct Described {
    about: String,
    shape: Value,
}

/// What a field of a name means in every payload, where the source has no comment because the name says it.
const COMMON: &[(&str, &str)] = &[
    ("account", "Number of the account in the gameroom."),
    ("accepted", "Whether the appeal was accepted."),
    ("amount", "Amount in cents of the tournament's currency."),
    ("at", "When."),
    ("benchmark", "The benchmark player."),
    ("by", "The player who appealed."),
    ("cause", "The ground for disqualification."),
    ("claimant", "The player who claims the forfeit."),
    ("digest", "Digest of the upload: algorithm, colon, hexadecimal digits."),
    ("draw", "How the lots were drawn."),
    ("evidence", "What the decision was based on."),
    ("game", "The game."),
    ("gold", "The player with Gold."),
    ("gold_reserve", "Gold's reserve in seconds."),
    ("ground", "The rule that is the reason."),
    ("grounds", "The rules that are the reasons."),
    ("head_hash", "Hash of the acknowledged head."),
    ("how", "The way of withdrawing."),
    ("kind", "Human or program."),
    ("lots", "The lots, one for each player."),
    ("lower", "The player who is lower in the order."),
    ("name", "The name."),
    ("note", "A remark."),
    ("number", "The number of the appeal."),
    ("outcome", "The outcome."),
    ("pairing", "The board of a round."),
    ("passed", "Whether the program passed the test."),
    ("player", "The player."),
    ("postal", "Whether it is a postal game."),
    ("rated", "Whether the game is rated."),
    ("ratings", "The ratings, one for each player."),
    ("reason", "The reason."),
    ("registration", "The fee for registration, in cents."),
    ("round", "The round, from 1."),
    ("rounds", "The number of rounds."),
    ("side", "The side that moved."),
    ("silver_reserve", "Silver's reserve in seconds."),
    ("site", "The place of play."),
    ("source", "Where it was published."),
    ("stage", "The stage."),
    ("started_at", "When the game began."),
    ("termination", "How the game ended."),
    ("title", "The player's title."),
    ("about", "What the notice is about."),
];

/// A variant of the macros `family!` and `closed_words!`: `Name(Payload) = "word"` or `Name = "word"`.
struct Worded {
    about: String,
    payload: Option<Type>,
    word: String,
}

impl Parse for Worded {
    fn parse(input: ParseStream<'_>) -> syn::Result<Worded> {
        let about = about(&input.call(Attribute::parse_outer)?);
        input.parse::<syn::Ident>()?;
        let payload = if input.peek(syn::token::Paren) {
            let inner;
            parenthesized!(inner in input);
            Some(inner.parse()?)
        } else {
            None
        };
        input.parse::<Token![=]>()?;
        Ok(Worded { about, payload, word: input.parse::<syn::LitStr>()?.value() })
    }
}

/// The enum within such a macro.
struct WordedEnum {
    about: String,
    name: String,
    prefix: String,
    variants: Vec<Worded>,
}

impl Parse for WordedEnum {
    fn parse(input: ParseStream<'_>) -> syn::Result<WordedEnum> {
        let about = about(&input.call(Attribute::parse_outer)?);
        input.parse::<Token![pub]>()?;
        input.parse::<Token![enum]>()?;
        let name = input.parse::<syn::Ident>()?.to_string();
        if input.parse::<Token![:]>().is_err() {
            input.parse::<Token![,]>()?;
        }
        let prefix = input.parse::<syn::LitStr>()?.value();
        let inner;
        syn::braced!(inner in input);
        let variants = Punctuated::<Worded, Token![,]>::parse_terminated(&inner)?;
        Ok(WordedEnum { about, name, prefix, variants: variants.into_iter().collect() })
    }
}

/// The documentation of an item on one line, without links.
fn about(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                Some(text.value().trim().to_owned())
            }
            _ => None,
        },
        _ => None,
    });
    lines
        .take_while(|line| !line.starts_with('#'))
        .collect::<Vec<_>>()
        .join(" ")
        .replace(['[', ']'], "")
        .trim()
        .to_owned()
}

/// How JSON shows a type, and whether the key may be absent.
fn shown(field: &Type) -> (String, bool) {
    let Type::Path(path) = field else { return ("value".to_owned(), false) };
    let last = path.path.segments.last().unwrap();
    let inner = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(inner) => Some(shown(inner).0),
                _ => None,
            })
        }
        _ => None,
    };
    let name = match (last.ident.to_string().as_str(), inner) {
        ("Option", Some(inner)) => return (inner, true),
        ("Vec", Some(inner)) => format!("list of {inner}"),
        ("Box", Some(inner)) => inner,
        ("BTreeMap", Some(_)) => "object".to_owned(),
        ("String" | "Cow" | "str", _) => "text".to_owned(),
        ("u8" | "u16" | "u32" | "u64" | "i32" | "i64", _) => "integer".to_owned(),
        ("Micros", _) => "time".to_owned(),
        ("bool", _) => "boolean".to_owned(),
        ("RawPayload", _) => "payload".to_owned(),
        (name, _) => name.to_owned(),
    };
    (name, false)
}

/// Named fields, in the order of the source.
fn fields(fields: &Fields) -> Value {
    let described = fields.iter().map(|field| {
        let (of_type, optional) = shown(&field.ty);
        let defaults = field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde"));
        let may_be_absent = optional
            || defaults.clone().any(|attribute| {
                matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string().contains("default"))
            });
        let name = field.ident.as_ref().unwrap().to_string();
        let stated = about(&field.attrs);
        let common = COMMON.iter().find(|(common, _)| *common == name).map_or("", |(_, about)| about);
        let about = if stated.is_empty() { common } else { &stated };
        json!({ "name": name, "type": of_type, "optional": may_be_absent, "about": about })
    });
    Value::Array(described.collect())
}

fn snake_case(name: &str) -> String {
    let mut found = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !found.is_empty() {
            found.push('_');
        }
        found.extend(letter.to_lowercase());
    }
    found
}

/// The types of a source file, and the event types of a family.
fn read(
    source: &str,
    types: &mut BTreeMap<String, Described>,
    events: &mut BTreeMap<String, (String, String)>,
) {
    for item in syn::parse_file(source).unwrap().items {
        match item {
            Item::Struct(item) if matches!(item.fields, Fields::Named(_)) => {
                let shape = json!({ "fields": fields(&item.fields) });
                types.insert(item.ident.to_string(), Described { about: about(&item.attrs), shape });
            }
            Item::Enum(item) if item.ident == "GameEvent" => {
                for variant in &item.variants {
                    let payload = shown(&variant.fields.iter().next().unwrap().ty).0;
                    let name = format!("game.{}", snake_case(&variant.ident.to_string()));
                    events.insert(name, (payload, about(&variant.attrs)));
                }
            }
            Item::Enum(item) => {
                let variants = item.variants.iter().map(|variant| {
                    let name = snake_case(&variant.ident.to_string());
                    let fields = match &variant.fields {
                        Fields::Unit => Value::Null,
                        Fields::Unnamed(one) => json!(shown(&one.unnamed[0].ty).0),
                        named => fields(named),
                    };
                    json!({ "name": name, "fields": fields, "about": about(&variant.attrs) })
                });
                let shape = json!({ "variants": variants.collect::<Vec<_>>() });
                types.insert(item.ident.to_string(), Described { about: about(&item.attrs), shape });
            }
            Item::Macro(item) if item.mac.path.is_ident("family") => {
                let family: WordedEnum = item.mac.parse_body().unwrap();
                for variant in family.variants {
                    let payload = shown(variant.payload.as_ref().unwrap()).0;
                    events.insert(format!("{}.{}", family.prefix, variant.word), (payload, variant.about));
                }
            }
            Item::Macro(item) if item.mac.path.is_ident("closed_words") => {
                let list: WordedEnum = item.mac.parse_body().unwrap();
                let values = list
                    .variants
                    .iter()
                    .map(|value| json!({ "name": value.word, "fields": null, "about": value.about }));
                let shape = json!({ "variants": values.collect::<Vec<_>>() });
                types.insert(list.name, Described { about: list.about, shape });
            }
            _ => {}
        }
    }
}

/// The described types that a shape names, and those that they name.
fn collect(shape: &Value, types: &BTreeMap<String, Described>, found: &mut BTreeMap<String, Value>) {
    match shape {
        Value::Array(parts) => parts.iter().for_each(|part| collect(part, types, found)),
        Value::Object(parts) => {
            let named = parts.get("type").or_else(|| parts.get("fields")).and_then(Value::as_str);
            let name = named.map(|name| name.trim_start_matches("list of "));
            if let Some((name, described)) = name.and_then(|name| Some((name, types.get(name)?)))
                && !found.contains_key(name)
            {
                let mut value = json!({ "about": described.about });
                value.as_object_mut().unwrap().extend(described.shape.as_object().unwrap().clone());
                found.insert(name.to_owned(), value);
                collect(&described.shape, types, found);
            }
            parts.values().for_each(|part| collect(part, types, found));
        }
        _ => {}
    }
}

fn sources(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(fs::read_to_string(&path).unwrap());
        }
    }
    found
}

/// The longest of the released payloads of a type, which shows most of its fields.
fn example(root: &Path, event_type: EventType) -> Value {
    let file = format!("tests/golden/{}.v{}.json", event_type.name(), event_type.schema());
    let text = fs::read_to_string(root.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(text.lines().max_by_key(|line| line.len()).unwrap()).unwrap()
}

#[test]
fn the_reference_describes_every_payload_as_the_types_have_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut types, mut events) = (BTreeMap::new(), BTreeMap::new());
    for source in sources(&root.join("src")) {
        read(&source, &mut types, &mut events);
    }
    let mut all_nested = BTreeMap::new();
    let described: Vec<Value> = EventType::all()
        .map(|event_type| {
            let (payload, about) = &events[event_type.name()];
            let payload = &types[payload];
            let about = if about.is_empty() { &payload.about } else { about };
            let mut nested = BTreeMap::new();
            collect(&payload.shape, &types, &mut nested);
            let names: Vec<String> = nested.keys().cloned().collect();
            all_nested.extend(nested);
            json!({
                "type": event_type.name(),
                "schema": event_type.schema(),
                "about": about,
                "fields": payload.shape["fields"],
                "types": names,
                "example": example(root, event_type),
            })
        })
        .collect();
    for event in &described {
        assert!(event["about"] != "", "{event}");
        let (fields, example) = (event["fields"].as_array().unwrap(), event["example"].as_object().unwrap());
        let is_field =
            |key: &String| key.starts_with('_') || fields.iter().any(|field| field["name"] == key.as_str());
        assert!(example.keys().all(is_field), "{event}");
        let needed = fields.iter().filter(|field| field["optional"] == false);
        assert!(fields.iter().all(|field| field["about"] != ""), "{event}");
        assert!(needed.clone().all(|field| example.contains_key(field["name"].as_str().unwrap())), "{event}");
    }
    let text =
        serde_json::to_string_pretty(&json!({ "events": described, "types": all_nested })).unwrap() + "\n";
    if std::env::var_os("ANNALS_UPDATE_DOCS").is_some() {
        fs::write(root.join("reference.json"), text).unwrap();
    } else {
        assert!(text == REFERENCE, "events/reference.json is not current; ANNALS_UPDATE_DOCS=1 writes it");
    }
}
