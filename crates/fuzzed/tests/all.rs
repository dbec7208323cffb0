//! Whatever can be fuzzed takes its seeds, and some that are damaged: a target that rots is found before somebody fuzzes.

use std::collections::BTreeSet;

use fuzzed::{Target, targets};
use testkit::mutate::{Dice, mutate};

/// Of each target: its seeds are files of this repository, and all of them would take minutes.
const SEEDS: usize = 4;
const DAMAGES: usize = 3;

fn some(target: &Target) -> Vec<Vec<u8>> {
    let seeds = (target.seeds)();
    let every = seeds.len().div_ceil(SEEDS).max(1);
    seeds.into_iter().step_by(every).collect()
}

fn damaged(target: &Target, seed: &[u8], dice: &mut Dice) -> Vec<u8> {
    if target.is_text {
        return mutate(&String::from_utf8_lossy(seed), dice).into_bytes();
    }
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.roll(4) {
        if !bytes.is_empty() {
            let place = dice.roll(bytes.len());
            bytes[place] ^= 1 << dice.roll(8);
        }
    }
    bytes
}

#[test]
fn every_target_has_a_name_of_its_own_and_seeds() {
    let targets = targets();
    assert!(targets.len() >= 25, "{}", targets.len());
    let names: BTreeSet<&str> = targets.iter().map(|target| target.name).collect();
    assert_eq!(names.len(), targets.len());
    for target in &targets {
        assert!(!(target.seeds)().is_empty(), "{} begins with nothing", target.name);
    }
}

#[test]
fn every_target_takes_its_seeds_and_some_damage() {
    let mut dice = Dice::new(1);
    for target in targets() {
        for (number, seed) in some(&target).iter().enumerate() {
            // Shown where it fails.
            println!("{} takes seed {number} of {SEEDS}", target.name);
            (target.run)(seed);
            for _ in 0..DAMAGES {
                let bytes = damaged(&target, seed, &mut dice);
                println!("    damaged: {:?}", String::from_utf8_lossy(&bytes));
                (target.run)(&bytes);
            }
        }
    }
}
