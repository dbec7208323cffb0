//! How much an MJCF file of the user's own becomes, counted before MuJoCo is given it: a few letters of `replicate` would
//! keep it busy for hours.

use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};

/// Bodies, geoms, joints and whatever else stands in the world, with every copy.
const MOST_ELEMENTS: u64 = 20_000;
/// Elements in each other, and files that name each other.
const MOST_DEPTH: usize = 100;
const MOST_FILES_DEEP: usize = 8;
const MOST_BYTES: u64 = 64 << 20;
/// Of one height field or one texture.
const MOST_POINTS: u64 = 16 << 20;

/// What is wrong with a file, as far as it matters before it is compiled: what is no MJCF is told by MuJoCo.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let elements = of_file(path, 0)?;
    if elements > MOST_ELEMENTS {
        return Err(format!(
            "it makes {} bodies, geoms and the like, with every copy that `replicate` and its kind ask for; at most \
             {MOST_ELEMENTS} are taken: lower their `count`",
            if elements == u64::MAX { "endlessly many".to_owned() } else { elements.to_string() }
        ));
    }
    Ok(())
}

fn of_file(path: &Path, files_deep: usize) -> Result<u64, String> {
    let name = path.display();
    if files_deep > MOST_FILES_DEEP {
        return Err(format!("{name}: files name each other more than {MOST_FILES_DEEP} deep"));
    }
    let bytes = std::fs::metadata(path).map_err(|error| format!("{name}: {error}"))?.len();
    if bytes > MOST_BYTES {
        return Err(format!("{name}: {} MB; at most {} are read", bytes >> 20, MOST_BYTES >> 20));
    }
    let text = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let text = String::from_utf8_lossy(&text);
    if nesting(&text) > MOST_DEPTH {
        return Err(format!("{name}: elements in each other more than {MOST_DEPTH} deep"));
    }
    // MuJoCo reads what this reader does not, and tells what it does not read.
    let Ok(document) = Document::parse(&text) else { return Ok(0) };
    let folder = path.parent().unwrap_or(Path::new(""));
    let models: Vec<(&str, PathBuf)> = (document.descendants().filter(|node| node.has_tag_name("model")))
        .filter_map(|model| {
            let file = model.attribute("file")?;
            Some((model.attribute("name").unwrap_or(file), folder.join(file)))
        })
        .collect();
    of_node(document.root_element(), &Around { folder, models: &models, files_deep })
}

/// At most this deep; more for what is not closed.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (at, _) in text.match_indices('<') {
        let rest = &text[at + 1..];
        match rest.bytes().next() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) => {
                let end = rest.find('>').unwrap_or(rest.len());
                if !rest[..end].ends_with('/') {
                    depth += 1;
                    deepest = deepest.max(depth);
                }
            }
        }
    }
    deepest
}

struct Around<'a> {
    folder: &'a Path,
    /// By name.
    models: &'a [(&'a str, PathBuf)],
    files_deep: usize,
}

fn of_node(node: Node, around: &Around) -> Result<u64, String> {
    let mut sum = 1_u64;
    for child in node.children().filter(Node::is_element) {
        sum = sum.saturating_add(of_node(child, around)?);
    }
    match node.tag_name().name() {
        "include" => {
            if let Some(file) = node.attribute("file") {
                sum = sum.saturating_add(of_file(&around.folder.join(file), around.files_deep + 1)?);
            }
        }
        "attach" => {
            let named = |(name, _): &&(&str, PathBuf)| Some(*name) == node.attribute("model");
            if let Some((_, file)) = around.models.iter().find(named) {
                sum = sum.saturating_add(of_file(file, around.files_deep + 1)?);
            }
        }
        "hfield" => has_room(node, ["nrow", "ncol"])?,
        "texture" => has_room(node, ["width", "height"])?,
        "replicate" | "composite" | "flexcomp" => sum = sum.saturating_mul(copies(node.attribute("count"))),
        _ => {}
    }
    Ok(sum)
}

/// MuJoCo takes the memory for all of them at once, and ends the program where there is not enough.
fn has_room(node: Node, sides: [&str; 2]) -> Result<(), String> {
    let points = sides.map(|side| copies(node.attribute(side))).into_iter().fold(1, u64::saturating_mul);
    if points > MOST_POINTS {
        let [first, second] = sides;
        return Err(format!(
            "a `{}` has {points} points; at most {MOST_POINTS} are taken: lower `{first}` or `{second}`",
            node.tag_name().name()
        ));
    }
    Ok(())
}

/// Of one or several counts, along one axis each. What is no number is told by MuJoCo.
fn copies(counts: Option<&str>) -> u64 {
    let counts = counts.unwrap_or("1").split_whitespace();
    let count = |text: &str| text.parse::<f64>().map_or(1, |count| count.max(1.0) as u64);
    counts.map(count).fold(1, u64::saturating_mul)
}
