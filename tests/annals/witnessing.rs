//! Signed checkpoints as two clubs use them: each has a log with a key, and each is the witness of the other.

#[cfg(feature = "server")]
use std::process::Stdio;

use crate::program::{Place, Run};

const CLUBS: [&str; 2] = ["north", "south"];

/// A club's command, which has to succeed.
fn ask(place: &Place, club: &str, words: &str) -> String {
    let words: Vec<&str> = ["--home", club].into_iter().chain(words.split(' ')).collect();
    place.ask(&words)
}

fn run(place: &Place, club: &str, words: &str) -> Run {
    let words: Vec<&str> = ["--home", club].into_iter().chain(words.split(' ')).collect();
    place.run(&words)
}

/// Two clubs with a key and a witness each, which watch each other.
fn two_clubs() -> Place {
    let place = Place::new();
    for club in CLUBS {
        let made = run(&place, club, "log init --key --actor omar");
        assert_eq!(made.status, 0, "{made:?}");
        assert!(made.talk.contains("log.key: keep it secret"), "{made:?}");
        place.write(&format!("{club}.vkey"), ask(&place, club, "log key show"));
        let witness = format!("log witness create {club}.example/witness");
        place.write(&format!("{club}.witness"), ask(&place, club, &witness));
    }
    for (club, other) in [("north", "south"), ("south", "north")] {
        let key = key_of(&place, &format!("{other}.vkey"));
        ask(&place, club, &format!("log witness watch {key}"));
    }
    place
}

fn key_of(place: &Place, file: &str) -> String {
    std::fs::read_to_string(place.path(file)).unwrap().trim().to_owned()
}

fn append(place: &Place, club: &str, player: &str) {
    let line = format!(
        r#"{{"stream":"people/{player}","effective_at":"2015-01-02T03:04:05Z","type":"people.player_known","payload":{{"kind":"human","name":"{player}","player":"{player}"}}}}"#
    );
    place.write("one.jsonl", line);
    ask(place, club, "log append --actor omar one.jsonl");
}

/// The checkpoint of a club, cosigned by the other one, in a file.
fn cosigned(place: &Place, club: &str, other: &str, since: &str) -> String {
    place.write("request.txt", ask(place, club, &format!("log prove --since {since} --format tlog-witness")));
    let line = ask(place, other, "log witness cosign request.txt");
    ask(place, club, "log head --checkpoint") + &line
}

