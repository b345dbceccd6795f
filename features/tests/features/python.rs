//! The planes, labels, games and heights bit for bit as the independent program in Python computes them, and files as Python
//! reads them. Where there is no Python with NumPy, digests of what it gave (NumPy 2) stand in for it.

use std::path::Path;
use std::process::Command;

use annals_features::columns::named;
use annals_features::{Dataset, Filter, Format, Options, collect, write};
use sha2::{Digest, Sha256};

use crate::shared::{grown, oracle, real, to};

/// Runs Python; none, said aloud, where it or NumPy is missing.
fn python(arguments: &[&str]) -> Option<Vec<u8>> {
    let numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no python3 with numpy");
        return None;
    }
    let output = Command::new("python3").args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

/// Unpacks an array of the checker's file as bytes.
fn array(file: &Path, name: &str, number_type: &str) -> Option<Vec<u8>> {
    let script = "import sys, numpy; a = numpy.load(sys.argv[1])[sys.argv[2]]; \
                  sys.stdout.buffer.write(a.astype(sys.argv[3]).tobytes())";
    python(&["-c", script, file.to_str()?, name, number_type])
}

/// Planes, labels, heights and games as bytes.
fn bytes(table: &Dataset) -> [Vec<u8>; 4] {
    let heights: Vec<u8> = table.heights.iter().flat_map(|height| height.to_le_bytes()).collect();
    let games = table.games.iter().map(|game| table.game_ids[*game as usize].parse::<u64>().unwrap());
    let games: Vec<u8> = games.flat_map(u64::to_le_bytes).collect();
    let planes: Vec<u8> = table.planes.iter().map(|cell| cell.cast_unsigned()).collect();
    [planes, table.labels.clone(), heights, games]
}

/// The digest over all of them, one after the other.
fn digest(bytes: &[Vec<u8>]) -> String {
    let mut hash = Sha256::new();
    bytes.iter().for_each(|bytes| hash.update(bytes));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn compare(table: &Dataset, theirs: &Path) -> Option<()> {
    let names = [("X", "int8"), ("y", "uint8"), ("height", "<u2"), ("game", "<u8")];
    for ((name, number_type), ours) in names.into_iter().zip(bytes(table)) {
        assert!(array(theirs, name, number_type)? == ours, "`{name}` differs");
    }
    Some(())
}

#[test]
fn the_real_files_give_what_python_says_bit_for_bit() {
    let Some(files) = real() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (floor, said) in [
        (0, "d83a61b5e8ce1c9a06f32b6ea5fac7847704872ecf2f1b445f02c21b9384430e"),
        (1_800, "fff9c10b2033165593e76fb9edbf48bcbf2793f7585a94fbfbfc581d81b2dd56"),
    ] {
        let filter = Filter { rating_floor: Some(floor), ..Filter::default() };
        let ours = collect(&files, &filter, 2).unwrap();
        assert_eq!(digest(&bytes(&ours)), said, "from a rating of {floor} on");
        let Some(checker) = oracle("games/evaluation/paper_features.py") else { continue };
        let theirs = folder.path().join(format!("{floor}.npz"));
        let floor_text = floor.to_string();
        let mut arguments = vec![checker.to_str().unwrap(), theirs.to_str().unwrap(), &floor_text];
        arguments.extend(files.iter().filter_map(|file| file.to_str()));
        if python(&arguments).is_some() {
            compare(&ours, &theirs);
        }
    }
}

#[test]
fn a_grown_archive_gives_what_python_says_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let (file, theirs) = (grown(folder.path(), 60, 5), folder.path().join("theirs.npz"));
    let ours = collect(std::slice::from_ref(&file), &Filter::default(), 2).unwrap();
    assert_eq!(digest(&bytes(&ours)), "6603f1c296fa993cf9dd6fb65548037153d3868c6b3f50cfd5776e1a8772c7f6");
    let Some(checker) = oracle("games/evaluation/paper_features.py") else { return };
    let arguments = [checker.to_str().unwrap(), theirs.to_str().unwrap(), "0", file.to_str().unwrap()];
    if python(&arguments).is_some() {
        compare(&ours, &theirs);
    }
}

