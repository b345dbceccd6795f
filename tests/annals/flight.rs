//! `annals serve --flight-sql` and real clients: the ADBC driver for Flight SQL with pyarrow, pandas and polars, and pyarrow's own
//! client of Flight. Needs a Python with them, which `ANNALS_PYTHON` names (default `python3`).

use std::env::var_os;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex, Weak};

use crate::program::Place;
use crate::server::{Server, of_the_demonstration, shared};

const TOKEN: &str = "0123456789abcdef-token";

/// What every script begins with.
const PRELUDE: &str = include_str!("flight.py");

/// A server of the demonstration, for tests that change nothing.
fn demonstration() -> Arc<(Place, Server)> {
    static SHARED: Mutex<Weak<(Place, Server)>> = Mutex::new(Weak::new());
    shared(&SHARED, || started(&[]))
}

fn started(options: &[&str]) -> (Place, Server) {
    let (place, server) = of_the_demonstration(&[&["--flight-sql", "127.0.0.1:0"], options].concat());
    assert!(server.flight_sql.starts_with("grpc://127.0.0.1:"), "{}", server.flight_sql);
    (place, server)
}

fn python(words: &[&str]) -> Option<Command> {
    let program = var_os("ANNALS_PYTHON").unwrap_or_else(|| "python3".into());
    let libraries = "import adbc_driver_flightsql.dbapi, pandas, polars, pyarrow.flight";
    let has =
        Command::new(&program).args(["-c", libraries]).output().is_ok_and(|output| output.status.success());
    assert!(has || var_os("ANNALS_PYTHON").is_none(), "ANNALS_PYTHON lacks what `{libraries}` imports");
    if !has {
        eprintln!("skipped: python3 lacks what `{libraries}` imports (ANNALS_PYTHON names another)");
        return None;
    }
    let mut command = Command::new(program);
    command.args(words);
    Some(command)
}

/// What a script prints, which runs with a connection to a server; none without Python.
fn printed((place, server): &(Place, Server), script: &str) -> Option<String> {
    let script = format!("{PRELUDE}\n{script}");
    let mut command = python(&["-c", &script])?;
    command.env("URI", &server.flight_sql).env("TOKEN", TOKEN).env("SPILL", place.path("annals-demo/tmp"));
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{script}\n{}", String::from_utf8_lossy(&stderr));
    Some(String::from_utf8(stdout).unwrap())
}

#[test]
fn the_catalog_has_every_table_with_the_schema_of_its_rows() {
    let served = demonstration();
    let Some(text) = printed(
        &served,
        r#"
objects = connection.adbc_get_objects().read_all().to_pylist()
assert [catalog["catalog_name"] for catalog in objects] == ["datafusion"]
schemas = objects[0]["catalog_db_schemas"]
assert [schema["db_schema_name"] for schema in schemas] == ["public"]
assert connection.adbc_get_table_types() == ["TABLE", "VIEW"]
tables = {table["table_name"]: table for table in schemas[0]["db_schema_tables"]}
assert tables["positions"]["table_type"] == "VIEW" and tables["turns"]["table_type"] == "TABLE"
for name, table in tables.items():
    announced = connection.adbc_get_table_schema(name, db_schema_filter="public")
    rows = fetch(f"SELECT * FROM {name} LIMIT 500")
    assert [field.name for field in announced] == [field.name for field in rows.schema], name
    assert announced.types == rows.schema.types, (name, announced, rows.schema)
    assert [column["column_name"] for column in table["table_columns"]] == announced.names
    for sort in rows.schema.types:
        assert "view" not in str(sort) and "dictionary" not in str(sort), (name, sort)
    assert not table["table_constraints"]
    print(name)
only = connection.adbc_get_objects(depth="tables", table_name_filter="ga%").read_all().to_pylist()
assert [table["table_name"] for table in only[0]["catalog_db_schemas"][0]["db_schema_tables"]] == ["games"]
info = connection.adbc_get_info()
assert info["vendor_name"] == "annals" and info["vendor_version"], info
"#,
    ) else {
        return;
    };
    let described = served.0.ask_json(&["schema", "tables", "--json"]);
    let names: Vec<&str> =
        described["tables"].as_array().unwrap().iter().map(|table| table["name"].as_str().unwrap()).collect();
    assert_eq!(sorted(text.lines()), sorted(names));
}

fn sorted<'t>(names: impl IntoIterator<Item = &'t str>) -> Vec<&'t str> {
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    names
}

