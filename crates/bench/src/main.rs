//! Prints the figures of the benchmark page: `./dev bench`, or one part of them: `./dev bench robot`.

mod adaptive;
mod asked;
mod blocks;
mod engine;
mod memory;
mod operator;
mod parts;
mod peers;
mod pinocchio;
mod points;
mod recording;
mod robot;
mod scene;
mod shared;
mod starts;
mod steps;
mod synthesis;
mod trees;
mod values;
mod world;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

const USAGE: &str =
    "bench [engine | values | --peers | robot [--pinocchio] | starts | footsteps [--long] | scene | points | document | operator | memory |
       recording | synthesis | world | adaptive]

  engine        what a tick, a variable, a node and an edit cost
  values        what a value of the moment costs
  --peers       the engine beside bonsai-bt and py_trees, in the same run: installs py_trees from PyPI under target/
  robot         kinematics, inverse kinematics, paths and collisions
  starts        what is done before an arm moves
  footsteps     planners
  scene         detections followed, and points of a cloud inside a shape
  points        points of a cloud inside a shape
  document      what sharing a tree costs: edits taken over, merged and joined, with their bytes
  operator      what an edit through the API costs the operator process, and its bytes to a client
  memory        bytes a node of each part of the processes
  recording     what a recording costs, and what it takes to open, seek and run one again: some minutes
  synthesis     a behavior from goals
  adaptive      a choice among strategies, and a strategy watched
  world         physics with and without a camera, in the door world
  --long        also how soon a search is near to what it finds in a minute: takes several
  --pinocchio   also Pinocchio on the same targets: installs it from PyPI under target/ and needs python3 and g++
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            engine::run();
            println!();
            values::run();
            println!();
            robot::run(false);
            println!();
            starts::run();
            println!();
            steps::run();
            println!();
            scene::run();
            println!();
            shared::run();
            println!();
            operator::run();
            println!();
            parts::run();
            println!();
            synthesis::run();
            println!();
            adaptive::run();
            println!();
            world::run();
        }
        ["engine"] => engine::run(),
        ["--peers"] => peers::run(),
        ["robot"] => robot::run(false),
        ["robot", "--pinocchio"] => robot::run(true),
        ["world"] => world::run(),
        ["footsteps"] => steps::run(),
        ["footsteps", "--long"] => {
            steps::run();
            steps::long();
        }
        ["scene"] => scene::run(),
        ["starts"] => starts::run(),
        ["values"] => values::run(),
        ["points"] => points::run(),
        ["document"] => shared::run(),
        ["operator"] => operator::run(),
        ["recording"] => recording::run(),
        ["synthesis"] => synthesis::run(),
        ["adaptive"] => adaptive::run(),
        ["memory"] => parts::run(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn short(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

/// The best of several rounds, in nanoseconds: what the code costs when nothing else interferes.
fn best(rounds: usize, mut round: impl FnMut() -> f64) -> f64 {
    (0..rounds).map(|_| round()).fold(f64::INFINITY, f64::min)
}