#[test]
fn two_clubs_watch_each_other_and_a_rewritten_log_is_not_cosigned() {
    let place = two_clubs();
    append(&place, "north", "anna");
    for (club, other) in [("north", "south"), ("south", "north")] {
        place.write(&format!("{club}.txt"), cosigned(&place, club, other, "0"));
        let verified = ask(&place, club, &format!("log verify --receipt @{club}.txt"));
        assert!(verified.contains(&format!("compared with the receipt @{club}.txt\nWHOLE:")), "{verified}");
    }
    // What a reader needs to check an event: the proof, the key of the log and that of the witness.
    place.write(
        "anna.tlog-proof",
        ask(&place, "north", "log prove 3 --format tlog-proof --checkpoint north.txt"),
    );
    place.write("anna.json", ask(&place, "north", "log prove 3"));
    let refused = place.run(&["log", "check-proof", "anna.json"]);
    assert!(refused.status == 2 && refused.talk.contains("a proof in JSON"), "{refused:?}");
    assert!(refused.talk.contains("annals log prove SEQ --format tlog-proof"), "{refused:?}");
    let (key, witness) = (key_of(&place, "north.vkey"), key_of(&place, "south.witness"));
    let words = ["log", "check-proof", "anna.tlog-proof", "--key", &key, "--witness", &witness];
    let checked = place.ask(&words);
    assert!(checked.contains("people/anna version 1: people.player_known"), "{checked}");
    assert!(checked.ends_with("proven under the signed checkpoint\n"), "{checked}");
    let other = key_of(&place, "south.vkey");
    let refused = place.run(&["log", "check-proof", "anna.tlog-proof", "--key", &other]);
    assert!(refused.status == 1 && refused.out.contains("NO   the log signed"), "{refused:?}");
    let refused =
        place.run(&["log", "check-proof", "anna.tlog-proof", "--witness", &key_of(&place, "north.witness")]);
    assert!(refused.status == 1 && refused.out.contains("NO   0 witnesses cosigned it"), "{refused:?}");
    let forged =
        std::fs::read_to_string(place.path("anna.tlog-proof")).unwrap().replace("index 2", "index 1");
    place.write("forged.tlog-proof", forged);
    let refused = place.run(&["log", "check-proof", "forged.tlog-proof", "--key", &key]);
    assert!(refused.status == 1 && refused.out.ends_with("not proven\n"), "{refused:?}");

    // The home is copied, goes on and is cosigned; then the copy with another event takes its place.
    place.copy_folder(&place.path("north"), "before");
    append(&place, "north", "bert");
    place.write("north.txt", cosigned(&place, "north", "south", "@north.txt"));
    append(&place, "before", "carl");
    let rewritten = ask(&place, "before", "log prove --since 4 --format tlog-witness");
    place.write("rewritten.txt", &rewritten);
    assert!(ask(&place, "before", "log verify").contains("WHOLE"), "the log alone does not show it");
    let refused = run(&place, "south", "log witness cosign rewritten.txt");
    assert_eq!((refused.status, refused.out.as_str()), (1, "4\n"), "{refused:?}");
    assert!(
        refused.talk.contains("the log was rewritten: this witness cosigned another root"),
        "{refused:?}"
    );
    append(&place, "before", "dora");
    place.write("rewritten.txt", ask(&place, "before", "log prove --since 4 --format tlog-witness"));
    let refused = run(&place, "south", "log witness cosign rewritten.txt");
    assert_eq!((refused.status, refused.out.as_str()), (1, ""), "{refused:?}");
    assert!(refused.talk.contains("are not its beginning"), "{refused:?}");
    let refused = run(&place, "before", "log verify --receipt @north.txt");
    assert!(refused.status == 1 && refused.out.contains("have another Merkle root now"), "{refused:?}");
    let listed = ask(&place, "south", "log witness list --json");
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["logs"][0]["events"], 4, "{listed}");
}

#[test]
fn files_put_back_sign_nothing_until_the_loss_is_accepted_and_then_under_another_origin() {
    let place = two_clubs();
    let names = ["log.db", "log.anchor"];
    let before = names.map(|name| std::fs::read(place.path(&format!("north/{name}"))).unwrap());
    append(&place, "north", "anna");
    place.write("north.txt", cosigned(&place, "north", "south", "0"));
    for (name, bytes) in names.into_iter().zip(before) {
        place.write(&format!("north/{name}"), bytes);
    }
    append(&place, "north", "bert");
    let refused = run(&place, "north", "log head --checkpoint");
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.talk.contains("of the checkpoint that it signed last"), "{refused:?}");
    assert!(refused.talk.contains("annals --home north doctor --accept-loss REASON"), "{refused:?}");
    ask(&place, "north", "doctor --accept-loss restored --actor omar");
    let request = ask(&place, "north", "log prove --since 0 --format tlog-witness");
    assert!(request.contains("/1-"), "{request}");
    place.write("request.txt", request);
    let refused = run(&place, "south", "log witness cosign request.txt");
    assert!(
        refused.status == 1 && refused.talk.contains("is not one that this witness watches"),
        "{refused:?}"
    );
    ask(&place, "south", &format!("log witness watch {}", ask(&place, "north", "log key show").trim()));
    assert!(ask(&place, "south", "log witness cosign request.txt").starts_with("— south.example/witness "));
}

