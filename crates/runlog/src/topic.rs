//! Names of what is in a file.

pub const BEGIN: &str = "/coact/begin";
pub const INPUT: &str = "/coact/input";
pub const TRACE: &str = "/coact/trace";
pub const SEEN: &str = "/coact/seen";
pub const KEYFRAME: &str = "/coact/keyframe";
pub const ASIDE: &str = "/coact/aside";
pub const MARK: &str = "/coact/mark";
pub const JOINTS: &str = "/joints";
pub const BASE: &str = "/base";
pub const SCENE: &str = "/scene";
pub const LOG: &str = "/log";

/// Those that every recording has.
pub const ALL: [&str; 10] = [BEGIN, INPUT, TRACE, SEEN, KEYFRAME, ASIDE, JOINTS, BASE, SCENE, LOG];

/// The attachment of a recording that was closed.
pub const SUMMARY: &str = "coact-summary.json";
pub const METADATA: &str = "coact";

pub const PICTURES: &str = "/camera/";
pub const CLOUDS: &str = "/cloud/";
pub const WHOLE_CLOUDS: &str = "/points/";
pub const DEPTHS: &str = "/depth/";

pub fn picture(camera: &str) -> String {
    format!("{PICTURES}{camera}")
}

/// To be looked at.
pub fn cloud(camera: &str) -> String {
    format!("{CLOUDS}{camera}")
}

/// As the engine saw it, where it looked, as the depths that the points were made of.
pub fn depth(camera: &str) -> String {
    format!("{DEPTHS}{camera}")
}

/// As the engine saw it, where it looked and nobody knows the depths.
pub fn whole_cloud(camera: &str) -> String {
    format!("{WHOLE_CLOUDS}{camera}")
}
