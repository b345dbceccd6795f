//! The record of a home as web pages and JSON, on one machine, read-only. Pages are rendered on the server from the same
//! queries and documents as the command line. The address holds all state of a page. The log is opened for reading only.
//!
//! With the feature `flight-sql` the tables are also served as Arrow Flight SQL, on a port of its own.
//!
//! [`serve`] runs the server, and [`serve_witness`] a witness of other logs. [`App::answer`] gives the answer to one request without a network. [`Site`] makes files of the pages.

mod access;
mod address;
mod answers;
mod app;
mod assets;
mod board;
mod connections;
mod failure;
#[cfg(feature = "flight-sql")]
mod flight;
#[cfg(any(feature = "cluster", feature = "flight-sql"))]
mod grpc;
mod kept_of;
mod live;
mod pages;
mod picture;
mod reply;
mod request;
mod respond;
mod shell;
mod site;
mod territory;
mod verified;
mod witness;
#[cfg(feature = "cluster")]
mod worker;

pub use access::Access;
pub use app::{App, Home};
pub use connections::{Addresses, ServeError, Stop, serve};
pub use failure::Failure;
pub use reply::{Page, Reply};
pub use request::{PageRequest, Shape};
pub use site::{MARKER, Moments, Site, SiteError};
pub use witness::serve_witness;
#[cfg(feature = "cluster")]
pub use worker::{Worker, work};
