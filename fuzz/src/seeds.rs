//! Seeds of the corpora: made by the writers of Annals, or stated here.

use std::io::Write as _;

use annals_events::{EventType, REFERENCE};
use annals_ingest::game_files::{Format, write};
use annals_ingest::grow::{GrowOptions, GrowSize, grow};
use annals_replay::evidence;
use annals_replay::identifier::{At, Identifier, Prefix};
use annals_store::tlog::proof::TlogProof;
use annals_store::tlog::request::Request;
use annals_store::{BUNDLE, prove_streams};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::game_files::game;
use crate::known_log::{EVENTS, KnownLog, stream};
use crate::seeds_of_sql;

#[derive(Default)]
pub struct Seeds {
    pub texts: Vec<Vec<u8>>,
    /// For the dictionary.
    pub words: Vec<&'static str>,
}

impl Seeds {
    pub(crate) fn new(texts: impl IntoIterator<Item: Into<Vec<u8>>>, words: &[&'static str]) -> Seeds {
        Seeds { texts: texts.into_iter().map(Into::into).collect(), words: words.to_vec() }
    }

    /// The same texts behind each of these first bytes.
    pub(crate) fn behind(self, first: impl IntoIterator<Item = u8>) -> Seeds {
        let behind = |byte: u8| self.texts.iter().map(move |text| [&[byte], text.as_slice()].concat());
        Seeds { texts: first.into_iter().flat_map(behind).collect(), words: self.words }
    }
}

/// None for an unknown target.
#[must_use]
pub fn of(target: &str) -> Option<Seeds> {
    Some(match target {
        "aei_lines" => aei(),
        "aei_sessions" => aei().behind([0, 1]),
        "anchors" => anchors(),
        "archive_files" => archive_files(),
        "archive_rows" => archive_rows(),
        "bundles" => bundles(),
        "canonical_json" => canonical_json(),
        "draft_events" => draft_events(),
        "http_requests" => seeds_of_sql::http_requests(),
        "move_lists" => game_files(Format::MoveList),
        "names" => names(),
        "payloads" => payloads(),
        "positions" => positions(),
        "proofs" => proofs(),
        "salvage" => salvage(),
        "settings" => settings(),
        "sgf" => game_files(Format::Sgf),
        "sql_text" => seeds_of_sql::sql_text(),
        "state_files" => state_files(),
        "studies" => seeds_of_sql::studies(),
        "tlog" => tlog(),
        "tournaments" => tournaments(),
        _ => return None,
    })
}

/// The type and an example of each event.
fn examples() -> Vec<(String, Value)> {
    let reference: Value = serde_json::from_str(REFERENCE).unwrap();
    let events = reference["events"].as_array().unwrap();
    events
        .iter()
        .map(|event| (event["type"].as_str().unwrap().to_owned(), event["example"].clone()))
        .collect()
}

const OF_JSON: [&str; 16] = [
    "{", "}", "[", "]", ":", ",", "null", "true", "false", "\"", "\\u0000", "\\", "9007199254740991", "-1",
    "1e5", "0.5",
];

fn canonical_json() -> Seeds {
    let stated =
        ["0", "-0", "\"\\u001f\\n\u{e9}\"", "[1,[],{}]", "{\"a\":1,\"a_b\":[null]}", "9007199254740992"];
    let mut seeds = Seeds::new(stated, &OF_JSON);
    seeds.texts.extend(examples().into_iter().map(|(_, example)| example.to_string().into_bytes()));
    seeds
}

fn payloads() -> Seeds {
    let examples = examples();
    let index = |name: &str| EventType::all().position(|known| known.name() == name).unwrap() as u8;
    let texts = examples.iter().map(|(name, example)| {
        let schema = EventType::from_name(name).unwrap().schema() as u8;
        [&[index(name), schema], example.to_string().as_bytes()].concat()
    });
    Seeds::new(texts.collect::<Vec<_>>(), &OF_JSON)
}

fn tournaments() -> Seeds {
    let lines: Vec<String> = examples()
        .into_iter()
        .filter(|(name, _)| name.starts_with("tournament."))
        .map(|(name, example)| format!("{name} {example}\n"))
        .collect();
    let mut seeds = Seeds::new(lines.clone(), &OF_JSON);
    seeds.texts.push(lines.concat().into_bytes());
    seeds.texts.extend(lines.windows(6).map(|some| some.concat().into_bytes()));
    seeds
}

fn draft_events() -> Seeds {
    let line = |(name, example): (String, Value)| {
        let family = name.split('.').next().unwrap_or_default().to_owned();
        json!({"stream": format!("{family}/one"), "type": name, "effective_at": "2015-04-03", "payload": example})
    };
    let lines: Vec<Value> = examples().into_iter().map(line).collect();
    let mut seeds = Seeds::new(lines.iter().map(Value::to_string), &OF_JSON);
    seeds.texts.push(json!({"dry_run": true, "events": lines[..9]}).to_string().into_bytes());
    seeds.texts.push(KnownLog::create().lines()[..4].concat().into_bytes());
    seeds.texts.push(lines[..9].iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes());
    let words =
        ["\"effective_at\":", "\"2015-04\"", "\"hash\":", "\"seq\":", "\"id\":", "\"actor\":", "\"schema\":"];
    seeds.words.extend(words);
    seeds
}

pub(crate) fn archive(games: u64, seed: u64) -> Vec<u8> {
    let mut text = Vec::new();
    let size = GrowSize::Games(games);
    grow(&[], &mut text, &GrowOptions { size, seed, ..GrowOptions::default() }).unwrap();
    text
}

const OF_ROWS: [&str; 18] = [
    "\\n",
    "\t",
    "takeback",
    "resign",
    "1w ",
    "12b ",
    "NULL",
    "[",
    "]",
    "Ra1 ",
    "Ee2n ",
    "ed7s x",
    "move 2w received from w [",
    "after 2w, move used:1 wresv:2 bresv:3 game:4",
    "gameserver rejected move [",
    "game finished with result w g",
    "result=wr side=b",
    "start move received from w",
];

fn archive_rows() -> Seeds {
    let short = "7\t11\t12\talice\tbot_b\t\t\tUS\tDE\t1500\t1600\t30\t120\th\tb\tCasual game\tOver the Net\t2/2/100/10/8\t0\t\
        1769941051\t1769942363\tb\tr\t3\tIGS\t1\t0\t\
        1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
        1b ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8\\n2w Ee2n\\n2b ed7s\\n3w\t";
    let mut seeds = Seeds::new([short], &OF_ROWS);
    for seed in 0..4 {
        let text = archive(6, seed);
        let rows = text.split(|byte| *byte == b'\n').skip(1).filter(|row| !row.is_empty());
        seeds.texts.extend(rows.map(<[u8]>::to_vec));
    }
    // Long games slow the first inputs down, and have nothing that short ones lack.
    seeds.texts.retain(|row| row.len() < 6000);
    seeds
}

fn archive_files() -> Seeds {
    let text = archive(1, 9);
    let gzip = |bytes: &[u8]| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    };
    let mut tar = tar::Builder::new(Vec::new());
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["a.txt", "b.txt"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, text.as_slice()).unwrap();
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&text).unwrap();
    }
    let (tar, zip) = (tar.into_inner().unwrap(), zip.finish().unwrap().into_inner());
    let packed = [gzip(&text), gzip(&tar), zip];
    let mut seeds = Seeds::new([text, tar], &OF_ROWS);
    seeds.texts.extend(packed);
    seeds
}

