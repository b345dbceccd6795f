//! `annals serve` as a process, and requests to it over a socket.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;

pub struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub address: String,
    /// `grpc://127.0.0.1:PORT`; empty without `--flight-sql`.
    #[cfg_attr(not(feature = "flight-sql"), expect(dead_code))]
    pub flight_sql: String,
}

/// A response: its status, its head in lower case, and its body.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: String,
}

/// A server of the demonstration, for tests that change nothing, and the folder with its home `annals-demo`.
pub type Demonstration = Arc<(Place, Server)>;

pub fn demonstration() -> Demonstration {
    static SHARED: Mutex<Weak<(Place, Server)>> = Mutex::new(Weak::new());
    shared(&SHARED, || of_the_demonstration(&[]))
}

/// A server of a copy of the demonstration.
pub fn of_the_demonstration(options: &[&str]) -> (Place, Server) {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "annals-demo");
    let server = Server::start(&place, "annals-demo", options);
    (place, server)
}

/// A value that ends with the last test that has it: a server of a `static` would outlive the tests.
pub fn shared<T>(one: &Mutex<Weak<T>>, make: impl FnOnce() -> T) -> Arc<T> {
    let mut one = one.lock().unwrap_or_else(PoisonError::into_inner);
    one.upgrade().unwrap_or_else(|| {
        let made = Arc::new(make());
        *one = Arc::downgrade(&made);
        made
    })
}

impl Server {
    /// Serves a home of a folder on a free port.
    pub fn start(place: &Place, home: &str, options: &[&str]) -> Server {
        let words = [&["--home", home, "serve", "--listen", "127.0.0.1:0"], options].concat();
        let child = place.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let (mut line, mut flight_sql) = (String::new(), String::new());
        let mut printed = BufReader::new(child.stdout.as_mut().unwrap());
        printed.read_line(&mut line).unwrap();
        if options.contains(&"--flight-sql") {
            printed.read_line(&mut flight_sql).unwrap();
        }
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("no address in `{line}`")).to_owned();
        Server { child, address, flight_sql: flight_sql.trim().to_owned() }
    }

    /// Sends bytes and reads what comes back until the connection ends.
    pub fn send(&self, bytes: &[u8]) -> Response {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Response { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// Requests a page with further lines of the head.
    pub fn get_with(&self, path: &str, lines: &[&str]) -> Response {
        let host = format!("Host: {}", self.address);
        let lines: Vec<&str> = match lines.iter().any(|line| line.starts_with("Host:")) {
            true => lines.to_vec(),
            false => [&[host.as_str()], lines].concat(),
        };
        let request = format!("GET {path} HTTP/1.1\r\n{}\r\nConnection: close\r\n\r\n", lines.join("\r\n"));
        self.send(request.as_bytes())
    }

    pub fn get(&self, path: &str) -> Response {
        self.get_with(path, &[])
    }

    /// A page that must be there.
    pub fn page(&self, path: &str) -> String {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {response:?}");
        response.body
    }

    /// The JSON of a page.
    pub fn json(&self, path: &str) -> Value {
        let body = self.page(path);
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{path}: {error}: {body}"))
    }

    /// Waits until the server uses no processor.
    #[cfg(target_os = "linux")]
    pub fn is_idle(&self, what: &str) {
        let used = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
            fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
        };
        let idle = (0..20).any(|_| {
            let before = used();
            std::thread::sleep(Duration::from_secs(1));
            // In hundredths of a second.
            used() - before < 5
        });
        assert!(idle, "the server still computes: {what}");
    }

    /// Ends the server as Ctrl-C does; gives its exit status.
    pub fn end(mut self) -> Option<i32> {
        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGINT).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
