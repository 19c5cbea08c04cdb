//! A page of the web as text: Markdown, its title, and its links.

use std::rc::Rc;

use htmd::{HtmlToMarkdown, Node};
use markup5ever_rcdom::NodeData;
use url::Url;

/// How many elements of a page may be open at once, and how many times they may be looked at while its tags are read: a
/// page that asks for more is taken for plain text, for what reads it would take too long, or too much memory.
const MOST_OPEN: usize = 256;
const MOST_LOOKS: usize = 4_000_000;

/// Elements that end by themselves, or hold nothing.
const SELF_ENDING: [&str; 32] = [
    "area", "base", "body", "br", "col", "colgroup", "dd", "dt", "embed", "head", "hr", "html", "img", "input", "li",
    "link", "meta", "optgroup", "option", "p", "param", "rp", "rt", "source", "tbody", "td", "tfoot", "th", "thead",
    "tr", "track", "wbr",
];

/// How many links are told.
const MOST_LINKS: usize = 1_000;

/// What holds no text for people.
const SILENT: [&str; 6] = ["script", "style", "noscript", "template", "svg", "head"];

/// A page that was read.
pub(super) struct Document {
    tree: Rc<Node>,
    reader: HtmlToMarkdown,
}

impl Document {
    pub(super) fn new(html: &str) -> std::io::Result<Self> {
        let reader = HtmlToMarkdown::builder().skip_tags(SILENT.to_vec()).build();
        let tree = if is_tame(html) { reader.html_to_tree(html) } else { reader.html_to_tree(&escaped(html)) };
        Ok(Self { tree: tree?, reader })
    }

    /// What stands in the page, as Markdown.
    pub(super) fn markdown(&self) -> String {
        self.reader.tree_to_markdown(&self.tree)
    }

    /// What the page calls itself.
    pub(super) fn title(&self) -> Option<String> {
        let title = self.nodes().find(|node| name(node) == Some("title"))?;
        let text = title.children.borrow().iter().filter_map(|child| text(child)).collect::<String>();
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Where the page leads: each address once, with what stands there.
    pub(super) fn links(&self, base: &Url) -> Vec<(String, String)> {
        let mut links: Vec<(String, String)> = Vec::new();
        for node in self.nodes().filter(|node| name(node) == Some("a")) {
            let NodeData::Element { attrs, .. } = &node.data else { continue };
            let href =
                attrs.borrow().iter().find(|attr| &*attr.name.local == "href").map(|attr| attr.value.to_string());
            let Some(to) = href.and_then(|href| base.join(&href).ok()) else { continue };
            let to = to.to_string();
            if links.len() < MOST_LINKS && !links.iter().any(|(known, _)| *known == to) {
                let inner = Nodes(vec![Rc::clone(&node)]);
                let said: String = inner.filter_map(|node| text(&node)).collect();
                links.push((to, said.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
        }
        links
    }

    fn nodes(&self) -> Nodes {
        Nodes(vec![Rc::clone(&self.tree)])
    }
}

/// The nodes of a tree, in order.
struct Nodes(Vec<Rc<Node>>);

impl Iterator for Nodes {
    type Item = Rc<Node>;

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.0.pop()?;
        self.0.extend(node.children.borrow().iter().rev().cloned());
        Some(node)
    }
}

/// Whether a page opens few enough elements without ending them.
fn is_tame(html: &str) -> bool {
    let (mut open, mut most, mut tags) = (0_usize, 0, 0_usize);
    for rest in html.split('<').skip(1) {
        let length = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default().to_ascii_lowercase();
        if rest.starts_with('/') {
            open = open.saturating_sub(1);
        } else if !name.is_empty() && !SELF_ENDING.contains(&&*name) {
            open += 1;
            most = most.max(open);
        }
        tags += 1;
    }
    most <= MOST_OPEN && tags.saturating_mul(most) <= MOST_LOOKS
}

/// A page whose tags are no tags.
fn escaped(html: &str) -> String {
    html.replace('&', "&amp;").replace('<', "&lt;")
}

/// The name of an element.
fn name(node: &Node) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        _ => None,
    }
}

fn text(node: &Node) -> Option<String> {
    match &node.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::Document;

    fn read(html: &str) -> Document {
        Document::new(html).expect("a text can be read")
    }

    #[test]
    fn pages_are_written_as_markdown() {
        let page = read(
            "<title> A\n page</title><script>x()</script><h1>Hello</h1><p>a <b>bold</b> <a href='/x'>link</a></p>",
        );
        assert_eq!(page.title().as_deref(), Some("A page"));
        assert_eq!(page.markdown().trim(), "# Hello\n\na **bold** [link](/x)");
        let base = Url::parse("https://example.org/a/").expect("an address");
        assert_eq!(page.links(&base), [("https://example.org/x".to_owned(), "link".to_owned())]);
    }

    #[test]
    fn pages_that_ask_for_too_much_are_taken_for_text() {
        for part in ["<div>", "<b id=1><p>", "<a href=x><table>", "</p>", "<svg><x>", "<!--", "<p", "<li><ul>"] {
            let page = read(&part.repeat(100_000));
            assert!(page.markdown().len() < 4_000_000, "{part}");
        }
        assert!(read(&"<b>x</b><p>y".repeat(10_000)).markdown().starts_with("**x**"));
        assert_eq!(read("").markdown(), "");
    }
}
