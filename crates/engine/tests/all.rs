//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

#[path = "adaptive/main.rs"]
mod adaptive;
#[path = "admit/main.rs"]
mod admit;
#[path = "boundary/main.rs"]
mod boundary;
mod claims;
mod composites;
mod disabled;
mod edit_properties;
mod edits;
mod edits_anywhere;
mod edits_of_settings;
#[path = "fallback/main.rs"]
mod fallback;
mod finding;
mod forget;
mod fuzz;
mod gates;
mod guards;
mod halting;
#[path = "held/main.rs"]
mod held;
#[path = "jumps/main.rs"]
mod jumps;
mod limits;
mod locks;
mod locks_and_edits;
#[path = "manual/main.rs"]
mod manual;
mod mirrored;
#[path = "names/main.rs"]
mod names;
mod properties;
mod regressions;
mod retry;
#[path = "second_reading/main.rs"]
mod second_reading;
mod stop;
mod tick;
mod tokens;
#[path = "tracks/main.rs"]
mod tracks;
mod values;
