//! How fast worlds with physics are: `cargo run --release -p sim --features mujoco --example physics_speed`. The same as
//! `./dev bench world`, with less to build.

#[expect(clippy::disallowed_methods, reason = "it measures")]
#[path = "../../bench/src/world.rs"]
mod world;

fn main() {
    world::run();
}
