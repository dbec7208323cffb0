//! The command. Each subcommand is a file: its arguments, and a function that gives the exit code.

mod browser;
mod cell_try;
mod check;
mod completions;
mod demo;
mod demo_scenes;
mod describe;
mod edit;
mod experience_folder;
mod experiences;
mod files;
mod footsteps;
mod import;
mod list;
mod log_file;
mod logging;
mod man;
mod markdown;
mod memory;
mod mesh_args;
mod move_joints;
mod new;
mod nodes_list;
mod operator;
mod out;
mod preview;
mod record;
mod replay;
mod resume;
mod robot_args;
mod robot_check;
mod robot_process;
mod run;
mod runs;
mod set;
mod shipped;
mod show;
mod show_picture;
mod site_parts;
mod synthesize;
mod trial;
mod trial_check;
mod trial_progress;
mod trial_work;
mod world;

use std::process::ExitCode;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};

use crate::out::Stop;

/// Headings and names stand out, as in cargo's help; `NO_COLOR` turns it off.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default())
    .error(AnsiColor::Red.on_default().bold())
    .valid(AnsiColor::Cyan.on_default().bold())
    .invalid(AnsiColor::Yellow.on_default().bold());

/// Behavior trees for humanoid robots: run them, check them, look at them.
#[derive(Parser)]
#[command(name = "coact", version, propagate_version = true, arg_required_else_help = true)]
#[command(styles = STYLES, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 success, 1 the behavior failed or was halted, 2 a file or the usage is wrong.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a behavior in simulated time and say what happened.
    Run(run::Args),
    /// Run behaviors many times, over seeds, worlds, robots and disturbances, and say how reliable they are.
    Trial(trial::Args),
    /// Say what each step of a behavior would do, from where the one before would leave the robot; nothing moves.
    Preview(preview::Args),
    /// Move joints of a robot to positions, once.
    Move(move_joints::Args),
    /// Robot and operator in one process, with a page in the browser: the address is printed.
    Demo(demo::Args),
    /// The operator's half: files, previews and the page, linked to a robot process.
    Operator(operator::Args),
    /// List the robots in a Zenoh mesh.
    Robots(mesh_args::Args),
    /// List the worlds, robots, skills, suites and templates there are.
    List(list::Args),
    /// Make a behavior or a world to begin with.
    New(new::Args),
    /// Say everything that is wrong with behavior files.
    Check(check::Args),
    /// Find a behavior that reaches goals, from what a robot is able to do.
    Synthesize(synthesize::Args),
    /// Change a behavior file as an editor would: mirror nodes, give poses in another frame.
    Edit(edit::Args),
    /// Show the tree of a behavior, with the skills it uses.
    Show(show::Args),
    /// List the node types with their settings, units, ranges and defaults.
    Nodes(nodes_list::Args),
    /// Try a cell file: the variables its signals give, the signals a command sets.
    Cell(cell_try::Args),
    /// Plan footsteps to a goal, and draw them.
    Footsteps(footsteps::Args),
    /// What attempts at tasks have shown: list it, look at it, clear it, export it.
    Experience(experiences::Args),
    /// List recorded runs, keep them, say where their time went, export their numbers.
    Runs(runs::Args),
    /// Say what happened in a recorded run, and why.
    Log(log_file::Args),
    /// Compute a recorded run anew from its inputs, or see what would become of it with an edited tree.
    Replay(replay::Args),
    /// Turn a file of another system into a behavior file.
    Import(import::Args),
    /// Be the half that is on board: run a behavior that operators watch, edit and command over a network.
    Robot(robot_process::Args),
    /// Make a key file for links beyond this machine, or read one; prints its public key.
    Keys(robot_process::KeysArgs),
    /// Say what a robot is and what is wrong with it; for a bare URDF, guess the file that it needs beside it.
    RobotCheck(robot_check::Args),
    /// Print a script with which a shell completes the commands of Coact.
    Completions(completions::Args),
    /// Print the manual page, or write those of all commands into a folder.
    Man(man::Args),
}

fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => {
            // Nobody is there to read it: nothing to add.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match command {
        Command::Run(args) => run::run(&args),
        Command::Trial(args) => trial::run(&args),
        Command::Preview(args) => preview::run(&args),
        Command::Move(args) => move_joints::run(&args),
        Command::Synthesize(args) => synthesize::run(&args),
        Command::Edit(args) => edit::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Operator(args) => operator::run(&args),
        Command::List(args) => list::run(&args),
        Command::New(args) => new::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Nodes(args) => nodes_list::run(&args),
        Command::Cell(args) => cell_try::run(&args),
        Command::Footsteps(args) => footsteps::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Robot(args) => robot_process::run(&args),
        Command::Experience(args) => experiences::run(&args),
        Command::Runs(args) => runs::run(&args),
        Command::Log(args) => log_file::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Keys(args) => robot_process::keys(&args),
        Command::Robots(args) => mesh_args::run(&args),
        Command::RobotCheck(args) => robot_check::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(Stop::ReaderLeft) => ExitCode::SUCCESS,
        Err(Stop::Wrong(error)) => {
            out::complain(&format!("coact: {error:#}"));
            ExitCode::from(2)
        }
    }
}