fn game_files(format: Format) -> Seeds {
    const SGF: [&str; 22] = [
        "(;", ")", "(", ";", "[", "]", "\\", "W[", "B[djddgd]", "GM[18]", "SZ[8]", "SZ[26:4]", "AW[aa:jj]",
        "AE[dj]", "PL[B]", "N[retracted]", "MN[4294967295]", "RE[W+R]", "TM[1800]", "WL[99]", "CA[latin1]",
        "DT[2000-08]",
    ];
    const MOVES: [&str; 20] = [
        "1. ",
        "4294967295. ",
        "retracted",
        "1-0",
        "(said: ",
        "{",
        "}",
        "#",
        "resigns",
        "12s ",
        "Board: 8x8\n",
        "Position: b [W/B]\n",
        "White: ",
        "Black: ",
        "d1-d7(g7)",
        "z128-a1/a1 ",
        "Date: 9999-12-31\n",
        "Result: ",
        "...",
        "Time: 30m\n",
    ];
    let texts = (0..60).filter_map(|seed| write(format, &game(seed, 14)).ok());
    Seeds::new(
        texts.collect::<Vec<_>>(),
        match format {
            Format::Sgf => &SGF,
            Format::MoveList => &MOVES,
        },
    )
}

fn positions() -> Seeds {
    Seeds::new(
        [
            "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]",
            "12s\n +-----------------+\n8| r r r r r r r r |\n7| h d c e m c d h |\n6| . . x . . x . . |\n5| . . . . . . . . |\n\
             4| . . . . . . . . |\n3| . . x . . x . . |\n2| H D C M E C D H |\n1| R R R R R R R R |\n +-----------------+\n   a b c d e f g h\n",
            "w [...B..B.../........../........../B........B/........../........../W........W/........../........../...W..W...]",
            "b [.B./.x./W..]",
            "3b\n  +-------+\n3 | . B . |\n2 | . x . |\n1 | W . . |\n  +-------+\n    a b c\n",
            "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2",
            "Ee2n ed7s cc3x Ee3n",
            "d1-d7(g7)",
            "a7-b8/b3",
        ],
        &[
            "g ", "s ", "w ", "b ", "[", "]", "/", "x", "W", "B", "gold to move", "To move  Silver", "+---+",
            "|", "1g", "2s Ee2n",
        ],
    )
}

