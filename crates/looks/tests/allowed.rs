//! Nothing outside of the robot's folders is opened.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use looks::{Allowed, Gallery};
use robot::{MeshPath, Robot};

/// A workspace with two packages, and what lies around it; gone with the test.
struct Disk(PathBuf);

impl Disk {
    fn new(name: &str) -> Disk {
        let root = std::env::temp_dir().join(format!("coact-looks-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let disk = Disk(root);
        for file in [
            "ws/src/one/urdf/robot.urdf",
            "ws/src/one/urdf/own.stl",
            "ws/src/one/meshes/a.stl",
            "ws/src/one/meshes/.hidden.stl",
            "ws/src/one/.git/b.stl",
            "ws/src/two/meshes/c.stl",
            "ws/src/three/meshes/d.stl",
            "outside.stl",
        ] {
            disk.put(file);
        }
        disk
    }

    fn put(&self, file: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("a test's own")).expect("a test's own");
        fs::write(path, "solid\n").expect("a test's own");
    }

    /// Whether a URI of a mesh leads to a file.
    fn leads(&self, uri: &str) -> bool {
        let urdf = self.0.join("ws/src/one/urdf/robot.urdf");
        let allowed = Allowed::of(&urdf, &BTreeSet::from([uri]));
        MeshPath::new(uri, urdf.parent().expect("a test's own"))
            .candidates
            .iter()
            .any(|path| allowed.find(path).is_some())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_belongs_to_the_robot_is_found_by_every_form_of_uri() {
    let disk = Disk::new("forms");
    let whole = disk.0.join("ws/src/one/meshes/a.stl");
    for uri in [
        "own.stl",
        "../meshes/a.stl",
        "package://one/meshes/a.stl",
        "model://one/meshes/a.stl",
        "package:///one/meshes/a.stl",
        "package://two/meshes/c.stl",
        "file://../meshes/a.stl",
        &format!("file://{}", whole.display()),
        whole.to_str().expect("a test's own"),
    ] {
        assert!(disk.leads(uri), "{uri}");
    }
}

#[test]
fn nothing_else_is() {
    let disk = Disk::new("refused");
    let outside = disk.0.join("outside.stl");
    for uri in [
        "../../../../outside.stl",
        "../../two/meshes/c.stl",
        "package://one/../three/meshes/d.stl",
        "package://../outside.stl",
        "package://one/meshes/.hidden.stl",
        "package://one/.git/b.stl",
        "../.git/b.stl",
        "package://.git/b.stl",
        outside.to_str().expect("a test's own"),
        &format!("file://{}", outside.display()),
        "/etc/passwd",
        "file:///etc/passwd",
        "package://etc/passwd",
        "package://",
        "",
        ".",
        "..",
        "/",
        "package://one",
        "package://one/meshes",
    ] {
        assert!(!disk.leads(uri), "{uri}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_alone() {
    use std::os::unix::fs::symlink;
    let disk = Disk::new("links");
    let meshes = disk.0.join("ws/src/one/meshes");
    symlink(meshes.join("a.stl"), meshes.join("inside.stl")).expect("a test's own");
    symlink(disk.0.join("outside.stl"), meshes.join("out.stl")).expect("a test's own");
    symlink(&disk.0, meshes.join("folder")).expect("a test's own");
    assert!(disk.leads("package://one/meshes/inside.stl"));
    assert!(!disk.leads("package://one/meshes/out.stl"));
    assert!(!disk.leads("package://one/meshes/folder/outside.stl"));
}

#[test]
fn only_what_the_urdf_names_is_shown() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robot");
    let (robot, problems) = Robot::load(&folder).expect("a test's own");
    assert!(problems.is_empty(), "{problems:?}");
    let gallery = Gallery::of(&robot).expect("a test's own");
    assert_eq!(gallery.uris().count(), 6);
    for uri in gallery.uris() {
        let first = gallery.show(uri).unwrap_or_else(|error| panic!("{uri}: {error}"));
        let again = gallery.show(uri).expect("a test's own");
        assert!(std::sync::Arc::ptr_eq(&first.glb, &again.glb), "{uri} is made once");
    }
    // It is there, and no part of the robot.
    assert!(folder.join("meshes/magenta.png").is_file());
    assert_eq!(gallery.show("../meshes/magenta.png").unwrap_err().to_string(), "the robot has no such mesh");
}
