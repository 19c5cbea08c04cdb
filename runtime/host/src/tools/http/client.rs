//! The one client. It reaches the very addresses that were looked at, follows no redirect to another host, knows no user,
//! and takes no more than it may.

use std::fmt;
use std::io::{self, Read};
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ureq::config::Config;
use ureq::http::{Uri, header};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};
use url::Url;

use super::address::is_public;
use crate::runner::Cancel;
use crate::tools::{SideEffect, ToolFailure};

/// How many redirects are followed, and how long a request takes if nothing else is said.
const MOST_REDIRECTS: usize = 5;
const LONGEST: Duration = Duration::from_secs(30);

/// The most bytes of headers, and of a page.
const MOST_HEADERS: usize = 32 << 10;
const MOST_BYTES: u64 = 4 << 20;

/// How often it is looked whether to go on.
const BEAT: Duration = Duration::from_millis(20);

/// How the name of a host and a port become addresses.
pub type LookUp = Arc<dyn Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync>;

/// What a client may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// What everybody can reach, and nothing of this host and its network.
    #[default]
    Public,
    /// Anything: for an endpoint that the operator names.
    Anywhere,
}

/// A client.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) reach: Reach,
    pub(super) look_up: LookUp,
}

/// A page that came.
pub(super) struct Page {
    /// Where it came from in the end.
    pub(super) url: Url,
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) body: String,
    pub(super) side_effects: Vec<SideEffect>,
}

/// The system's way to look names up.
pub(super) fn system() -> LookUp {
    Arc::new(|host, port| Ok((host, port).to_socket_addrs()?.collect()))
}

/// An address that may be asked for: of the web, of some host, and without a user.
pub(super) fn parsed(text: &str) -> Result<Url, ToolFailure> {
    let url = Url::parse(text).map_err(|error| ToolFailure::new(format!("it is no address: {error}")))?;
    let refused = |reason: &str| Err(ToolFailure::new(reason));
    match url.scheme() {
        "http" | "https" => {}
        _ => return refused("only addresses that begin with http:// or https:// are fetched"),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refused("the address names a user");
    }
    // Whoever decides must read the same host in it, as must whoever reads the decision.
    match url.host_str() {
        None | Some("") => refused("the address names no host"),
        Some(host) if !is_written(text, host) => refused("the address does not name its host plainly"),
        Some(_) => Ok(url),
    }
}

