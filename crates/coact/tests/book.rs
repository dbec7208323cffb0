//! `docs/` is one book: its index has every page once and in order, each page leads to its neighbours, and no link and no
//! picture leads nowhere.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use common::{files_under, pages, root};

const PARTS: [&str; 7] = ["Start", "Author", "Run", "Bring your robot", "Reference", "Behaviors", "Figures"];

struct Link {
    text: String,
    target: String,
    is_picture: bool,
}

/// Outside of code.
fn prose(text: &str) -> String {
    let mut inside = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if !inside {
            prose.extend(line.split('`').step_by(2));
            prose.push('\n');
        }
    }
    prose
}

fn links(text: &str) -> Vec<Link> {
    let prose = prose(text);
    let link = |(at, _): (usize, &str)| {
        let opens = prose[..at].rfind('[')?;
        let target = prose[at + 2..].split(')').next()?;
        let text = prose[opens + 1..at].to_owned();
        let is_picture = prose[..opens].ends_with('!');
        (!target.contains("://")).then(|| Link { text, target: target.to_owned(), is_picture })
    };
    prose.match_indices("](").filter_map(link).collect()
}

/// As pages are shown on the web: `## Set NAME=VALUE` is `#set-namevalue`, and again `#set-namevalue-1`.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        inside ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if inside || heading == line || !heading.starts_with(' ') {
            continue;
        }
        let kept = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        let name = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let count = counts.entry(name.clone()).or_default();
        anchors.insert(if *count == 0 { name } else { format!("{name}-{count}") });
        *count += 1;
    }
    anchors
}

fn read(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

fn title(page: &Path) -> String {
    let text = read(page);
    let first = text.lines().next().and_then(|line| line.strip_prefix("# "));
    first.unwrap_or_else(|| panic!("{} begins without a title", page.display())).to_owned()
}

fn index() -> PathBuf {
    root().join("docs/README.md")
}

/// Where a link of a page leads, without its anchor.
fn resolve(page: &Path, target: &str) -> PathBuf {
    let file = target.split('#').next().unwrap_or_default();
    if file.is_empty() {
        return page.to_owned();
    }
    let mut path = page.parent().expect("a folder").to_owned();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{} leads out of everything", target),
            part => path.push(part),
        }
    }
    path
}

/// The pages of the book as the index has them.
fn order() -> Vec<PathBuf> {
    let (index, docs) = (index(), root().join("docs"));
    let pages = links(&read(&index)).into_iter().map(|link| resolve(&index, &link.target));
    pages.filter(|path| path.starts_with(&docs)).collect()
}

/// From the folder of one page to another page, both of the book.
fn way(from: &Path, to: &Path) -> String {
    let docs = root().join("docs");
    let within = |path: &Path| path.strip_prefix(&docs).expect("a page of the book").to_owned();
    let (from, to) = (within(from), within(to));
    let folder = from.parent().expect("a folder");
    let way = to.strip_prefix(folder).map_or_else(|_| Path::new("..").join(&to), Path::to_owned);
    way.to_str().expect("UTF-8").replace('\\', "/")
}

#[test]
fn the_index_has_every_page_once_under_its_title() {
    let index = index();
    let text = read(&index);
    let parts: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(parts, PARTS);

    let docs = root().join("docs");
    let mut wanted: Vec<PathBuf> =
        pages().into_iter().filter(|page| page.starts_with(&docs) && *page != index).collect();
    let mut found = order();
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted, "what the index has, and the pages there are");

    for link in links(&text) {
        let page = resolve(&index, &link.target);
        assert!(!page.starts_with(&docs) || link.text == title(&page), "the index calls {} {}", link.target, link.text);
    }
}

/// `UPDATE_EXPECT=1` writes the lines anew, but for pages that the program writes.
#[test]
fn each_page_ends_with_links_to_its_neighbours() {
    let order = order();
    for (at, page) in order.iter().enumerate() {
        let link = |text: String, to: &Path| format!("[{text}]({})", way(page, to));
        let before = at.checked_sub(1).map(|before| &order[before]);
        let parts = [
            before.map(|before| link(format!("Previous: {}", title(before)), before)),
            Some(link("Index".to_owned(), &index())),
            order.get(at + 1).map(|after| link(format!("Next: {}", title(after)), after)),
        ];
        let wanted = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let text = read(page);
        let (rest, last) = text.trim_end().rsplit_once("\n\n").expect("more than one paragraph");
        if last != wanted && std::env::var_os("UPDATE_EXPECT").is_some() && !page.ends_with("nodes.md") {
            let rest = if last.contains("[Index](") { rest } else { text.trim_end() };
            std::fs::write(page, format!("{rest}\n\n{wanted}\n")).expect("a page");
            continue;
        }
        assert_eq!(last, wanted, "the end of {}; with UPDATE_EXPECT=1 it is written anew", page.display());
    }
}

#[test]
fn every_link_leads_to_a_file_and_an_anchor_that_exist() {
    for page in pages() {
        for link in links(&read(&page)) {
            let to = resolve(&page, &link.target);
            assert!(to.exists(), "{} links to {}", page.display(), link.target);
            if let Some((_, anchor)) = link.target.split_once('#') {
                assert!(anchors(&read(&to)).contains(anchor), "{} links to {}", page.display(), link.target);
            }
        }
    }
}

#[test]
fn every_picture_is_shown() {
    let mut shown = BTreeSet::new();
    for page in pages() {
        let pictures = links(&read(&page)).into_iter().filter(|link| link.is_picture);
        shown.extend(pictures.map(|picture| resolve(&page, &picture.target)));
    }
    for path in files_under(&root().join("docs")) {
        let is_page = path.extension().is_some_and(|it| it == "md");
        assert!(is_page || shown.contains(&path), "no page shows {}", path.display());
    }
}

/// A picture that `./dev pictures` does not take anew shows what once was.
#[test]
fn every_picture_is_taken_by_the_one_command() {
    let drawn: String = pages().iter().map(|page| read(page)).collect();
    let taken: String = files_under(&root().join("web/pictures")).iter().map(|file| read(file)).collect();
    let in_folder = |folder: &str| files_under(&root().join("docs").join(folder));
    for path in in_folder("behaviors/pictures").into_iter().chain(in_folder("pictures")) {
        let within = path.strip_prefix(root()).expect("a file of the repository").to_str().expect("UTF-8").to_owned();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("UTF-8");
        let is_taken = match path.extension().and_then(|it| it.to_str()) {
            Some("svg") => drawn.contains(&format!("--svg {within}")),
            _ => taken.contains(&format!("'{name}'")),
        };
        assert!(is_taken, "nothing takes {within}");
    }
}