pub(crate) const SMALL_FINAL: &str = "# a small final\nplayer Fritzlein 2273\nplayer 99of9 2142.5 * second\nplayer bot_sharp 2105\nplayer Omar 1860\n\
        \nround 1\ngame Fritzlein Omar winner Fritzlein\npair bot_sharp 99of9 double loss # neither came\nRound 2\nremove 99of9\n\
        pick Omar bot_sharp no decision\nbye Fritzlein win\nround 3 # inferred\nadd 99of9\ngame Fritzlein bot_sharp vacated\n\
        game bot_sharp Fritzlein draw\ngame 99of9 Omar winner Omar # forfeit\nstop\nnothing of this is read\n";

fn state_files() -> Seeds {
    let unmarked = "player A 1\nplayer B 2\nplayer C 3\ngame A B winner A\ngame B C winner C\ngame C A double win\nbye B loss\n";
    let words = [
        "player ", "remove ", "add ", "round ", "bye ", "game ", "pair ", "pick ", "stop", "winner ", "draw",
        "double win", "double loss", "no decision", "vacated", "# forfeit", "# inferred", "loss", "\n",
    ];
    Seeds::new([SMALL_FINAL, unmarked], &words).behind(0..4)
}

fn settings() -> Seeds {
    Seeds::new(
        [
            "annals",
            "evaluator=material,nodes=2_000,hash=4,setup=random,noise-turns=6,noise-per-mille=250,seed=9",
            "evaluator=annals,depth=400,time=500ms,threads=256,setup=varied",
            "kind=greedy,evaluator=annals,time=0.1,width=9,resign=20,seed=1",
            "net:model file.net,nodes=5",
            "annals nodes=5 seed=2",
            "random",
            "./bot --name \"a b\" 'c'",
        ],
        &[
            "kind=", "evaluator=", "nodes=", "depth=", "time=", "hash=", "threads=", "setup=",
            "noise-turns=", "noise-per-mille=", "seed=", "width=", "resign=", "fixed", "varied", "random",
            "searcher", "greedy", "net:", "ms", "s", ",", " ",
        ],
    )
}

