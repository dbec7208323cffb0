//! What was made before is not made again, unless it or what it names is another.

use std::fs;
use std::path::{Path, PathBuf};

use looks::{Gallery, Kept};
use robot::Robot;

/// The folder is called as the package that the URDF names.
fn copied(to: &Path) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robot");
    for folder in ["", "urdf", "meshes"] {
        fs::create_dir_all(to.join(folder)).expect("what lies beside this test");
        for entry in fs::read_dir(from.join(folder))
            .expect("what lies beside this test")
            .flatten()
            .filter(|entry| entry.path().is_file())
        {
            fs::copy(entry.path(), to.join(folder).join(entry.file_name())).expect("what lies beside this test");
        }
    }
    to.to_owned()
}

fn shown(folder: &Path, kept: &Kept) -> Vec<(String, Vec<u8>)> {
    let (robot, _) = Robot::load(folder).expect("what lies beside this test");
    let gallery = Gallery::of(&robot).expect("what lies beside this test").kept_in(Some(kept.clone()));
    let uris: Vec<String> = gallery.uris().map(str::to_owned).collect();
    uris.into_iter().filter_map(|uri| gallery.show(&uri).ok().map(|shown| (uri, shown.glb.to_vec()))).collect()
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all: Vec<_> =
        fs::read_dir(folder).expect("what lies beside this test").flatten().map(|entry| entry.path()).collect();
    all.sort();
    all.into_iter().map(|path| (path.clone(), fs::read(path).expect("what lies beside this test"))).collect()
}

#[test]
fn a_mesh_is_made_once_and_again_when_it_or_what_it_names_changes() {
    let place = std::env::temp_dir().join(format!("coact-kept-{}", std::process::id()));
    let robot = copied(&place.join("robot"));
    let cache = place.join("meshes");
    let kept = Kept::new(&cache);
    let first = shown(&robot, &kept);
    assert!(first.len() >= 5, "{}", first.len());
    let made = files(&cache);
    assert_eq!(made.len(), first.len());
    assert_eq!(shown(&robot, &kept), first);
    assert_eq!(files(&cache), made);
    // What is kept is what is shown: two that name nothing beside themselves change their places.
    let alone: Vec<_> = made.iter().filter(|(_, bytes)| bytes.windows(4).any(|part| part == b",[]]")).take(2).collect();
    fs::write(&alone[0].0, &alone[1].1).expect("what lies beside this test");
    fs::write(&alone[1].0, &alone[0].1).expect("what lies beside this test");
    assert_ne!(shown(&robot, &kept), first);
    for (path, bytes) in &alone {
        fs::write(path, bytes).expect("what lies beside this test");
    }
    // Damaged: made anew.
    fs::write(&made[0].0, &made[0].1[..made[0].1.len() - 1]).expect("what lies beside this test");
    assert_eq!(shown(&robot, &kept), first);
    assert_eq!(files(&cache), made);
    // A colour that an OBJ names by its library.
    let library =
        fs::read_dir(robot.join("meshes")).expect("what lies beside this test").flatten().map(|entry| entry.path());
    let library = library
        .into_iter()
        .find(|path| path.extension().is_some_and(|ending| ending == "mtl"))
        .expect("what lies beside this test");
    let text = fs::read_to_string(&library).expect("what lies beside this test");
    let other = text.replace("Kd 0", "Kd 1");
    assert_ne!(text, other);
    fs::write(&library, other).expect("what lies beside this test");
    let changed = shown(&robot, &kept);
    assert_eq!(changed.iter().zip(&first).filter(|(now, before)| now != before).count(), 1);
    fs::remove_dir_all(&place).expect("what lies beside this test");
}

#[test]
fn the_oldest_go() {
    let place = std::env::temp_dir().join(format!("coact-kept-few-{}", std::process::id()));
    let robot = copied(&place.join("robot"));
    let cache = place.join("meshes");
    shown(&robot, &Kept::new(&cache).at_most(2000));
    let bytes: usize = files(&cache).iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(bytes <= 2000, "{bytes}");
    fs::remove_dir_all(&place).expect("what lies beside this test");
}
