//! The web, through one client. Whatever it brings, nobody vouches for.

mod address;
mod client;
mod page;

use serde_json::{Value, json};
pub use url::Url;

use self::client::{Client, Page, parsed, system};
use self::page::Document;
use super::{Call, Output, Registry, RegistryProblem, Tool, ToolFailure};

pub use client::{LookUp, Reach};

/// The longest question to a search engine, in bytes, and how many answers are told.
const LONGEST_QUERY: usize = 1_000;
const MOST_ANSWERS: usize = 20;

/// How the web is reached.
#[derive(Clone)]
pub struct Web {
    /// What tools may reach.
    pub reach: Reach,
    /// How the names of hosts become addresses.
    pub look_up: LookUp,
    /// The endpoint of a SearXNG instance, wherever it is; there is no search without one.
    pub search: Option<Url>,
}

impl Default for Web {
    fn default() -> Self {
        Self { reach: Reach::Public, look_up: system(), search: None }
    }
}

/// Adds the tools.
///
/// # Errors
/// When one of their names is taken, or the host has started.
pub fn register(registry: &mut Registry, web: &Web) -> Result<(), RegistryProblem> {
    let client = Client { reach: web.reach, look_up: web.look_up.clone() };
    let fetch = |names, tell| Fetch { names, tell, client: client.clone() };
    registry.add(fetch(&["http.fetch"], as_it_is))?;
    registry.add(fetch(&["browser.navigate"], title))?;
    registry.add(fetch(&["browser.read", "web.fetch"], markdown))?;
    registry.add(fetch(&["browser.links"], links))?;
    if let Some(endpoint) = &web.search {
        let client = Client { reach: Reach::Anywhere, look_up: web.look_up.clone() };
        registry.add(Search { endpoint: endpoint.clone(), client })?;
    }
    Ok(())
}

/// Fetches a page, and tells something of it.
struct Fetch {
    names: &'static [&'static str],
    tell: fn(&Page) -> Result<Value, ToolFailure>,
    client: Client,
}

impl Tool for Fetch {
    fn names(&self) -> &[&'static str] {
        self.names
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let url = parsed(call.text("url").unwrap_or_default())?;
        let page = self.client.fetch(url, call.limits.time, call.cancel)?;
        let mut content =
            (self.tell)(&page).map_err(|failure| ToolFailure { side_effects: page.side_effects.clone(), ..failure })?;
        if let Some(content) = content.as_object_mut() {
            content.insert("url".to_owned(), json!(page.url.as_str()));
            content.insert("status".to_owned(), json!(page.status));
        }
        Ok(Output { content, low_trust: true, side_effects: page.side_effects })
    }
}

fn as_it_is(page: &Page) -> Result<Value, ToolFailure> {
    Ok(json!({ "contentType": page.content_type, "body": page.body }))
}

fn title(page: &Page) -> Result<Value, ToolFailure> {
    Ok(json!({ "title": document(page)?.title() }))
}

fn markdown(page: &Page) -> Result<Value, ToolFailure> {
    let is_html = page.content_type.contains("html") || page.content_type.is_empty();
    if is_html {
        let document = document(page)?;
        Ok(json!({ "title": document.title(), "markdown": document.markdown() }))
    } else {
        Ok(json!({ "markdown": page.body }))
    }
}

fn links(page: &Page) -> Result<Value, ToolFailure> {
    let links = document(page)?.links(&page.url);
    let links: Vec<_> = links.into_iter().map(|(url, text)| json!({ "url": url, "text": text })).collect();
    Ok(json!({ "links": links }))
}

fn document(page: &Page) -> Result<Document, ToolFailure> {
    Ok(Document::new(&page.body)?)
}

/// Asks a search engine.
struct Search {
    endpoint: Url,
    client: Client,
}

impl Tool for Search {
    fn names(&self) -> &[&'static str] {
        &["web.search"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let query = call.text("query").unwrap_or_default().trim();
        if query.is_empty() || query.len() > LONGEST_QUERY {
            return Err(ToolFailure::new(format!(
                "a query has at least one letter, and at most {LONGEST_QUERY} bytes"
            )));
        }
        let mut url = self.endpoint.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push("search");
        }
        url.query_pairs_mut().clear().append_pair("q", query).append_pair("format", "json");
        let page = self.client.fetch(url, call.limits.time, call.cancel)?;
        let failed =
            |message: &str| ToolFailure { message: message.to_owned(), side_effects: page.side_effects.clone() };
        if page.status != 200 {
            return Err(failed(&format!("the search engine answered with status {}", page.status)));
        }
        let answer: Value =
            serde_json::from_str(&page.body).map_err(|_| failed("the search engine answered no JSON"))?;
        let results = answer.get("results").and_then(Value::as_array);
        let results = results.ok_or_else(|| failed("the search engine answered without results"))?;
        let text = |result: &Value, key: &str| result.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let told = results.iter().take(MOST_ANSWERS).map(|result| {
            json!({ "title": text(result, "title"), "url": text(result, "url"), "text": text(result, "content") })
        });
        let content = json!({ "results": told.collect::<Vec<_>>() });
        Ok(Output { content, low_trust: true, side_effects: page.side_effects.clone() })
    }
}
