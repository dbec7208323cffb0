//! The real desk, the real operators and the real link, in simulated time: three operator processes with people of every
//! role, who edit, run, stop, come and go, while lines are cut and processes are killed. Whatever happens, no tree differs
//! silently, nothing that was acknowledged is lost, every request is answered once, an observer changes nothing, one person
//! is in control, and after a stop nothing starts unasked.
//!
//! `COACT_STORIES=500 cargo test -p coact --test all trust` tells more stories, `COACT_SEED=7` that one again;
//! `COACT_WATCH=67dc36824cc04256` with it says where that node was when.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod books;
mod net;
mod onboard_life;
mod people;
mod station;
mod world;

use world::World;

const STORIES: u64 = 12;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Says which story it was, should it end badly.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("to see it again: COACT_SEED={} cargo test -p coact --test all trust", self.0);
        }
    }
}

fn tell(seed: u64) -> books::Counts {
    let _seed = Seed(seed);
    let mut world = World::new(seed);
    world.storm(30.0);
    world.heal();
    world.check_equal();
    world.check_answers();
    world.check_edits("healed");
    world.check_control();
    world.last_light();
    world.counts()
}

#[test]
fn whatever_happens_an_edit_a_stop_and_a_role_mean_what_they_say() {
    if let Some(seed) = number("COACT_SEED") {
        println!("{}", tell(seed));
        return;
    }
    let mut all = books::Counts::default();
    for seed in 1..=number("COACT_STORIES").unwrap_or(STORIES) {
        all.add(&tell(seed));
    }
    println!("{all}");
    assert!(all.is_worth_it(), "the stories must have in them what they are about: {all}");
}
