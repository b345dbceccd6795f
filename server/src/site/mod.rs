//! A site: the pages of tournaments as files, each rendered as the server renders it, with links between files. It is made of
//! the log alone, so that the same log gives the same files.

mod files;
mod links;
mod plan;

use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::PathBuf;

use annals_replay::subject::find_tournament;
use annals_store::{Head, Log};
use axum::http::HeaderMap;
use serde_json::json;

use crate::app::{CancelSlot, Context};
use crate::request::Shape;
use crate::shell::Place;
use crate::{App, Failure, Home, PageRequest, Reply, assets, pages, shell};
use files::Files;
pub use plan::{Chapter, Plan, text};

/// The file by which a folder is known as a site.
pub const MARKER: &str = "annals-site.json";

/// The points in time of a tournament at which its pages are written, as well as now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moments {
    /// The end of each round, and for the standings each time at which an event happened or was recorded.
    All,
    /// The end of each round.
    Rounds,
    None,
}

#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("{}", .0.error)]
    Page(Failure),
    #[error("cannot write the site")]
    System(#[from] io::Error),
}

impl From<Failure> for SiteError {
    fn from(failure: Failure) -> SiteError {
        SiteError::Page(failure)
    }
}

pub struct Site {
    app: App,
    plan: Plan,
    head: Head,
    /// Their names.
    pub tournaments: Vec<String>,
}

impl Site {
    /// The site of tournaments of a log, of all if none is named. Verifies the log.
    ///
    /// # Errors
    /// If the log is missing or damaged, or has no such tournament.
    pub fn of(log: PathBuf, tournaments: &[String], moments: Moments) -> Result<Site, Failure> {
        // Without a dataset: what is published depends on the log only.
        let none = PathBuf::new();
        let app = App::for_files(Home { log, dataset: none.clone().into(), spill: none, memory: 0 });
        let log = app.log()?;
        let mut streams = match tournaments {
            [] => log.streams(Some("tournament"))?.into_iter().map(|stream| stream.name).collect(),
            names => names.iter().map(|name| find_tournament(&log, name)).collect::<Result<Vec<_>, _>>()?,
        };
        streams.sort();
        streams.dedup();
        if streams.is_empty() {
            return Err(Failure::not_found("the log has no tournament"));
        }
        let plan = Plan::of(&log, &streams, moments)?;
        let head = App::head(&log)?;
        drop(log);
        let tournaments = streams.iter().map(|stream| stream.name().to_owned()).collect();
        Ok(Site { app, plan, head, tournaments })
    }

    /// Makes every file and passes it on with its path; `tick` gets how many pages are done, and how many are known. Gives
    /// the number of files.
    ///
    /// # Errors
    /// If the log cannot be read, or `put` fails.
    pub fn write(
        &self,
        mut put: impl FnMut(&str, &[u8]) -> io::Result<()>,
        mut tick: impl FnMut(u64, u64),
    ) -> Result<usize, SiteError> {
        let log = self.app.log()?;
        let mut crawl = Crawl {
            plan: &self.plan,
            log: &log,
            files: Files::default(),
            seen: HashSet::new(),
            queue: VecDeque::new(),
        };
        crawl.target("/", "");
        let (mut done, mut files) = (0, 0);
        while let Some((request, stem)) = crawl.queue.pop_front() {
            let context = Context::new(&self.app, &request, CancelSlot::default(), Some(&self.plan));
            for (path, bytes) in crawl.files_of(&request, &stem, pages::answer(&context))? {
                put(&path, &bytes)?;
                files += 1;
            }
            done += 1;
            tick(done, done + crawl.queue.len() as u64);
        }
        for name in assets::NAMES {
            let (_, bytes) = assets::asset(name).expect("the list of assets names assets");
            put(&format!("assets/{name}"), bytes)?;
        }
        put("receipt.txt", format!("{}\n", self.head).as_bytes())?;
        let files = files + assets::NAMES.len() + 2;
        let marker = json!({
            "program": annals_events::PROGRAM,
            "receipt": self.head.to_string(),
            "tournaments": self.tournaments,
            "files": files,
        });
        put(MARKER, format!("{marker:#}\n").as_bytes())?;
        Ok(files)
    }
}

/// The pages that links have led to, in the order of the links.
struct Crawl<'a> {
    plan: &'a Plan,
    log: &'a Log,
    files: Files,
    seen: HashSet<String>,
    queue: VecDeque<(PageRequest, String)>,
}

impl Crawl<'_> {
    /// The file of an address, as a path from the file `from`; none if the site does not have it.
    fn target(&mut self, address: &str, from: &str) -> Option<String> {
        if address.starts_with("/assets/") || address == "/receipt.txt" {
            return Some(links::relative(from, address.trim_start_matches('/')));
        }
        let read = PageRequest::read(&address.parse().ok()?, &HeaderMap::new()).ok()?;
        let mut request = self.plan.find(self.log, &read)?;
        let stem = self.files.stem(&request);
        let file = format!("{stem}.{}", request.shape.ending());
        // The JSON of a page is made with the page; of a proof there is only the JSON.
        if request.shape == Shape::Json && request.path.get(2).is_none_or(|part| part != "proof") {
            request.shape = Shape::Html;
        }
        if self.seen.insert(format!("{stem}.{}", request.shape.ending())) {
            self.queue.push_back((request, stem));
        }
        Some(links::relative(from, &file))
    }

    fn files_of(
        &mut self,
        request: &PageRequest,
        stem: &str,
        answered: Result<Reply, Failure>,
    ) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let own = format!("{stem}.{}", request.shape.ending());
        let (html, json) = match answered {
            Ok(Reply::Page(page)) => {
                let json = serde_json::to_vec(&page.json)?;
                if request.shape == Shape::Json {
                    return Ok(vec![(own, json)]);
                }
                (shell::page(request, &page, Place::Site), json)
            }
            Ok(Reply::File { bytes, .. }) => return Ok(vec![(own, bytes)]),
            // What cannot be explained has a page that states why.
            Err(failure) if failure.status < 500 && request.shape == Shape::Html => {
                (shell::failure(request, &failure, Place::Site), serde_json::to_vec(&failure)?)
            }
            Err(failure) if failure.status < 500 => return Ok(vec![(own, failure.error.into_bytes())]),
            Err(failure) => return Err(failure),
            Ok(Reply::Moved(address)) => return Err(Failure::new(500, format!("a page moved to {address}"))),
        };
        let linked = links::linked(&html, |address| self.target(address, &own));
        Ok(vec![(own, linked.into_bytes()), (format!("{stem}.json"), json)])
    }
}
