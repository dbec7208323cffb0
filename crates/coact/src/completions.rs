//! What a shell needs to complete our commands.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::out::{self, Done, SUCCESS};

#[derive(clap::Args)]
#[command(after_help = "In bash: source <(coact completions bash)")]
pub struct Args {
    /// The shell the script is for.
    shell: Shell,
}

pub fn run(args: &Args) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "coact", &mut script);
    out::print(&String::from_utf8_lossy(&script))?;
    Ok(SUCCESS)
}
