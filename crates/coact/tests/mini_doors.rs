//! Doors for the small robot, which has files of its own where its reach asks for other places to stand.

mod common;

use common::{coact, folder, root};

/// Each with its mirror image.
const DOORS: [(&str, &str); 2] = [
    ("skills/doors/push-bar-mini.json", "skills/doors/push-bar-mini-mirrored.json"),
    ("skills/doors/pull-fixed-mini-right.json", "skills/doors/pull-fixed-mini-left.json"),
];

#[test]
fn each_fits_the_robot_and_is_as_it_is_saved() {
    for file in DOORS.iter().flat_map(|(one, other)| [*one, *other]) {
        let checked = coact(&["check", file, "--robot", "coact-mini"]);
        assert_eq!((checked.code, checked.out.as_str()), (0, "no problems in 1 file\n"), "{file}");
        let out = folder("mini-doors").join("saved.json");
        assert_eq!(coact(&["import", file, "-o", out.to_str().expect("UTF-8")]).code, 0, "{file}");
        let text = std::fs::read_to_string(root().join(file)).expect("a skill");
        assert_eq!(std::fs::read_to_string(&out).expect("it was written"), text, "{file}");
    }
}

/// Who changes one changes the other, by the command that is run here.
#[test]
fn the_other_hinge_is_the_mirror_image() {
    for (one, other) in DOORS {
        let out = folder("mini-doors").join("mirrored.json");
        let out = out.to_str().expect("UTF-8");
        let edited = coact(&["edit", one, "mirror", "/", "--objects", "--robot", "coact-mini", "--output", out]);
        assert_eq!(edited.code, 0, "{}{}", edited.out, edited.err);
        let mirrored = std::fs::read_to_string(out).expect("it was written");
        assert_eq!(mirrored, std::fs::read_to_string(root().join(other)).expect("a skill"), "{other}");
    }
}
