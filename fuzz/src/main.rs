//! Coverage-guided fuzzing: one program for all targets, `FUZZ_TARGET` says which. With `FUZZ_SEEDS` it writes the seeds of
//! the target and its dictionary into that folder and ends. `./dev fuzz` runs it.
#![no_main]

mod files;
mod memory;
mod processes;
mod seeds;
mod wire;

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use testkit::mutate::{Dice, mutate};

/// What comes from outside, in one of its forms.
pub struct Target {
    pub name: &'static str,
    /// What it is in words is damaged by words, too.
    pub is_text: bool,
    pub run: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Several files, messages or datagrams in one input.
pub const BETWEEN: &[u8] = b"\n=====\n";

pub fn parts(data: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = data;
    while let Some(at) = rest.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
        parts.push(&rest[..at]);
        rest = &rest[at + BETWEEN.len()..];
    }
    parts.push(rest);
    parts
}

/// Whoever reads a file refuses what is no UTF-8 before anything here sees it.
pub fn text(data: &[u8]) -> &str {
    std::str::from_utf8(data).unwrap_or_default()
}

fn targets() -> Vec<Target> {
    [files::targets(), wire::targets(), processes::targets()].into_iter().flatten().collect()
}

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