fn names() -> Seeds {
    let log = KnownLog::create();
    let head = log.head();
    let stated = [
        "tournament/wcc-2015",
        "game/wcc-2015.r3.2",
        "people/omar",
        "p17",
        "r3.2",
        "r1.1",
        "2/2/100/10/8",
        "game 30m",
        "15s/3/100/12/4h/5m",
        "0:30/1:00:00/50/2d/60t/1h",
        "2015",
        "2015-04",
        "winter 2006",
        "2015-04-03",
        "2015-04-03T18:00:00Z",
        "2015-04-03 18:00 EST",
        "2015-04-03T18:00",
        "round:5",
        "seq:1234",
        "EST",
        "Europe/Vienna",
        "+02:00",
        "12g",
        "13s",
        "2w",
        "E=16,M=8,H=6,D=4,C=2,R=1",
        "last",
        "end",
        "start",
    ];
    let mut seeds = Seeds::new(
        stated,
        &[
            "round:", "seq:", "T", "Z", "winter ", "-", ":", "/", " ", "99999999999", "EST", "+14:00",
            "annals:",
        ],
    );
    let of = Prefix { log: head.log, seq: head.seq, hash: head.hash };
    let at = |at| Identifier::Stream { of, stream: stream(1), at };
    let digest = head.hash;
    let identifiers = [
        Identifier::Log(of),
        Identifier::Event(of),
        at(None),
        at(Some(At::Time(1_400_000_000_000_000))),
        at(Some(At::Round(5))),
        Identifier::Dataset { digest },
        Identifier::StoredGame { digest, game: 9 },
        Identifier::Chart { digest },
    ];
    seeds.texts.extend(identifiers.map(|identifier| identifier.to_string().into_bytes()));
    seeds.texts.extend([head.hash.to_string().into_bytes(), log.events[2].id.to_string().into_bytes()]);
    seeds
}

fn aei() -> Seeds {
    Seeds::new(
        [
            "aei\nisready\nnewgame\nmakemove Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\nquit\n",
            "aei\nsetposition g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]\nmakemove Ee2n Ee3n\nstop\n",
            "aei\nsetoption name tcmove value 15\nsetoption name greserve value -3.5\nsetoption name hash value 5\nnewgame\n",
            "aei\nsetoption name depth value 4\nsetoption name evaluator value material\nsetoption name opponent value a b c\n",
            "aei\nsetposition w [.B./.x./W..]\nmakemove a1-a2(a1)\nquit",
            "protocol-version 1\nid name Sample Engine\naeiok\nreadyok\nbestmove Ee2n Ee3n\ninfo pv Ee2n b ee7s\nlog Error: no\n",
        ],
        &[
            "aei\n", "isready\n", "newgame\n", "setposition ", "setoption name ", " value ", "makemove ",
            "stop\n", "quit\n", "tcmove", "tcreserve", "tcturntime", "tcturns", "moveused", "greserve",
            "wused", "hash", "depth", "nodes", "seed", "bestmove ", "info ", "log Warning: ", "id ", "\r\n",
        ],
    )
}

fn proofs() -> Seeds {
    let known = KnownLog::create();
    let log = known.open();
    let mut seeds = Seeds::new([known.head().to_string()], &OF_JSON);
    for seq in 1..=EVENTS {
        let inclusion = log.prove_inclusion(seq).unwrap();
        let consistency = log.prove_consistency(&known.heads[seq as usize - 1]).unwrap();
        seeds.texts.push(serde_json::to_vec(&inclusion).unwrap());
        seeds.texts.push(serde_json::to_vec(&consistency).unwrap());
    }
    seeds.words.extend(["\"path\":[", "\"last_of_old\":[", "annals-inclusion/1", "annals-consistency/1"]);
    seeds
}