/// Whether a host stands in an address as it is, but for letter case.
fn is_written(address: &str, host: &str) -> bool {
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    let behind = rest.get(..host.len()).filter(|written| written.eq_ignore_ascii_case(host));
    behind.is_some_and(|_| {
        rest.get(host.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/', '?', '#']))
    })
}

impl Client {
    /// Fetches a page on a thread of its own, for as long as nobody cancels it and its time is not over.
    pub(super) fn fetch(&self, url: Url, time: Option<Duration>, cancel: &Cancel) -> Result<Page, ToolFailure> {
        let until = Instant::now() + time.unwrap_or(LONGEST);
        let (sender, receiver) = channel();
        let (client, reached) = (self.clone(), Reached::default());
        let followed = reached.clone();
        // Nobody listens any more if it was cancelled.
        thread::spawn(move || drop(sender.send(client.follow(url, until, &followed))));
        let ended = loop {
            match receiver.recv_timeout(BEAT) {
                Ok(ended) => break ended,
                Err(RecvTimeoutError::Disconnected) => break Err("the request has failed".to_owned()),
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => break Err("it was cancelled".to_owned()),
                Err(RecvTimeoutError::Timeout) if Instant::now() > until + BEAT => {
                    break Err("its time is over".to_owned());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let side_effects = reached.so_far();
        match ended {
            Ok(page) => Ok(Page { side_effects, ..page }),
            Err(message) => Err(ToolFailure { message, side_effects }),
        }
    }

    fn follow(&self, mut url: Url, until: Instant, reached: &Reached) -> Result<Page, String> {
        for _ in 0..=MOST_REDIRECTS {
            match self.once(&url, until, reached)? {
                Answer::Page { status, content_type, body } => {
                    return Ok(Page { url, status, content_type, body, side_effects: Vec::new() });
                }
                Answer::Redirect(to) => {
                    let to = url.join(&to).map_err(|error| error.to_string())?;
                    if !is_same_host(&url, &to) {
                        let host = to.host_str().unwrap_or_default().escape_debug().to_string();
                        return Err(format!("it redirects to another host, `{host}`, which was not asked for"));
                    }
                    url = to;
                }
            }
        }
        Err("it redirects too often".to_owned())
    }

    /// Makes one request.
    fn once(&self, url: &Url, until: Instant, reached: &Reached) -> Result<Answer, String> {
        let address = self.address(url)?;
        let left = until.saturating_duration_since(Instant::now());
        let config = Config::builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .user_agent("policyc")
            .accept_encoding("identity")
            .max_response_header_size(MOST_HEADERS)
            .timeout_global(Some(left))
            .build();
        let agent = Agent::with_parts(config, DefaultConnector::default(), Checked(address));
        let host = url.host_str().unwrap_or_default();
        // Whatever comes of it, the host may have been reached.
        reached.asks(host, address);
        let mut response = agent.get(url.as_str()).call().map_err(|error| format!("it cannot be reached: {error}"))?;
        let status = response.status().as_u16();
        let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (location, content_type) = (text(header::LOCATION), text(header::CONTENT_TYPE).unwrap_or_default());
        let encoded = text(header::CONTENT_ENCODING).filter(|encoding| !encoding.eq_ignore_ascii_case("identity"));
        if let Some(location) = location.filter(|_| response.status().is_redirection()) {
            reached.answered(status, 0);
            return Ok(Answer::Redirect(location));
        }
        if encoded.is_some() {
            reached.answered(status, 0);
            return Err("it comes packed, though that was not asked for".to_owned());
        }
        let mut body = Vec::new();
        let read = response.body_mut().as_reader().take(MOST_BYTES + 1).read_to_end(&mut body);
        reached.answered(status, body.len() as u64);
        read.map_err(|error| format!("it broke off: {error}"))?;
        if body.len() as u64 > MOST_BYTES {
            return Err(format!("it has more than {MOST_BYTES} bytes"));
        }
        Ok(Answer::Page { status, content_type, body: String::from_utf8_lossy(&body).into_owned() })
    }

    /// The address of a host, which must be one that may be reached; so must all others that the host has.
    fn address(&self, url: &Url) -> Result<SocketAddr, String> {
        let port = url.port_or_known_default().ok_or("the address names no port")?;
        let addresses = match url.host() {
            Some(url::Host::Ipv4(address)) => vec![SocketAddr::new(address.into(), port)],
            Some(url::Host::Ipv6(address)) => vec![SocketAddr::new(address.into(), port)],
            Some(url::Host::Domain(name)) => {
                (self.look_up)(name, port).map_err(|error| format!("its host cannot be found: {error}"))?
            }
            None => Vec::new(),
        };
        let refused = |address: &SocketAddr| self.reach == Reach::Public && !is_public(address.ip());
        if let Some(address) = addresses.iter().find(|address| refused(address)) {
            return Err(format!("its host is at {}, which not everybody can reach", address.ip()));
        }
        addresses.first().copied().ok_or_else(|| "its host has no address".to_owned())
    }
}

/// The hosts that were reached so far, each with what it answered: status 0 if it has not.
#[derive(Clone, Default)]
struct Reached(Arc<Mutex<Vec<SideEffect>>>);

impl Reached {
    fn asks(&self, host: &str, address: SocketAddr) {
        let (host, address) = (host.to_owned(), address.ip().to_string());
        self.all().push(SideEffect::Fetched { host, address, status: 0, bytes: 0 });
    }

    fn answered(&self, now: u16, came: u64) {
        if let Some(SideEffect::Fetched { status, bytes, .. }) = self.all().last_mut() {
            (*status, *bytes) = (now, came);
        }
    }

    fn so_far(&self) -> Vec<SideEffect> {
        self.all().clone()
    }

    fn all(&self) -> MutexGuard<'_, Vec<SideEffect>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came of one request.
enum Answer {
    Page { status: u16, content_type: String, body: String },
    Redirect(String),
}

/// Whether a redirect stays with its host; it may go over to the safe scheme, and not back.
fn is_same_host(from: &Url, to: &Url) -> bool {
    let safer = from.scheme() == "http" && to.scheme() == "https" && from.port().is_none() && to.port().is_none();
    let same = from.scheme() == to.scheme() && from.port_or_known_default() == to.port_or_known_default();
    to.username().is_empty() && to.password().is_none() && from.host() == to.host() && (same || safer)
}

/// The address that was looked at, whatever the name stands for by now.
struct Checked(SocketAddr);

impl Resolver for Checked {
    fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let mut addresses = self.empty();
        addresses.push(self.0);
        Ok(addresses)
    }
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
