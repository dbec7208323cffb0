//! The engine beside other libraries of behavior trees, in one run: `./dev bench --peers`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::engine::{asked_tick, guarded_tick, instant_steps, running_tick};
use crate::short;

/// Nanoseconds: an instant step of 1,000, a tick with 100 running, a tick of an action under ten conditions.
type Figures = [f64; 3];

/// A wait of ours knows when it wakes; theirs are asked in every tick.
const WAITS: &str = "a tick with 100 waits running";

const WHATS: [&str; 3] =
    ["an instant step of 1,000", "a tick with 100 running", "a tick with 10 conditions over an action"];

pub fn run() {
    println!("In one run, ns; ours with recording, the others without.\n");
    let ours = [instant_steps(1_000), asked_tick(100), guarded_tick(10)];
    let bonsai = bonsai();
    let py_trees = py_trees();
    for (name, peer) in [("bonsai-bt", &bonsai), ("py_trees", &py_trees)] {
        if let Err(why) = peer {
            println!("{name} is not measured: {why}.\n");
        }
    }
    println!("| what | ours | bonsai-bt | ratio | py_trees | ratio |");
    println!("|---|---|---|---|---|---|");
    for (index, what) in WHATS.iter().enumerate() {
        let cells = [&bonsai, &py_trees].map(|peer| match peer {
            Ok(figures) => format!("{} | {:.1} ×", short(figures[index]), figures[index] / ours[index]),
            Err(_) => " | ".to_owned(),
        });
        println!("| {what} | {} | {} | {} |", short(ours[index]), cells[0], cells[1]);
    }
    println!("| {WAITS} | {} | | | | |", short(running_tick(100, 100)));
}

#[cfg(not(feature = "peers"))]
fn bonsai() -> Result<Figures, String> {
    Err("built without the feature `peers`".to_owned())
}

#[cfg(feature = "peers")]
fn bonsai() -> Result<Figures, String> {
    Ok([bonsai_trees::instant(), bonsai_trees::running(), bonsai_trees::guarded()])
}

#[cfg(feature = "peers")]
mod bonsai_trees {
    use std::hint::black_box;
    use std::time::Instant;

    use bonsai_bt::{Action, BT, Behavior, Event, Sequence, Status, UpdateArgs, WhenAll};

    use crate::best;

    #[derive(Clone, Copy, Debug)]
    enum Act {
        Succeed,
        Run,
        Holds(usize),
    }

    /// Ten numbers that conditions look at, and what was done.
    struct Board {
        values: [f64; 10],
        done: u64,
    }

    fn tree(behavior: Behavior<Act>) -> BT<Act, Board> {
        BT::new(behavior, Board { values: [1.0; 10], done: 0 })
    }

    fn tick(tree: &mut BT<Act, Board>) -> Option<(Status, f64)> {
        let event: Event = UpdateArgs { dt: 0.01 }.into();
        tree.tick(&event, &mut |args, board| match *args.action {
            Act::Succeed => {
                board.done += 1;
                (Status::Success, args.dt)
            }
            Act::Run => {
                board.done += 1;
                (Status::Running, 0.0)
            }
            Act::Holds(index) if board.values[index] < 5.0 => (Status::Success, args.dt),
            Act::Holds(_) => (Status::Failure, args.dt),
        })
    }

    /// With the reset that the next run needs, as ours goes back to the beginning.
    pub fn instant() -> f64 {
        let mut tree = tree(Sequence(vec![Action(Act::Succeed); 1_000]));
        best(100, || {
            let begin = Instant::now();
            let result = tick(&mut tree);
            tree.reset_bt();
            let spent = begin.elapsed().as_nanos() as f64;
            assert!(matches!(result, Some((Status::Success, _))));
            spent / 1_000.0
        })
    }

    pub fn running() -> f64 {
        steady(tree(WhenAll(vec![Action(Act::Run); 100])))
    }

    pub fn guarded() -> f64 {
        let mut children: Vec<Behavior<Act>> = (0..10).map(|index| Action(Act::Holds(index))).collect();
        children.push(Action(Act::Run));
        steady(tree(Sequence(children).memory(false)))
    }

    fn steady(mut tree: BT<Act, Board>) -> f64 {
        let ticks = 2_000;
        best(40, || {
            let begin = Instant::now();
            for _ in 0..ticks {
                black_box(tick(&mut tree));
            }
            begin.elapsed().as_nanos() as f64 / f64::from(ticks)
        })
    }
}

/// Why not, as text, when it cannot be had here.
fn py_trees() -> Result<Figures, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target/py_trees");
    let python = folder.join("bin/python");
    if !python.is_file() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).stderr(Stdio::inherit()).status();
        made.map_err(|error| format!("python3: {error}"))?;
    }
    let install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "py_trees==2.6.0"];
    let installed = Command::new(&python).args(install).stderr(Stdio::inherit()).status();
    if !installed.map_err(|error| format!("pip: {error}"))?.success() {
        return Err("pip could not install py_trees".to_owned());
    }
    let script = root.join("crates/bench/py_trees_ticks.py");
    let output =
        Command::new(&python).arg(script).stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    Figures::try_from(numbers).map_err(|_| format!("py_trees_ticks.py ended with {}", output.status))
}