#[test]
fn numpy_reads_both_kinds_of_arrays_with_their_shapes_and_types() {
    let folder = tempfile::tempdir().unwrap();
    let file = grown(folder.path(), 12, 3);
    let table = collect(std::slice::from_ref(&file), &Filter::default(), 1).unwrap();
    let options = Options::new(named(&["paper", "modern", "scalars"]).unwrap());
    for (name, format, plain) in [
        ("packed.npz", Format::Npz, false),
        ("plain.npz", Format::Npz, true),
        ("t.safetensors", Format::Safetensors, false),
    ] {
        let path = folder.path().join(name);
        write(std::slice::from_ref(&file), &options, &to(&path, format, plain), &()).unwrap();
        let script = "
import sys, json, numpy
def load(path):
    if path.endswith('.npz'):
        json.load(open(path + '.json'))
        return numpy.load(path)
    data = open(path, 'rb').read()
    n = int.from_bytes(data[:8], 'little')
    header = json.loads(data[8:8 + n])
    json.loads(header.pop('__metadata__')['annals.features'])
    kinds = {'BOOL': '?', 'U8': 'u1', 'I8': 'i1', 'U16': '<u2', 'I16': '<i2', 'U32': '<u4', 'U64': '<u8'}
    def tensor(t):
        start, end = t['data_offsets']
        assert (8 + n + start) % numpy.dtype(kinds[t['dtype']]).itemsize == 0
        return numpy.frombuffer(data[8 + n + start:8 + n + end], kinds[t['dtype']]).reshape(t['shape'])
    assert max(t['data_offsets'][1] for t in header.values()) == len(data) - 8 - n
    return {name: tensor(t) for name, t in header.items()}
z = load(sys.argv[1])
x, m = z['paper'], z['modern']
assert x.shape[1:] == (6, 8, 8) and x.dtype == numpy.int8, (x.shape, x.dtype)
assert m.shape[1:] == (20, 8, 8) and m.dtype == numpy.int8
assert z['game'].dtype == numpy.uint64 and z['generated'].dtype == numpy.bool_ and z['generated'].all()
assert z['material'].dtype == numpy.int16
# The modern planes hold the paper's, and the counts are those of the planes.
assert ((m[:, :6] - m[:, 6:12]) == x).all()
assert (m[:, 0].sum((1, 2)) == z['own_rabbits']).all() and (m[:, 11].sum((1, 2)) == z['opp_elephants']).all()
assert (m[:, 12].sum((1, 2)) == z['own_frozen']).all()
assert (m[:, 17, 0, 0] == (z['to_move'] == 0)).all() and (m[:, 18] == 4).all()
assert (z['label'] == (z['to_move'] == z['winner'])).all()
sys.stdout.buffer.write(x.tobytes())
";
        let Some(planes) = python(&["-c", script, path.to_str().unwrap()]) else { return };
        assert!(planes.iter().map(|byte| byte.cast_signed()).eq(table.planes.iter().copied()), "{name}");
    }
}

#[test]
fn python_computes_the_same_folds() {
    let script = "import sys, hashlib
for i in range(1000):
    digest = hashlib.sha256(b'annals/game/' + str(i * 977).encode()).digest()
    sys.stdout.write(str(int.from_bytes(digest[:8], 'big') % 5))";
    let ours: String = (0..1_000u64)
        .map(|i| annals_features::fold_of(&annals_features::split::game_name(i * 977), 5).to_string())
        .collect();
    assert_eq!(
        digest(&[ours.clone().into_bytes()]),
        "9baf79c0b79522d57e25c4d2e7fdf0c3bcfd29419ed49fc67415c9f76e17eba9"
    );
    let Some(theirs) = python(&["-c", script]) else { return };
    assert_eq!(String::from_utf8(theirs).unwrap(), ours);
}
