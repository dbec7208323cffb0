//! Manual pages: of the program, and one of each subcommand.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::out::{self, Done, SUCCESS};

#[derive(clap::Args)]
pub struct Args {
    /// The folder for the pages, made if it is not there. Without it, the page of the program is printed.
    folder: Option<PathBuf>,
}

pub fn run(args: &Args) -> Done {
    let command = crate::Cli::command();
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page).context("cannot write the page")?;
        out::print(&String::from_utf8_lossy(&page))?;
        return Ok(SUCCESS);
    };
    let place = folder.display();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {place}"))?;
    clap_mangen::generate_to(command, folder).with_context(|| format!("cannot write into {place}"))?;
    out::print(&format!("wrote the pages into {place}; read one with: man {place}/coact.1\n"))?;
    Ok(SUCCESS)
}
