//! Everything wrong with a behavior, all at once: each problem with the path of its node and how to mend it.
//!
//! A concern is a file and a line in [`CONCERNS`]. None of them runs anything: they read the tree, and report only what
//! holds for every run.

mod author;
mod behavior;
mod catches;
mod claims;
mod disabled;
mod expressions;
mod facts;
mod flow;
mod inputs;
mod jumps;
mod kinds;
mod lets;
mod order;
mod other_robots;
mod outcomes;
mod previews;
mod references;
mod report;
mod robot;
mod shape;
mod spinning;
mod tracks;
mod tree;
mod unreachable;
mod variables;

use std::sync::Arc;

use ::robot::Robot;
use engine::Registry;
use model::Problem;
use model::file::Loaded;

pub use author::{
    Expected, Known, Row, Told, WORST_QUALITY, begins_to_look, expected, looks_around, moves_body, preview,
    preview_one, problems_of, templates_beside,
};
use behavior::{Behavior, File};
use report::Report;

/// What is known beside the files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Commands the cell understands; none: not known, so that commands are not checked.
    pub commands: Option<Vec<Arc<str>>>,
    /// Variables of the behavior that are given a value when it is started.
    pub given: Vec<Arc<str>>,
    /// The names of the world are not all known: a variable that nobody sets may be one of its.
    pub open_world: bool,
    /// The robot that is to run it; none: not known, so that nothing is checked against it.
    pub robot: Option<Arc<Robot>>,
    /// Frames of objects that will be there.
    pub frames: Vec<Arc<str>>,
    /// Models behind the cameras; none: not known, so that their names are not checked.
    pub detectors: Option<Vec<Arc<str>>>,
}

type Concern = fn(&Behavior<'_>, &File<'_>, &mut Report<'_>);

const CONCERNS: &[Concern] = &[
    shape::check,
    disabled::check,
    expressions::check,
    references::check,
    order::check,
    variables::check,
    lets::check,
    inputs::check,
    unreachable::check,
    catches::check,
    outcomes::check,
    previews::check,
    spinning::check,
    claims::check,
    robot::check,
];

/// The loader's problems and those found here, ordered by file, then by place in the tree, each once. `world` names the
/// variables that robot and cell provide.
pub fn check(loaded: &Loaded, registry: &Registry, world: &[Arc<str>], options: &Options) -> Vec<Problem> {
    let behavior = Behavior::new(&loaded.library, registry, world, options);
    let mut report = Report::new(&loaded.problems);
    for file in &behavior.files {
        for concern in CONCERNS {
            concern(&behavior, file, &mut report);
        }
    }
    report.finish(&behavior)
}
