//! What is on disk after a save, whatever happens meanwhile.

use std::path::{Path, PathBuf};
use std::process::Command;

use document::{Document, node};
use model::file::{Disk, load};

const ASKED: &str = "COACT_SAVING_TEST";

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("coact-saving-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn open(file: &Path) -> (Document, String) {
    let registry = nodes::registry();
    let name = file.display().to_string();
    let library = load(&name, &Disk, registry.catalogue()).expect("it opens").library;
    let mut document = Document::new(library, registry, 1);
    document.note_disk();
    (document, name)
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("it is there").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

const TEXT: &str = r#"{"version": 1, "children": [{"type": "wait", "name": "A"}]}"#;

#[test]
fn a_save_keeps_the_text_before_and_refuses_what_somebody_else_wrote() {
    let folder = folder("backup");
    let file = folder.join("main.json");
    std::fs::write(&file, TEXT).expect("a file for the test");
    let (mut document, name) = open(&file);
    let root = document.library().main().root;
    document.insert(root, 0, &node("wait", "B")).expect("a wait");
    document.save_all().expect("it is written");
    let read = |file: &Path| std::fs::read_to_string(file).expect("it is there");
    assert_eq!(read(&folder.join("main.json~")), TEXT);
    assert_eq!(read(&file), document.text(&name).expect("it is in the behavior"));
    assert_eq!(names_in(&folder), ["main.json", "main.json~"]);
    // Somebody else writes it; so it is asked for.
    std::fs::write(&file, "theirs").expect("a file for the test");
    document.insert(root, 0, &node("wait", "C")).expect("a wait");
    assert!(document.is_changed_on_disk(&name));
    let refused = document.save_all().expect_err("it is refused");
    assert!(refused.changed_on_disk, "{refused}");
    assert_eq!(read(&file), "theirs");
    assert!(document.is_changed(&name));
    document.save_all_over().expect("a person said so");
    assert_eq!(read(&folder.join("main.json~")), "theirs");
    assert_eq!(read(&file), document.text(&name).expect("it is in the behavior"));
    assert!(!document.is_changed(&name) && !document.is_changed_on_disk(&name));
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
}

/// Run by the test below, in a process that may write only little.
#[test]
fn save_in_little_room() {
    let Ok(file) = std::env::var(ASKED) else { return };
    let (mut document, name) = open(Path::new(&file));
    let root = document.library().main().root;
    for number in 0..400 {
        document.insert(root, 0, &node("wait", &format!("number {number}"))).expect("a wait");
    }
    let error = document.save_all().expect_err("there is no room");
    assert!(!error.changed_on_disk && error.written.is_empty(), "{error}");
    assert!(document.is_changed(&name), "it keeps its mark");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_the_old_file_whole() {
    let folder = folder("full");
    let file = folder.join("main.json");
    std::fs::write(&file, TEXT).expect("a file for the test");
    let this = std::env::current_exe().expect("it runs");
    // A limit on the size of files fails a write just as a full disk does.
    let limited = "trap '' XFSZ; ulimit -f 4; exec \"$0\" --exact saving::save_in_little_room";
    let done = Command::new("sh").args(["-c", limited]).arg(this).env(ASKED, &file).output().expect("a shell");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    assert!(String::from_utf8_lossy(&done.stdout).contains("1 passed"));
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), TEXT);
    assert_eq!(names_in(&folder), ["main.json", "main.json~"], "nothing half written is left");
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
}
