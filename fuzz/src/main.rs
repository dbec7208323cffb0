//! Coverage-guided fuzzing: one program for all targets, `FUZZ_TARGET` says which. With `FUZZ_SEEDS` it writes the seeds of
//! the target and its dictionary into that folder and ends. `./dev fuzz` runs it.
#![no_main]

mod memory;

use std::sync::LazyLock;

use fuzzed::{Target, seeds, targets};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use testkit::mutate::{Dice, mutate};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let names: Vec<&str> = targets().iter().map(|target| target.name).collect();
    let found = targets().into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| {
        println!("{}", names.join("\n"));
        std::process::exit(2)
    })
});

fuzz_target!(
    init: {
        LazyLock::force(&TARGET);
        // A panic that is caught is no crash. One that is not is caught, and told, by whoever called us.
        drop(std::panic::take_hook());
        if let Some(folder) = std::env::var_os("FUZZ_SEEDS") {
            seeds::write(&TARGET, folder.as_ref());
            std::process::exit(0);
        }
    },
    |data: &[u8]| (TARGET.run)(data)
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match std::str::from_utf8(&data[..size]) {
        Ok(text) if TARGET.is_text && seed % 3 == 0 => {
            let damaged = mutate(text, &mut Dice::new(seed.into()));
            let length = damaged.len().min(max_size);
            data[..length].copy_from_slice(&damaged.as_bytes()[..length]);
            length
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
});
