//! MJCF files of the user's own that would keep MuJoCo busy for hours are refused when the world is read.

use std::path::PathBuf;

use sim::World;

fn written(name: &str, body: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, format!("<mujoco><worldbody>{body}</worldbody></mujoco>")).expect("a file");
    path
}

fn read(path: &std::path::Path) -> Result<(), String> {
    World::find(&path.to_string_lossy()).map(|_| ()).map_err(|error| error.to_string())
}

const BALL: &str = r#"<body><geom type="sphere" size="0.1"/></body>"#;

#[test]
fn copies_are_counted_before_they_are_made() {
    let copied = |inner: &str, count: &str| format!(r#"<replicate count="{count}" offset="1 0 0">{inner}</replicate>"#);
    let few = written("few.xml", &copied(&copied(BALL, "20"), "100"));
    assert_eq!(read(&few), Ok(()));
    for (name, body) in [
        ("many.xml", copied(BALL, "1000000000")),
        ("nested.xml", copied(&copied(&copied(BALL, "100"), "100"), "100")),
        ("cloth.xml", r#"<flexcomp type="grid" count="300 300 300"/>"#.to_owned()),
        ("endless.xml", copied(&copied(BALL, "1e18"), "1e18")),
    ] {
        let why = read(&written(name, &body)).expect_err(name);
        assert!(why.contains("mjcf") && why.contains("at most 20000 are taken"), "{why}");
    }
}

#[test]
fn files_in_files_are_counted_as_well() {
    let many = written("part.xml", &BALL.repeat(200));
    let many = many.file_name().expect("a name").to_string_lossy().into_owned();
    let attached = r#"<replicate count="100"><attach model="part" prefix="a"/></replicate>"#.to_owned();
    let path = written("whole.xml", &attached);
    let text = std::fs::read_to_string(&path).expect("it was written");
    let asset = format!(r#"<mujoco><asset><model name="part" file="{many}"/></asset>"#);
    std::fs::write(&path, text.replace("<mujoco>", &asset)).expect("a file");
    assert!(read(&path).is_err_and(|why| why.contains("at most 20000 are taken")));
    let own = written("own.xml", r#"<include file="own.xml"/>"#);
    assert!(read(&own).is_err_and(|why| why.contains("files name each other")));
}

#[test]
fn height_fields_and_textures_have_a_size() {
    for (name, asset) in [
        ("hills.xml", r#"<hfield name="h" nrow="60000" ncol="60000" size="1 1 1 1"/>"#),
        ("picture.xml", r#"<texture name="t" type="2d" builtin="checker" width="60000" height="60000"/>"#),
    ] {
        let path = written(name, BALL);
        let text = std::fs::read_to_string(&path).expect("it was written");
        let asset = format!("<mujoco><asset>{asset}</asset>");
        std::fs::write(&path, text.replace("<mujoco>", &asset)).expect("a file");
        let why = read(&path).expect_err(name);
        assert!(why.contains("3600000000 points; at most 16777216 are taken"), "{why}");
    }
}

#[test]
fn elements_in_each_other_have_an_end() {
    let deep = written("deep.xml", &format!("{}{}", "<body>".repeat(100_000), "</body>".repeat(100_000)));
    assert!(read(&deep).is_err_and(|why| why.contains("more than 100 deep")));
}