#[test]
fn pyarrow_pandas_and_polars_read_the_rows_of_the_command_line() {
    let served = demonstration();
    let sql = "SELECT game_id, ply, board, to_move, hash_after FROM turns ORDER BY game_id, ply";
    let words = ["--home", "annals-demo", "query", sql, "-o", "turns.parquet", "--force"];
    served.0.ask(&words);
    let file = served.0.path("turns.parquet");
    let script = format!(
        r#"
import pyarrow.compute, pyarrow.parquet
sql = "{sql}"
rows, written = fetch(sql), pyarrow.parquet.read_table("{}")
assert rows.num_rows > 1000 and rows.schema.names == written.schema.names
for name in rows.schema.names:
    column = written[name].cast(rows.schema.field(name).type)
    assert rows[name].combine_chunks().equals(column.combine_chunks()), name
frame = pandas.read_sql(sql, connection)
assert all(frame[name].tolist() == rows[name].to_pylist() for name in rows.schema.names), "pandas"
frame = polars.read_database(sql, connection)
assert frame.equals(polars.from_arrow(rows)), "polars"
assert fetch("SELECT * FROM turns WHERE false").schema == fetch("SELECT * FROM turns LIMIT 1").schema
assert fetch("SELECT sum(plies) FROM games; ").num_rows == 1
assert fetch("SELECT max(seq) AS last FROM events")["last"][0].as_py() > 30000
assert fetch("SELECT player FROM standings('cup')").num_rows > 1
"#,
        file.display()
    );
    printed(&served, &script);
}

#[test]
fn errors_have_a_kind_a_place_and_a_hint_and_nothing_is_changed() {
    printed(
        &demonstration(),
        r#"
for sql, status, words in [
    ("SELECT gold,\n  silvr FROM games", "INVALID_ARGUMENT", ["(line 2, column 3)", "  2 |   silvr FROM games", "did you mean `silver`"]),
    ("SELEC 1", "INVALID_ARGUMENT", ["line 1, column 1"]),
    ("SELECT 1; SELECT 2", "INVALID_ARGUMENT", ["one statement is expected, found 2"]),
    ("SELECT * FROM gmes", "INVALID_ARGUMENT", ["there is no table `gmes`", "did you mean `games`"]),
    ("SELECT * FROM standings('nobody')", "INVALID_ARGUMENT", ["nobody"]),
    ("SELECT CAST(9223372036854775807 AS BIGINT) + ply FROM turns", "INVALID_ARGUMENT", ["verflow"]),
    ("DELETE FROM games", "NOT_IMPLEMENTED", ["`DELETE FROM games` is refused", "never changes it"]),
    ("COPY games TO '/tmp/x.csv'", "NOT_IMPLEMENTED", ["refused"]),
    ("CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/etc/passwd'", "NOT_IMPLEMENTED", ["refused"]),
    ("SELECT * FROM read_csv('x.csv')", "INVALID_ARGUMENT", ["read_csv"]),
    ("SELECT * FROM '/etc/passwd'", "INVALID_ARGUMENT", ["there is no table"]),
]:
    error = failure(lambda: fetch(sql))
    assert error.status_code.name == status, (sql, error.status_code, error)
    for part in words:
        assert part in str(error), (sql, part, error)
    assert "--table" not in str(error), (sql, error)
with connection.cursor() as cursor:
    error = failure(lambda: cursor.executescript("DELETE FROM games"))
    assert error.status_code.name == "NOT_IMPLEMENTED", error
client, options = flight_client()
error = failure(lambda: put(client, options, descriptor("CommandStatementIngest", field(2, "mine")), pyarrow.table({"a": [1]})))
assert "new rows are refused" in str(error), error
for action in ["BeginTransaction", "BeginSavepoint", "CreatePreparedSubstraitPlan"]:
    error = failure(lambda: act(client, options, action, b""))
    assert isinstance(error, NotImplementedError), (action, error)
error = failure(lambda: connection.adbc_connection.set_autocommit(False))
assert "transaction" in str(error).lower(), error
"#,
    );
}

