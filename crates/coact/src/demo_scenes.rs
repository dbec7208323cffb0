//! What a newcomer finds in the folder of the demo, and what is one click away there.

use std::path::Path;

use protocol::api::SceneView;

macro_rules! skills {
    ($($file:literal),* $(,)?) => {
        [$((concat!("skills/", $file), include_str!(concat!("../../../skills/", $file)))),*]
    };
}

/// The first is for a robot with weight before a door, the second for any robot.
const EXAMPLES: [(&str, &str); 2] = [
    ("open-the-door.json", include_str!("../../../examples/world/open-the-door.json")),
    (WALK, include_str!("../../../examples/body/arms-while-walking.json")),
];

const SKILLS: [(&str, &str); 28] = skills![
    "go-home.json",
    "wave.json",
    "nod.json",
    "look-down.json",
    "devices/valve.json",
    "doors/approach.json",
    "doors/find-handle.json",
    "doors/pull-fixed-open.json",
    "doors/pull-fixed.json",
    "doors/pull-high.json",
    "doors/pull-turned-open.json",
    "doors/pull-turned.json",
    "doors/pull.json",
    "doors/push-high.json",
    "doors/push-low.json",
    "doors/push.json",
    "doors/stand-beside.json",
    "tables/approach-table.json",
    "tables/aside.json",
    "tables/carry-box.json",
    "tables/give-way.json",
    "tables/hands.json",
    "tables/leave-table.json",
    "tables/one-hand.json",
    "tables/pick.json",
    "tables/sort-two-tables.json",
    "tables/sort.json",
    "tour/tour.json",
];

pub const DOOR: &str = "skills/doors/push.json";
pub const WALK: &str = "arms-while-walking.json";
pub const DOOR_WORLD: &str = "push-door-lever";
pub const DOOR_ROBOT: &str = "coact-one";

/// Each with what it lacks here. Empty where there is a robot that they are not for.
pub fn scenes(missing: Option<&str>, robot: &str) -> Vec<SceneView> {
    if robot != DOOR_ROBOT {
        return Vec::new();
    }
    let scene = |title: &str, summary: &str, file: Option<&str>, world: &str| SceneView {
        title: title.to_owned(),
        summary: summary.to_owned(),
        file: file.map(str::to_owned),
        world: world.to_owned(),
        missing: missing.map(str::to_owned),
    };
    vec![
        scene(
            "Through a door",
            "Presses the lever and walks through, arms, spine and legs at once.",
            Some(DOOR),
            DOOR_WORLD,
        ),
        scene(
            "Sorting balls",
            "Red balls into one container, the others into the other, with both hands.",
            Some("skills/tables/sort.json"),
            "table-sorting",
        ),
        scene("A valve", "Turns a valve shut, turn by turn.", Some("skills/devices/valve.json"), "valve"),
        scene("The tour", "Three doors, then two tables: some minutes.", Some("skills/tour/tour.json"), "tour"),
        scene("An empty world", "A floor, and a behavior of your own to begin.", None, "empty"),
    ]
}

/// Puts the examples into a folder; what is there stays as somebody left it.
pub fn lay_out(folder: &Path) -> anyhow::Result<()> {
    for (name, text) in EXAMPLES.iter().chain(&SKILLS) {
        let path = folder.join(name);
        if path.exists() {
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        model::file::save_to_disk(&path, text)?;
    }
    Ok(())
}
