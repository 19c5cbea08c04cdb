//! The one client. It reaches the very addresses that were looked at, follows no redirect to another host, knows no user,
//! and takes no more than it may.

use std::fmt;
use std::io::{self, Read};
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
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
    if url.host_str().is_none_or(str::is_empty) {
        return refused("the address names no host");
    }
    Ok(url)
}

impl Client {
    /// Fetches a page on a thread of its own, for as long as nobody cancels it and its time is not over.
    pub(super) fn fetch(&self, url: Url, time: Option<Duration>, cancel: &Cancel) -> Result<Page, ToolFailure> {
        let until = Instant::now() + time.unwrap_or(LONGEST);
        let (sender, receiver) = channel();
        let client = self.clone();
        // Nobody listens any more if it was cancelled.
        thread::spawn(move || drop(sender.send(client.follow(url, until))));
        loop {
            match receiver.recv_timeout(BEAT) {
                Ok(page) => return page,
                Err(RecvTimeoutError::Disconnected) => return Err(ToolFailure::new("the request has failed")),
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    return Err(ToolFailure::new("it was cancelled"));
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() > until + BEAT => {
                    return Err(ToolFailure::new("its time is over"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn follow(&self, mut url: Url, until: Instant) -> Result<Page, ToolFailure> {
        let mut side_effects = Vec::new();
        for _ in 0..=MOST_REDIRECTS {
            let failed = |message: String, side_effects: &Vec<SideEffect>| ToolFailure {
                message,
                side_effects: side_effects.clone(),
            };
            let answer = self.once(&url, until, &mut side_effects).map_err(|message| failed(message, &side_effects))?;
            match answer {
                Answer::Page { status, content_type, body } => {
                    return Ok(Page { url, status, content_type, body, side_effects });
                }
                Answer::Redirect(to) => {
                    let to = url.join(&to).map_err(|error| failed(error.to_string(), &side_effects))?;
                    if !is_same_host(&url, &to) {
                        let host = to.host_str().unwrap_or_default();
                        let message =
                            format!("it redirects to another host, `{}`, which was not asked for", host.escape_debug());
                        return Err(failed(message, &side_effects));
                    }
                    url = to;
                }
            }
        }
        Err(ToolFailure { message: "it redirects too often".to_owned(), side_effects })
    }

    /// Makes one request.
    fn once(&self, url: &Url, until: Instant, side_effects: &mut Vec<SideEffect>) -> Result<Answer, String> {
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
        let mut response = agent.get(url.as_str()).call().map_err(|error| format!("it cannot be reached: {error}"))?;
        let status = response.status();
        let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (location, content_type) = (text(header::LOCATION), text(header::CONTENT_TYPE).unwrap_or_default());
        let encoded = text(header::CONTENT_ENCODING).filter(|encoding| !encoding.eq_ignore_ascii_case("identity"));
        let redirects = status.is_redirection() && location.is_some();
        let mut body = Vec::new();
        let read = if redirects || encoded.is_some() {
            Ok(0)
        } else {
            response.body_mut().as_reader().take(MOST_BYTES + 1).read_to_end(&mut body)
        };
        side_effects.push(SideEffect::Fetched {
            host: url.host_str().unwrap_or_default().to_owned(),
            address: address.ip().to_string(),
            status: status.as_u16(),
            bytes: body.len() as u64,
        });
        read.map_err(|error| format!("it broke off: {error}"))?;
        if let Some(location) = location.filter(|_| redirects) {
            return Ok(Answer::Redirect(location));
        }
        if encoded.is_some() {
            return Err("it comes packed, though that was not asked for".to_owned());
        }
        if body.len() as u64 > MOST_BYTES {
            return Err(format!("it has more than {MOST_BYTES} bytes"));
        }
        let body = String::from_utf8_lossy(&body).into_owned();
        Ok(Answer::Page { status: status.as_u16(), content_type, body })
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