#[test]
fn prepared_statements_run_with_the_values_of_their_parameters() {
    printed(
        &demonstration(),
        r#"
games = fetch("SELECT game_id, plies, gold FROM games ORDER BY plies DESC, game_id LIMIT 3").to_pylist()
one = games[0]
with connection.cursor() as cursor:
    types = cursor.adbc_prepare("SELECT game_id FROM games WHERE gold = ? AND plies >= ? ORDER BY plies DESC, game_id LIMIT ?")
    assert types.names == ["$1", "$2", "$3"], types
    cursor.execute("SELECT game_id FROM games WHERE gold = ? AND plies >= ? ORDER BY plies DESC, game_id LIMIT ?",
                   (one["gold"], one["plies"], 1))
    assert cursor.fetch_arrow_table().to_pylist() == [{"game_id": one["game_id"]}]
    # The same statement with other values.
    for game in games:
        cursor.execute("SELECT plies FROM games WHERE game_id = $1", (game["game_id"],))
        assert cursor.fetchall() == [(game["plies"],)]
    cursor.execute("SELECT $2 || '-' || $1 AS text", ("a", "b"))
    assert cursor.fetchall() == [("b-a",)]
    error = failure(lambda: cursor.executemany("SELECT game_id FROM games WHERE game_id = ?", [(1,), (2,)]))
    assert error.status_code.name == "NOT_IMPLEMENTED" and "update is refused" in str(error), error
    error = failure(lambda: cursor.execute("SELECT game_id FROM games WHERE plies = ?"))
    assert "expected 1 values for parameters, found 0" in str(error), error
    error = failure(lambda: cursor.execute("SELECT ?, $1", (1,)))
    assert "not both" in str(error), error
# Each row of values is a run.
client, options = flight_client()
handle = prepare(client, options, "SELECT CAST(? AS BIGINT) * 2 AS twice")
bind(client, options, handle, pyarrow.table({"a": pyarrow.array([1, 2, 3])}))
info = client.get_flight_info(descriptor("CommandPreparedStatementQuery", field(1, handle)), options)
rows = client.do_get(info.endpoints[0].ticket, options).read_all()
assert rows["twice"].to_pylist() == [2, 4, 6] and rows.schema == info.schema, (rows, info.schema)
# One of them may be NULL, also if the first is not.
for values in [[10, None], [None, 10], [None, None]]:
    bound = prepare(client, options, "SELECT $1 AS x, [$1] AS list, count(*) AS n")
    bind(client, options, bound, pyarrow.table({"a": pyarrow.array(values, pyarrow.int64())}))
    info = client.get_flight_info(descriptor("CommandPreparedStatementQuery", field(1, bound)), options)
    rows = client.do_get(info.endpoints[0].ticket, options).read_all()
    assert rows["x"].to_pylist() == values and rows.schema == info.schema, (rows, info.schema)
    assert rows["list"].to_pylist() == [[value] for value in values], rows
with connection.cursor() as cursor:
    cursor.adbc_prepare("SELECT $1 AS x")
    cursor.adbc_statement.bind_stream(pyarrow.table({"a": pyarrow.array([10, None])}).to_reader())
    reader, _ = cursor.adbc_statement.execute_query()
    assert pyarrow.RecordBatchReader.from_stream(reader).read_all()["x"].to_pylist() == [10, None]
too_many = failure(lambda: bind(client, options, handle, pyarrow.table({"a": list(range(1001))})))
assert "at most 1000 rows" in str(too_many), too_many
close(client, options, handle)
closed = failure(lambda: client.get_flight_info(descriptor("CommandPreparedStatementQuery", field(1, handle)), options))
assert "there is no such prepared statement" in str(closed), closed
"#,
    );
}

#[test]
fn a_query_ends_when_its_reader_leaves_or_cancels_it() {
    // A server of its own, whose sessions are counted: one for planning, and one for each query.
    printed(
        &started(&[]),
        r#"
endless = "SELECT count(*) AS n FROM range(1000000000000) WHERE value % 7 = 8"
rows = "SELECT a.board, b.board AS other FROM turns a, turns b"
fetch("SELECT 1")
idle = 1
wait_for(lambda: sessions() == idle)
client, options = flight_client()
# Rows are read, then the reader leaves.
stream = client.do_get(client.get_flight_info(statement(rows), options).endpoints[0].ticket, options)
assert stream.read_chunk().data.num_rows > 0
wait_for(lambda: sessions() == idle + 1)
stream.cancel()
wait_for(lambda: sessions() == idle)
with connection.cursor() as cursor:
    cursor.execute(rows)
    reader = cursor.fetch_record_batch()
    assert reader.read_next_batch().num_rows > 0
    wait_for(lambda: sessions() == idle + 1)
    reader.close()
wait_for(lambda: sessions() == idle)
# As many as are allowed run, one more is refused, and has its place when one has ended.
ticket = client.get_flight_info(statement(rows), options).endpoints[0].ticket
streams = [client.do_get(ticket, options) for _ in range(16)]
for stream in streams:
    assert stream.read_chunk().data.num_rows > 0
refused = failure(lambda: fetch("SELECT 1"))
assert "queries are running" in str(refused), refused
streams.pop().cancel()
assert fetch("SELECT 1 AS one")["one"].to_pylist() == [1]
for stream in streams:
    stream.cancel()
wait_for(lambda: sessions() == idle)
# No row comes: the driver, and both actions of the protocol end the query.
import signal, threading
# Where a query is cancelled, pyarrow interrupts the main thread as Ctrl-C would.
signal.signal(signal.SIGINT, signal.SIG_IGN)
for way in ["driver", "CancelFlightInfo", "CancelQuery"]:
    failures = []
    if way == "driver":
        cursor = connection.cursor()
        def read():
            cursor.execute(endless)
            cursor.fetchall()
        def cancel():
            cursor.adbc_cancel()
    else:
        info = client.get_flight_info(statement(endless), options)
        def read():
            client.do_get(info.endpoints[0].ticket, options).read_all()
        def cancel():
            status = do_cancel(client, options, way, info)
            assert status == 1, status
    thread = threading.Thread(target=lambda: failures.append(failure(read)))
    thread.start()
    wait_for(lambda: sessions() == idle + 1)
    time.sleep(0.3)
    cancel()
    thread.join(30)
    assert not thread.is_alive() and failures, way
    wait_for(lambda: sessions() == idle)
    text = str(failures[0]).lower()
    assert "cancel" in text or "stopped" in text, (way, failures)
    if way != "driver":
        assert do_cancel(client, options, way, info) == 3, "nothing is running"
assert fetch("SELECT 1 AS one")["one"].to_pylist() == [1]
"#,
    );
}

