//! Reads a Markdown document as a list of tests: a heading is a test, its fenced blocks are what the test is made of.

/// A heading and what follows it, up to the next heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The heading's text; empty before the first heading.
    pub heading: String,
    /// The heading's line, from 1.
    pub line: usize,
    /// Whether prose stands before the first block: the sentence of intent.
    pub has_intent: bool,
    /// The fenced blocks.
    pub blocks: Vec<Block>,
}

/// A fenced block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The first word after the fence.
    pub language: String,
    /// The other words after the fence: `name=value`, or `name` alone with an empty value.
    pub attributes: Vec<(String, String)>,
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The text between the fences.
    pub text: String,
    /// Whether the closing fence is there.
    pub is_closed: bool,
}

impl Block {
    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// The sections of `document`.
#[must_use]
pub fn sections(document: &str) -> Vec<Section> {
    let mut sections = vec![Section { line: 1, ..Section::default() }];
    let mut open: Option<(String, Block)> = None;
    for (index, line) in document.split_inclusive('\n').enumerate() {
        let number = index + 1;
        let section = sections.last_mut().expect("there is always a section");
        if let Some((fence, block)) = &mut open {
            if line.trim_end() == fence.as_str() {
                block.is_closed = true;
                let (_, block) = open.take().expect("a block is open");
                section.blocks.push(block);
            } else {
                block.text.push_str(line);
            }
        } else if line.starts_with("```") {
            let info = line.trim_start_matches('`');
            let fence = line.get(..line.len() - info.len()).unwrap_or_default().to_owned();
            let mut words = shlex::split(info.trim()).unwrap_or_default().into_iter();
            let language = words.next().unwrap_or_default();
            let attributes = words
                .map(|word| {
                    word.split_once('=')
                        .map_or((word.clone(), String::new()), |(name, value)| (name.to_owned(), value.to_owned()))
                })
                .collect();
            open = Some((fence, Block { language, attributes, line: number, ..Block::default() }));
        } else if line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') {
            let heading = line.trim_start_matches('#').trim().to_owned();
            sections.push(Section { heading, line: number, ..Section::default() });
        } else if !line.trim().is_empty() && section.blocks.is_empty() {
            section.has_intent = true;
        }
    }
    if let (Some((_, block)), Some(section)) = (open, sections.last_mut()) {
        section.blocks.push(block);
    }
    sections
}
