//! Every format that comes from outside, each as a function of bytes with the seeds to begin with. `./dev fuzz` damages them
//! guided by coverage, in `fuzz/`; the tests here take the seeds and some damage, so that none of them rots.

#![expect(clippy::unwrap_used, clippy::result_large_err, reason = "these are the tests' own, as in tests/")]

mod binaries;
mod files;
mod processes;
pub mod seeds;
mod wire;

/// What comes from outside, in one of its forms.
pub struct Target {
    pub name: &'static str,
    /// What it is in words is damaged by words, too.
    pub is_text: bool,
    pub run: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
}

pub fn targets() -> Vec<Target> {
    [files::targets(), binaries::targets(), wire::targets(), processes::targets()].into_iter().flatten().collect()
}

/// Several files, messages or datagrams in one input.
pub(crate) const BETWEEN: &[u8] = b"\n=====\n";

pub(crate) fn parts(data: &[u8]) -> Vec<&[u8]> {
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
pub(crate) fn text(data: &[u8]) -> &str {
    std::str::from_utf8(data).unwrap_or_default()
}
