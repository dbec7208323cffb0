//! The tree of a file as a picture, for pages and talks.

use std::fmt::Write as _;

use model::{Catalogue, Definition, Node, NodeId, Role};

/// More rows than these nobody takes in: what lies deepest is told by its number only.
const MOST_ROWS: usize = 70;
const ROW_PX: usize = 20;
const INDENT_PX: usize = 18;
const LETTER_PX: usize = 7;
const MARGIN_PX: usize = 10;

const STYLE: &str = "text { font: 12px sans-serif; fill: #222; } .kind { fill: #777; } .more { fill: #777; font-style: italic; } \
                     path { fill: none; stroke: #bbb; } .sequence { fill: #5b7fb5; } .fallback { fill: #c8873a; } \
                     .skill { fill: #8a5fb0; } .step { fill: #4a9c5d; } .composite { fill: #b5485d; }";

struct Row {
    depth: usize,
    text: String,
    kind: String,
    role: &'static str,
    hidden: usize,
}

/// Skills that it uses are one row each.
pub fn picture(tree: &Definition, catalogue: &Catalogue) -> String {
    let deepest = (1..).find(|depth| {
        let next = rows(tree, catalogue, depth + 1).len();
        next > MOST_ROWS || next == rows(tree, catalogue, *depth).len()
    });
    drawn(&rows(tree, catalogue, deepest.unwrap_or(1)))
}

fn rows(tree: &Definition, catalogue: &Catalogue, deepest: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut left = vec![(tree.root, 0)];
    while let Some((id, depth)) = left.pop() {
        let node = tree.node(id);
        let folded = depth == deepest;
        let hidden = if folded { below(tree, id) } else { 0 };
        rows.push(row(node, catalogue, depth, hidden));
        if !folded {
            left.extend(node.children.iter().rev().map(|child| (*child, depth + 1)));
        }
    }
    rows
}

fn below(tree: &Definition, id: NodeId) -> usize {
    tree.node(id).children.iter().map(|child| 1 + below(tree, *child)).sum()
}

fn row(node: &Node, catalogue: &Catalogue, depth: usize, hidden: usize) -> Row {
    let role = match catalogue.role(&node.kind) {
        Some(Role::Sequence) => "sequence",
        Some(Role::Fallback) => "fallback",
        Some(Role::Skill) => "skill",
        Some(Role::Composite) => "composite",
        Some(Role::Step) | None => "step",
    };
    let text = node.label().replace(['\n', '\r'], " ");
    let kind = if text == *node.kind { String::new() } else { node.kind.to_string() };
    Row { depth, text, kind, role, hidden }
}

fn drawn(rows: &[Row]) -> String {
    let letters = |row: &Row| row.text.chars().count() + row.kind.chars().count() + 16;
    let across = |row: &Row| row.depth * INDENT_PX + letters(row) * LETTER_PX;
    let width = rows.iter().map(across).max().unwrap_or(0) + 2 * MARGIN_PX;
    let height = rows.len() * ROW_PX + 2 * MARGIN_PX;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"><style>{STYLE}</style><rect width="100%" height="100%" fill="white"/>"#
    );
    for (index, row) in rows.iter().enumerate() {
        svg.push('\n');
        svg += &branch(rows, index);
        let (x, middle) = (MARGIN_PX + row.depth * INDENT_PX, middle(index));
        let (top, baseline, text_x) = (middle - 5, middle + 4, x + 16);
        let _ = write!(svg, r#"<rect class="{}" x="{x}" y="{top}" width="10" height="10" rx="2"/>"#, row.role);
        let _ = write!(svg, r#"<text x="{text_x}" y="{baseline}">{}"#, trial::escaped(&row.text));
        if !row.kind.is_empty() {
            let _ = write!(svg, r#" <tspan class="kind" dx="6">{}</tspan>"#, trial::escaped(&row.kind));
        }
        if row.hidden > 0 {
            let _ = write!(svg, r#" <tspan class="more" dx="6">and {} below</tspan>"#, row.hidden);
        }
        svg += "</text>";
    }
    svg += "\n</svg>\n";
    svg
}

fn middle(index: usize) -> usize {
    MARGIN_PX + index * ROW_PX + ROW_PX / 2
}

/// From the parent down and to this row.
fn branch(rows: &[Row], index: usize) -> String {
    let depth = rows[index].depth;
    let Some(parent) = rows[..index].iter().rposition(|row| row.depth < depth) else { return String::new() };
    let x = MARGIN_PX + (depth - 1) * INDENT_PX + 5;
    format!(r#"<path d="M{x} {} V{} H{}"/>"#, middle(parent) + 5, middle(index), x + INDENT_PX - 5)
}
