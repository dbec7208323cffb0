//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

#[path = "body/main.rs"]
mod body;
#[path = "legs/main.rs"]
mod legs;
mod list;
#[path = "scene/main.rs"]
mod scene;
