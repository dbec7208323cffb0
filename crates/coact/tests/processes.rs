//! Tests with real processes and real time, apart from those that keep all cores busy.

#[path = "as_loaded/main.rs"]
mod as_loaded;
#[path = "faults/main.rs"]
mod faults;
mod robot_process;
