//! Chromium under chromedriver: the commands of WebDriver as JSON over HTTP on this machine. `ANNALS_CHROMEDRIVER` and
//! `ANNALS_CHROMIUM` name other programs than those of `PATH`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Keys, as WebDriver names them.
pub mod key {
    pub const TAB: &str = "\u{e004}";
    pub const ENTER: &str = "\u{e007}";
    pub const SHIFT: char = '\u{e008}';
    pub const CONTROL: char = '\u{e009}';
    pub const ESCAPE: &str = "\u{e00c}";
    pub const END: &str = "\u{e010}";
    pub const HOME: &str = "\u{e011}";
    pub const LEFT: &str = "\u{e012}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
    pub const DOWN: &str = "\u{e015}";
}

/// How long a page may take for what it has to show.
const PATIENCE: Duration = Duration::from_secs(30);

/// Presses of Tab in one command.
const TABS: usize = 30;

const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// One browser, with a profile of its own. A test that ends without a failure leaves it to a later one.
pub struct Browser {
    process: Option<Process>,
    idle: Idle,
}

/// chromedriver and the Chromium of one session.
struct Process {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

/// Browsers between two tests. They end with the last test that has one: processes of a `static` would outlive the tests.
type Idle = Arc<Mutex<Vec<Process>>>;

fn idle() -> Idle {
    static SHARED: Mutex<Weak<Mutex<Vec<Process>>>> = Mutex::new(Weak::new());
    let mut shared = locked(&SHARED);
    shared.upgrade().unwrap_or_else(|| {
        let idle = Idle::default();
        *shared = Arc::downgrade(&idle);
        idle
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that a variable names, or the first of some names in `PATH`.
fn program(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(variable) {
        return Some(named.into());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

impl Process {
    fn start() -> Option<Process> {
        let chromium = program("ANNALS_CHROMIUM", &["chromium", "chromium-browser", "google-chrome"]);
        let (Some(driver), Some(chromium)) = (program("ANNALS_CHROMEDRIVER", &["chromedriver"]), chromium)
        else {
            let what = "Chromium and chromedriver are not installed; name them in ANNALS_CHROMIUM and ANNALS_CHROMEDRIVER";
            eprintln!("skipped: {what}");
            return None;
        };
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.as_mut().unwrap()).lines().map_while(Result::ok);
        let port = lines
            .find_map(|line| line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse().ok());
        let profile = tempfile::tempdir().unwrap();
        let mut process = Process {
            driver,
            port: port.expect("chromedriver prints its port"),
            session: String::new(),
            _profile: profile,
        };
        let folder = process._profile.path().display().to_string();
        let words = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            // A smooth scroll would still run when the next command acts.
            "--force-prefers-reduced-motion",
        ];
        let words: Vec<String> = words
            .iter()
            .map(|word| (*word).to_owned())
            .chain([format!("--user-data-dir={folder}")])
            .collect();
        let wanted = json!({
            "goog:chromeOptions": { "binary": chromium, "args": words },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        match process.ask("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } })) {
            Ok(session) => process.session = format!("/session/{}", session["sessionId"].as_str().unwrap()),
            Err(error) => {
                assert!(std::env::var_os("ANNALS_CHROMEDRIVER").is_none(), "{error}");
                eprintln!("skipped: Chromium does not start: {error}");
                return None;
            }
        }
        Some(process)
    }

    /// One command; its value, or the message of its error.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(|error| error.to_string())?;
        let body = if method == "POST" { body.to_string() } else { String::new() };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .map_err(|error| error.to_string())?;
        // The driver keeps the connection open, so that the length counts.
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        for line in answer.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
            if let Some(bytes) = line.to_lowercase().strip_prefix("content-length:") {
                length = bytes.trim().parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        answer.read_exact(&mut bytes).map_err(|error| error.to_string())?;
        let value =
            serde_json::from_slice::<Value>(&bytes).map_err(|error| error.to_string())?["value"].take();
        match value["error"].is_string() {
            true => Err(value["message"].to_string()),
            false => Ok(value),
        }
    }
}

impl Browser {
    /// A browser without a page. `None` and a message where none is installed or can run, unless a variable names it.
    pub fn start() -> Option<Browser> {
        let idle = idle();
        let process = locked(&idle).pop();
        let process = process.or_else(Process::start)?;
        Some(Browser { process: Some(process), idle })
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        self.process.as_ref().expect("only a dropped browser has no process").ask(method, path, body)
    }

    fn session(&self) -> &str {
        &self.process.as_ref().expect("only a dropped browser has no process").session
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        let path = format!("{}/{command}", self.session());
        self.ask("POST", &path, body).unwrap_or_else(|message| panic!("{command} {body}: {message}"))
    }

    /// Opens an address; returns when the page and its scripts are loaded.
    pub fn open(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    /// The value of a script, which returns it; `arguments` are its arguments.
    pub fn script(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// The value that a script gives to its last argument, a function; `arguments` are those before it.
    pub fn script_to_end(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("execute/async", &json!({ "script": script, "args": arguments }))
    }

    /// The value of an expression as a text.
    pub fn text(&self, expression: &str) -> String {
        let value = self.script(&format!("return {expression}"), &[]);
        value.as_str().map_or_else(|| value.to_string(), str::to_owned)
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let started = Instant::now();
        while self.script(&format!("return Boolean({expression})"), &[]) != true {
            let shown = || self.text("location.href + ' ' + document.body.innerText.slice(0, 2000)");
            assert!(started.elapsed() < PATIENCE, "never: {expression}\n{}", shown());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses and releases keys one after the other on what has the focus. Shift and Control are held until the end.
    pub fn keys(&self, keys: &str) {
        let mut actions = Vec::new();
        for key in keys.chars() {
            actions.push(json!({ "type": "keyDown", "value": key }));
            if ![key::SHIFT, key::CONTROL].contains(&key) {
                actions.push(json!({ "type": "keyUp", "value": key }));
            }
        }
        for held in [key::SHIFT, key::CONTROL].into_iter().filter(|held| keys.contains(*held)) {
            actions.push(json!({ "type": "keyUp", "value": held }));
        }
        self.post(
            "actions",
            &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }),
        );
    }

    /// Presses Tab up to `most` times on a page, until an expression gives the focused element; gives whether it does. Each
    /// press is a key of its own: the page does not take the presses after the last one.
    pub fn tabs_to(&self, expression: &str, most: usize) -> bool {
        let watch = "window.stop = event => {
            if (event.key === 'Tab' && window.reached) event.preventDefault();
        };
        window.reached = false;
        window.watch = () => { if (document.activeElement === EXPRESSION) window.reached = true; };
        addEventListener('keydown', window.stop, true);
        addEventListener('keyup', window.watch, true);"
            .replace("EXPRESSION", expression);
        self.script(&watch, &[]);
        for _ in 0..most.div_ceil(TABS) {
            self.keys(&key::TAB.repeat(TABS));
            if self.script("return window.reached", &[]) == true {
                break;
            }
        }
        let end = "removeEventListener('keydown', window.stop, true);
            removeEventListener('keyup', window.watch, true);
            return window.reached";
        self.script(end, &[]) == true
    }

    /// Clicks in the middle of the first element that an expression gives, as a pointer does.
    pub fn click(&self, expression: &str) {
        let element = self.script(&format!("return {expression}"), &[]);
        let id = element[ELEMENT].as_str().unwrap_or_else(|| panic!("no element: {expression}"));
        self.post(&format!("element/{id}/click"), &json!({}));
    }

    /// Clicks the first link or button of the content with a text.
    pub fn click_words(&self, words: &str) {
        self.click(&format!(
            "[...document.querySelectorAll('main a, main button, main summary')].find(e => e.textContent.trim() === {})",
            json!(words)
        ));
    }

    /// A command of Chromium's own protocol.
    pub fn chromium(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Shows pages in a window of this size.
    pub fn size(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.chromium("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Shows pages in the `light` or `dark` theme.
    pub fn theme(&self, theme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.chromium("Emulation.setEmulatedMedia", &features);
    }

    /// What the console has shown since the last call.
    pub fn console(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({ "type": "browser" }));
        entries.as_array().unwrap().iter().map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // After a failure the state of the browser is not known.
        if std::thread::panicking() {
            return;
        }
        self.open("about:blank");
        self.chromium("Emulation.clearDeviceMetricsOverride", &json!({}));
        self.chromium("Emulation.setEmulatedMedia", &json!({ "features": [] }));
        self.chromium("Network.clearBrowserCookies", &json!({}));
        self.console();
        locked(&self.idle).extend(self.process.take());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.ask("DELETE", &self.session, &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