fn bundles() -> Seeds {
    let known = KnownLog::create();
    let log = known.open();
    let mut seeds = Seeds::new([""; 0], &OF_JSON);
    for names in [vec![stream(1)], vec![stream(2)], vec![stream(1), stream(3)]] {
        let proven = prove_streams(&log, &names).unwrap();
        let bundle = json!({
            "format": BUNDLE,
            "about": names[0],
            "program": "fuzz",
            "head": proven.head,
            "streams": proven.streams,
            "events": proven.events,
            "nodes": proven.nodes,
            "verdicts": [{"stream": names[0], "findings": [{"seq": proven.events[0].seq}]}],
        });
        seeds.texts.push(bundle.to_string().into_bytes());
        let with_path = |seq: u64| {
            let proof = log.prove_inclusion(seq).unwrap();
            json!({"event": proof.event, "path": proof.path})
        };
        let mut earlier = bundle;
        earlier["format"] = json!("annals-bundle/1");
        earlier["events"] = proven.events.iter().map(|event| with_path(event.seq)).collect();
        earlier["nodes"] = json!([]);
        seeds.texts.push(earlier.to_string().into_bytes());
    }
    let bundle = evidence(&log, stream(1), false).map(|bundle| serde_json::to_vec(&bundle).unwrap());
    seeds.texts.extend(bundle.ok());
    seeds
}

fn tlog() -> Seeds {
    let known = KnownLog::create();
    let log = known.open();
    let mut seeds = Seeds::new(
        [known.key().verifier().to_string(), known.checkpoint(EVENTS).to_string()],
        &[
            "\n\n",
            "\u{2014} ",
            "annals/",
            "index ",
            "extra ",
            "old ",
            "c2sp.org/tlog-proof@v1\n",
            "AAAA",
            "+",
        ],
    );
    for size in 1..=EVENTS {
        let checkpoint = known.checkpoint(size);
        let seq = size.div_ceil(2);
        let proof = log.prove_inclusion_in(seq, &checkpoint).unwrap();
        seeds.texts.push(TlogProof { extra: None, ..proof.clone() }.to_string().into_bytes());
        if seq != 5 {
            seeds.texts.push(proof.to_string().into_bytes());
        }
        if size == EVENTS {
            let path = log.prove_consistency(&known.heads[seq as usize - 1]).unwrap().path;
            seeds.texts.push(Request { old: seq, path, checkpoint }.to_string().into_bytes());
        }
    }
    seeds
}

fn anchors() -> Seeds {
    let known = KnownLog::create();
    let file = known.anchor();
    let lines: Vec<String> = file
        .chunks(4096)
        .filter_map(|block| Some(String::from_utf8_lossy(block).split_once(" sum=")?.0.to_owned()))
        .collect();
    let lost = lines[0].replace("annals-anchor/1", "annals-lost/1");
    let first = &lines[lines.len() - 1];
    let mut seeds = Seeds::new(
        [lines.join("\n"), first.clone(), format!("{}\n{lost}", lines.join("\n")), format!("\n{first}")],
        &[
            "annals-anchor/1", "annals-lost/1", " epoch=", " log=", " seq=", " hash=", " root=", " peaks=",
            ",", "\n",
        ],
    )
    .behind([1]);
    seeds.texts.push([&[0], file.as_slice()].concat());
    seeds
}

fn salvage() -> Seeds {
    let known = KnownLog::create();
    let change = |form: u8, place: u32, new: &[u8]| {
        let place = place.to_be_bytes();
        [&[form], &place[1..], &[new.len() as u8], new].concat()
    };
    let mut texts = vec![vec![0], vec![1]];
    for form in [0, 1] {
        texts.extend((0..40).map(|page| change(form, page * 1024 + 3, &[0xff, 0, 0x7f])));
        texts.push(change(form, 16, &[2, 0]));
        texts.push(change(form, 5000, &[]));
    }
    let database = known.database();
    let first = database.chunks(4096).find(|page| page.first() == Some(&0x0d)).unwrap_or(&[]);
    texts.push([&[2], first].concat());
    texts.push([&[3], &known.write_ahead_log()[..32 + 24 + 4096]].concat());
    Seeds::new(texts, &[])
}
