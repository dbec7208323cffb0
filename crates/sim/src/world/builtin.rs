//! The worlds of our own, in the program itself: a newcomer needs no files.

macro_rules! worlds {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../worlds/", $name, ".json")))),*]
    };
}

pub(super) const WORLDS: &[(&str, &str)] = worlds![
    "blocks",
    "box-to-carry",
    "button",
    "empty",
    "knob-door-with-closer",
    "light-pull-door",
    "light-push-door",
    "low-table-balls",
    "low-table-sorting",
    "machine-tending",
    "pull-door-fixed",
    "pull-door-knob",
    "pull-door-lever",
    "push-door-bar",
    "push-door-knob",
    "push-door-lever",
    "stairs",
    "table-and-door",
    "table-balls",
    "table-boxes",
    "table-late",
    "table-six-balls",
    "table-sorting",
    "tour",
    "two-tables",
    "valve",
];