#[test]
fn a_token_is_demanded_and_an_open_address_demands_one() {
    let served = started(&["--token", TOKEN]);
    let (place, server) = &served;
    printed(
        &served,
        r#"
assert fetch("SELECT 1 AS one")["one"].to_pylist() == [1]
client = pyarrow.flight.connect(os.environ["URI"].replace("grpc://", "grpc+tcp://"))
lower = pyarrow.flight.FlightCallOptions(headers=[(b"authorization", b"bearer " + os.environ["TOKEN"].encode())])
assert client.get_flight_info(statement("SELECT 1"), lower).endpoints
for header in [None, "Bearer wrong", "Bearer " + os.environ["TOKEN"][:-1], os.environ["TOKEN"]]:
    options = {} if header is None else {"adbc.flight.sql.authorization_header": header}
    def ask():
        with flightsql.connect(os.environ["URI"], db_kwargs=options, autocommit=True) as other:
            with other.cursor() as cursor:
                cursor.execute("SELECT 1")
    error = failure(ask)
    assert error.status_code.name == "UNAUTHENTICATED" and "requires a token" in str(error), (header, error)
"#,
    );
    assert_eq!(server.get("/").status, 401);
    let refused = place
        .run(&["--home", "annals-demo", "serve", "--listen", "127.0.0.1:0", "--flight-sql", "0.0.0.0:0"]);
    assert_eq!(refused.status, 2, "{}", refused.talk);
    assert!(refused.talk.contains("0.0.0.0 is reached from other machines"), "{}", refused.talk);
}

#[test]
fn a_query_beyond_the_memory_of_the_server_fails_and_the_server_goes_on() {
    let served = started(&["--memory", "1MiB"]);
    printed(
        &served,
        r#"
error = failure(lambda: fetch(
    "SELECT count(*) FROM range(3000000) AS a JOIN range(3000000) AS b ON a.value = b.value"))
assert "memory" in str(error), error
assert fetch("SELECT 1 AS one")["one"].to_pylist() == [1]
client, options = flight_client()
large = failure(lambda: client.get_flight_info(statement("SELECT '" + "x" * (5 << 20) + "'"), options))
assert "too large" in str(large), large
assert fetch("SELECT 1 AS one")["one"].to_pylist() == [1]
"#,
    );
    // Bytes that are not of the protocol end their connection only.
    let address = served.1.flight_sql.trim_start_matches("grpc://");
    for bytes in [
        &b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..],
        b"\x16\x03\x01\x02\x00nonsense",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nxxxxxxxxx",
    ] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(bytes).unwrap();
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    printed(&served, r#"assert fetch("SELECT 1 AS one")["one"].to_pylist() == [1]"#);
}

#[test]
fn a_change_of_the_log_is_in_the_next_query() {
    let served = started(&[]);
    let count = r#"print(fetch("SELECT count(*) AS n FROM events")["n"][0].as_py())"#;
    let Some(before) = printed(&served, count) else { return };
    let announce = "--home annals-demo tournament announce next --rulebook wcc-2015 --published --director Omar --year 2016 --name Next";
    let words: Vec<&str> = announce.split(' ').collect();
    let output = served.0.command(&words).env("ANNALS_ACTOR", "omar").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let number = |text: &str| text.trim().parse::<u64>().unwrap();
    assert!(number(&printed(&served, count).unwrap()) > number(&before));
}

#[test]
fn the_python_of_the_guide_reads_the_server() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/how-to/flight-sql.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> =
        page.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 4, "{}", blocks.len());
    let served = demonstration();
    let Some(mut command) = python(&[]) else { return };
    let script = blocks.concat();
    assert!(script.contains("grpc://127.0.0.1:7441"));
    let script = script.replace("grpc://127.0.0.1:7441", &served.1.flight_sql);
    let output = command.args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).lines().count() > 10);
}
