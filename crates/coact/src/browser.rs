//! The page in the browser of whoever sits at this machine.

use std::io::{IsTerminal as _, stdout};

use crate::out::complain;

/// Nobody sits there where the output goes to a file or a program, or where nothing can be shown.
pub fn open(address: &str) {
    if !stdout().is_terminal() || !has_display() {
        return;
    }
    if let Err(error) = open::that_detached(address) {
        complain(&format!("coact: no browser could be started ({error}): open {address} yourself"));
    }
}

fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    // On these a window needs no more than somebody who is logged in at the machine itself.
    let always = cfg!(any(target_os = "macos", windows)) && !is_set("SSH_CONNECTION");
    always || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
