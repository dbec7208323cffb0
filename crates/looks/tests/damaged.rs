//! Files that are cut, changed, lie, or name themselves: an error, soon, and never a panic.

use crate::support::{bytes, converted, read};

const ALL: [&str; 6] = ["wedge.stl", "text.stl", "wedge.obj", "wedge.dae", "picture.dae", "wedge.glb"];

#[test]
fn files_that_are_cut_off_anywhere_do_no_harm() {
    for name in ALL {
        let whole = bytes(name);
        for length in 0..whole.len() {
            // What is there may still be a mesh: of text nobody knows where it should end.
            let _ = converted(name, &whole[..length], 100);
        }
    }
    let whole = bytes("wedge.stl");
    let error = read("wedge.stl", &whole[..whole.len() - 60]).unwrap_err().to_string();
    assert_eq!(error, "not STL: it is cut off: 8 triangles are told, 6 are there");
}

#[test]
fn files_that_are_changed_anywhere_do_no_harm() {
    for name in ALL {
        let whole = bytes(name);
        for at in 0..whole.len() {
            for with in [0, b'9', b'-', b'"', 0x7f, 0xff] {
                let mut changed = whole.clone();
                changed[at] = with;
                let _ = converted(name, &changed, 100);
            }
        }
    }
}

#[test]
fn counts_that_lie_take_no_memory() {
    let mut stl = bytes("wedge.stl");
    stl[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(read("wedge.stl", &stl).unwrap_err().to_string().contains("cut off"));
    let glb = bytes("wedge.glb");
    let text = String::from_utf8_lossy(&glb).replace("\"count\": ", "\"count\":");
    assert!(text.contains("\"count\":24,"));
    let at = glb.windows(11).position(|part| part == b"\"count\":24,").expect("a test's own");
    let mut lying = glb.clone();
    lying[at..at + 11].copy_from_slice(b"\"count\":9e7");
    assert!(read("wedge.glb", &lying).is_err());
    lying[at..at + 11].copy_from_slice(b"\"count\":99,");
    assert!(read("wedge.glb", &lying).unwrap_err().to_string().contains("99 elements"));
    let dae = String::from_utf8(bytes("wedge.dae"))
        .expect("a test's own")
        .replace("<vcount>4 ", "<vcount>18446744073709551615 ");
    assert!(read("wedge.dae", dae.as_bytes()).unwrap_err().to_string().contains("more corners than there are"));
}

/// Each node stands twice in the one before it: without a bound, 2 to the power of 60 wedges.
#[test]
fn what_is_in_itself_ends() {
    let nodes: String = (0..60)
        .map(|at| {
            format!("<node id=\"n{at}\"><instance_node url=\"#n{0}\"/><instance_node url=\"#n{0}\"/></node>", at + 1)
        })
        .collect();
    let dae = String::from_utf8(bytes("wedge.dae")).expect("a test's own");
    let leaf = "<node id=\"n60\"><instance_geometry url=\"#wedge\"/></node>";
    let many = dae.replace("<visual_scene id=\"scene\">", &format!("<visual_scene id=\"scene\">{nodes}{leaf}"));
    assert!(read("wedge.dae", many.as_bytes()).unwrap_err().to_string().contains("without end"));
    let own = dae.replace(
        "<visual_scene id=\"scene\">",
        "<visual_scene id=\"scene\"><node id=\"a\"><instance_node url=\"#a\"/></node>",
    );
    assert!(read("wedge.dae", own.as_bytes()).unwrap_err().to_string().contains("without end"));

    let glb = bytes("wedge.glb");
    let at = glb.windows(14).position(|part| part == b"\"children\":[1]").expect("a test's own");
    let mut own = glb.clone();
    own[at..at + 14].copy_from_slice(b"\"children\":[0]");
    assert!(read("wedge.glb", &own).unwrap_err().to_string().contains("without end"));
}

#[test]
fn a_file_says_what_is_wrong_with_it() {
    let error = |name: &str, text: &str| converted(name, text.as_bytes(), 100).unwrap_err().to_string();
    assert_eq!(error("a.stl", "solid x\nendsolid x\n"), "no triangle in it");
    assert_eq!(error("a.stl", "solid x\nvertex 1 2 x\n"), "not STL: line 2: a vertex without three numbers");
    assert_eq!(error("a.obj", "v 0 0 0\nf 1 2 3\n"), "not OBJ: line 2: there is no point 2");
    assert_eq!(error("a.obj", "v 0 0\n"), "not OBJ: line 1: fewer than 3 numbers");
    assert_eq!(error("a.dae", "<a/>"), "not COLLADA: the outermost element is <a>");
    assert_eq!(error("a.glb", "<a/>"), "not GLB: it does not begin as one");
    assert_eq!(error("a.fbx", ""), "`.fbx` files are not read, only .stl, .obj, .dae and .glb");
    let wild = "v nan 0 0\nv 1e30 0 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 4\nf 2 3 4\n";
    assert_eq!(error("a.obj", wild), "no triangle in it");
    assert!(converted("a.obj", format!("{wild}f 3 4 5\n").as_bytes(), 100).is_ok(), "what is sane of it is shown");
}
