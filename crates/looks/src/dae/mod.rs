//! COLLADA: triangles, colours and pictures of its scene.
//!
//! As RViz and other readers of URDFs do, the unit is applied and the axis that it calls up is not: authors of URDFs
//! have turned their visuals by what they saw there.

mod geometry;
mod material;
mod scene;

use std::collections::BTreeMap;

use roxmltree::{Document, Node, ParsingOptions};

use crate::allowed::Beside;
use crate::soup::{LookError, Soup, damaged};

/// A file of that many elements takes a gigabyte before anything of it is understood.
const MOST_ELEMENTS: u32 = 1_000_000;

pub(crate) fn read(bytes: &[u8], beside: &Beside) -> Result<Soup, LookError> {
    let text = String::from_utf8_lossy(bytes);
    let options = ParsingOptions { nodes_limit: MOST_ELEMENTS, ..ParsingOptions::default() };
    let parsed = Document::parse_with_options(text.trim_start_matches('\u{feff}'), options);
    let document = parsed.map_err(|error| damaged("COLLADA", error.to_string()))?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(damaged("COLLADA", format!("the outermost element is <{}>", root.tag_name().name())));
    }
    let ids = root.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    scene::gathered(root, &Ids(ids), beside)
}

/// What an element with an `id` is referred to by.
struct Ids<'a, 'i>(BTreeMap<&'a str, Node<'a, 'i>>);

impl<'a, 'i> Ids<'a, 'i> {
    fn of(&self, url: Option<&str>) -> Option<Node<'a, 'i>> {
        let url = url?;
        self.0.get(url.strip_prefix('#').unwrap_or(url)).copied()
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

fn children<'a, 'i>(node: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

/// As many numbers as there are; none where one of them is no number.
fn numbers<T: std::str::FromStr>(node: Node) -> Option<Vec<T>> {
    node.text().unwrap_or_default().split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}