#[test]
fn a_log_without_a_key_signs_nothing_and_one_whose_key_changed_is_cosigned_on_trust_in_the_old_one() {
    let place = two_clubs();
    place.ask(&["--home", "old", "log", "init", "--actor", "omar"]);
    for words in ["log head --checkpoint", "log key show", "log prove 1 --format tlog-proof"] {
        let refused = run(&place, "old", words);
        assert!(refused.status == 2 && refused.talk.contains("the log has no key"), "{refused:?}");
        assert!(refused.talk.contains("annals --home old log key create"), "{refused:?}");
    }
    assert_eq!(run(&place, "old", "log head").out.split(' ').nth(2), Some("seq=1"), "nothing was appended");
    ask(&place, "old", "log key create --actor omar");
    assert_eq!(run(&place, "old", "log key create --actor omar").status, 2);
    assert!(ask(&place, "old", "log show").contains("was named: it signs the checkpoints of the log"));

    place.write("north.txt", cosigned(&place, "north", "south", "0"));
    let both = run(&place, "north", "log key rotate stolen --actor omar");
    assert_eq!(both.out.matches("— annals/").count(), 2, "{both:?}");
    let path = ask(&place, "north", "log prove --since @north.txt --format tlog-witness");
    // The new key is not trusted yet; the checkpoint that both keys signed is.
    place.write("request.txt", &path);
    assert_eq!(run(&place, "south", "log witness cosign request.txt").status, 1);
    let (proof, _) = path.split_once("\n\n").unwrap();
    place.write("request.txt", format!("{proof}\n\n{}", both.out));
    ask(&place, "south", "log witness cosign request.txt");
    let bundle = ask(&place, "north", "log verify --receipt @north.txt");
    assert!(bundle.contains("WHOLE"), "{bundle}");
}

/// A witness that answers over HTTP, and its address.
#[cfg(feature = "server")]
struct Served(std::process::Child, String);

#[cfg(feature = "server")]
impl Served {
    fn start(place: &Place, club: &str) -> Served {
        use std::io::BufRead as _;
        let words = ["--home", club, "log", "witness", "serve", "--listen", "127.0.0.1:0"];
        let mut command = place.command(&words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/add-checkpoint\n"));
        Served(child, address.unwrap_or_else(|| panic!("{line}")).to_owned())
    }

    /// The status, the head and the body of the answer.
    fn post(&self, body: &str) -> (u16, String, String) {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(&self.1).unwrap();
        let head = format!("POST /add-checkpoint HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.1);
        // The witness may answer before it has read a request that is too long.
        let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len());
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), head.to_lowercase(), body.to_owned())
    }
}

#[cfg(feature = "server")]
impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(feature = "server")]
#[test]
fn three_witnesses_on_loopback_refuse_a_home_that_was_replaced() {
    let place = two_clubs();
    let key = key_of(&place, "north.vkey");
    for club in ["w1", "w2"] {
        ask(&place, club, &format!("log witness create {club}.example"));
        ask(&place, club, &format!("log witness watch {key}"));
    }
    let witnesses = ["south", "w1", "w2"].map(|club| Served::start(&place, club));
    append(&place, "north", "anna");
    place.copy_folder(&place.path("north"), "before");
    append(&place, "north", "bert");
    let request = ask(&place, "north", "log prove --since 0 --format tlog-witness");
    let mut cosigned = ask(&place, "north", "log head --checkpoint");
    for witness in &witnesses {
        let (status, _, line) = witness.post(&request);
        assert_eq!(status, 200, "{line}");
        cosigned += &line;
    }
    assert_eq!(cosigned.lines().filter(|line| line.starts_with("— ")).count(), 4, "{cosigned}");
    for forger in ["carl", "dora"] {
        append(&place, "before", forger);
        let request = ask(&place, "before", "log prove --since 4 --format tlog-witness");
        for witness in &witnesses {
            let (status, head, body) = witness.post(&request);
            match forger {
                "carl" => {
                    assert_eq!((status, body.as_str()), (409, "4\n"));
                    assert!(head.contains("content-type: text/x.tlog.size"), "{head}");
                }
                _ => assert_eq!(status, 422, "{body}"),
            }
        }
    }
    assert_eq!(witnesses[0].post("old 0\n").0, 400);
    assert_eq!(witnesses[0].post(&"x".repeat(1 << 20)).0, 413);
    // Logs that go on are cosigned.
    append(&place, "north", "emil");
    let request = ask(&place, "north", "log prove --since 4 --format tlog-witness");
    assert!(witnesses.iter().all(|witness| witness.post(&request).0 == 200));
}
