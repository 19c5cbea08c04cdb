//! The pages of the shipped profiles say what their matrix prints, cell by cell.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::run;

/// What the tables of the pages say: the kind and name of each row, and the profile, with the decision.
type Cells = BTreeMap<(String, String, String), String>;

fn stated(page: &str, cells: &mut Cells) {
    let mut header: Option<Vec<String>> = None;
    for line in page.lines() {
        let Some(row) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else {
            header = None;
            continue;
        };
        let row: Vec<String> = row.split(" | ").map(|cell| cell.trim_matches('`').to_owned()).collect();
        match &header {
            None => header = Some(row),
            Some(header) if ["effect", "tool"].contains(&header[0].as_str()) && row[0] != "---" => {
                for (profile, decision) in header.iter().zip(&row).skip(1) {
                    let cell = (header[0].clone(), row[0].clone(), profile.clone());
                    assert!(cells.insert(cell, decision.clone()).is_none(), "{line} is said twice");
                }
            }
            Some(_) => {}
        }
    }
}

fn printed(folder: &Path) -> Cells {
    let ran = run(folder, "matrix . --format json").ends_with(0);
    let matrix: Value = serde_json::from_str(&ran.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut cells = Cells::new();
    for (kind, part) in [("effect", "capabilities"), ("tool", "tools")] {
        for row in matrix[part].as_array().unwrap() {
            let decisions = row["decisions"].as_array().unwrap();
            for (profile, decision) in matrix["profiles"].as_array().unwrap().iter().zip(decisions) {
                cells.insert((kind.to_owned(), text(&row["name"]), text(profile)), text(decision));
            }
        }
    }
    cells
}

#[test]
fn the_matrix_prints_what_the_pages_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stdlib-policies/profiles");
    let mut said = Cells::new();
    for page in ["profiles.md", "files.md", "operations.md", "web.md"] {
        stated(&std::fs::read_to_string(folder.join(page)).unwrap(), &mut said);
    }
    let printed = printed(&folder);
    for (cell, decision) in &printed {
        assert_eq!(said.get(cell).map_or("forbidden", String::as_str), decision, "{cell:?}");
    }
    let unknown: Vec<_> = said.keys().filter(|cell| !printed.contains_key(*cell)).collect();
    assert!(unknown.is_empty(), "only the pages have {unknown:?}");
    assert!(printed.len() > 300, "the matrix has {} cells", printed.len());
}
