//! What takes longer than others may wait: done on a thread of its own, on a copy of the tree.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use check::Known;
use engine::{Body, Registry};
use geometry::Pose;
use model::file::{Files, Loaded, MemoryFiles, load, save};
use model::{Catalogue, Edit, Field, Library, NodeId};
use protocol::api::{
    Answer, ExpectedView, Failure, FailureCode, FileEntry, FootstepView, InstanceView, PreviewView, ProblemView,
    SampleView, TouchView,
};
use robot::{Robot, Sample};
use serde_json::Value as Json;

use crate::asks::failed;
use crate::operator::failure;
use crate::session::SessionId;
use crate::workshop::{RobotWork, Workshop};

pub struct Work {
    /// None: nobody has asked for it.
    pub asked: Option<(SessionId, u32)>,
    pub registry: Arc<Registry>,
    pub library: Library,
    pub what: What,
}

pub enum What {
    Preview {
        body: Body,
        /// Only this one step, from where the robot is now.
        node: Option<NodeId>,
        /// Settings that it would have.
        with: serde_json::Map<String, Json>,
    },
    /// From where the robot is, if one is known.
    Expected {
        body: Option<Body>,
    },
    Check {
        /// What they need beside them.
        files: Box<dyn Files + Send>,
        robot: Option<Arc<Robot>>,
        frames: Vec<Arc<str>>,
    },
    /// How many children of each fallback are its try.
    Tries,
    Robot {
        workshop: Workshop,
        work: RobotWork,
    },
    /// Whether this process can begin anew with the robot of a file.
    UseRobot {
        path: PathBuf,
    },
}

impl std::fmt::Debug for Work {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "work for {:?}", self.asked)
    }
}

/// For [`crate::Operator::done`].
#[derive(Debug)]
pub enum Worked {
    Answer {
        session: SessionId,
        request: u32,
        answer: Box<Result<Answer, Failure>>,
    },
    /// To begin anew with.
    Robot {
        session: SessionId,
        request: u32,
        path: PathBuf,
    },
    /// None: it failed.
    Tries(Option<BTreeMap<NodeId, usize>>),
}

/// Files of the folder, thousands maybe: with a thread of its own, so that no preview waits for it.
pub struct Listing {
    pub session: SessionId,
    pub request: u32,
    pub lister: Box<dyn FnOnce() -> std::io::Result<Vec<FileEntry>> + Send>,
    pub folders: Box<dyn FnOnce() -> std::io::Result<Vec<String>> + Send>,
}

impl std::fmt::Debug for Listing {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "list for {:?}, request {}", self.session, self.request)
    }
}

impl Listing {
    pub fn run(self) -> Worked {
        let (session, request) = (self.session, self.request);
        let found = move || Ok(Answer::Files { files: (self.lister)()?, folders: (self.folders)()? });
        let list = move || found().map_err(|error: std::io::Error| failed(&error));
        Worked::Answer { session, request, answer: Box::new(caught(list)) }
    }
}

/// One that fails inside ends neither the thread nor the process: whoever asked is told.
pub(crate) fn caught(work: impl FnOnce() -> Result<Answer, Failure>) -> Result<Answer, Failure> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let text = "this failed by a fault of the program, which its log shows: nothing was changed";
        Err(failure(FailureCode::Failed, text))
    })
}

impl Work {
    pub fn run(self) -> Worked {
        let Some((session, request)) = self.asked else {
            let found = || crate::tries::find(&self.library, &self.registry);
            return Worked::Tries(std::panic::catch_unwind(std::panic::AssertUnwindSafe(found)).ok());
        };
        if let What::UseRobot { path } = self.what {
            let loads = caught(|| Workshop::loads(&path).map(|()| Answer::Done));
            return match loads {
                Ok(_) => Worked::Robot { session, request, path },
                refused => Worked::Answer { session, request, answer: Box::new(refused) },
            };
        }
        Worked::Answer { session, request, answer: Box::new(caught(move || self.answer())) }
    }

    fn answer(self) -> Result<Answer, Failure> {
        let Work { registry, library, what, .. } = self;
        Ok(match what {
            What::Preview { body, node, with } => {
                let library = if let Some(node) = node { library_with(library, node, with) } else { library };
                Answer::Preview { steps: preview(&library, &registry, body, node) }
            }
            What::Expected { body } => {
                let view = |bar: check::Expected| ExpectedView {
                    step: InstanceView { uses: bar.step.uses, node: bar.step.node },
                    start_s: bar.start_s,
                    end_s: bar.end_s,
                };
                Answer::Expected { steps: check::expected(&library, &registry, body).into_iter().map(view).collect() }
            }
            What::Check { files, robot, frames } => {
                let overlay = Overlay { texts: texts(&library, registry.catalogue()), files };
                let known = Known { robot, frames, ..Known::default() };
                Answer::Problems { problems: problems(&library, &registry, &overlay, &known) }
            }
            What::Robot { workshop, work } => return workshop.run(work),
            What::Tries | What::UseRobot { .. } => Answer::Done,
        })
    }
}

/// Files as they would be saved.
fn texts(library: &Library, catalogue: &Catalogue) -> MemoryFiles {
    MemoryFiles(library.iter().map(|(_, tree)| (tree.file.to_string(), save(tree, catalogue))).collect())
}

/// Files as they would be after a save.
struct Overlay {
    texts: MemoryFiles,
    files: Box<dyn Files + Send>,
}

impl Files for Overlay {
    fn read(&self, path: &str) -> Result<String, String> {
        self.texts.read(path).or_else(|_| self.files.read(path))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        self.files.names_in(folder)
    }
}

fn problems(library: &Library, registry: &Registry, files: &Overlay, known: &Known<'_>) -> Vec<ProblemView> {
    let file = library.main().file.to_string();
    let found = match load(&file, files, registry.catalogue()) {
        Ok(Loaded { problems, .. }) => {
            // Ids as they are in the tree, not as a file would give them anew.
            let loaded = Loaded { library: library.clone(), problems };
            check::problems_of(&loaded, files, registry, known)
        }
        Err(problem) => vec![problem],
    };
    let view = |problem: model::Problem| {
        let remedy = if problem.remedy.is_empty() { String::new() } else { format!(": {}", problem.remedy) };
        ProblemView {
            error: problem.is_error(),
            text: format!("{}{remedy}", problem.message),
            file: problem.file,
            node: problem.node.filter(|node| library.owner_of(*node).is_some()),
            field: problem.field,
        }
    };
    found.into_iter().map(view).collect()
}

/// With other settings of a node. One that does not fit is told when the node is read.
fn library_with(mut library: Library, node: NodeId, with: serde_json::Map<String, Json>) -> Library {
    for (field, value) in with {
        let value = (!value.is_null()).then(|| Field::from_json(value));
        // What is no setting stays as it is.
        let _ = library.apply(&Edit::Set { node, field: field.into(), value, at: None });
    }
    library
}

/// Of the way of a body so many moments are told at most.
const MOST_SAMPLES: usize = 40;

fn way(samples: &[Sample]) -> Vec<SampleView> {
    let every = samples.len().div_ceil(MOST_SAMPLES).max(1);
    // The last one is always among them.
    let told = samples.iter().rev().step_by(every).map(|sample| SampleView {
        time_s: sample.time_s,
        base: sample.world_from_base.numbers(),
        joints: sample.positions.iter().map(|position| (position * 1e4).round() / 1e4).collect(),
        reached: sample.reached,
    });
    let mut told: Vec<SampleView> = told.collect();
    told.reverse();
    told
}

/// The setting by which a step may press links of the body into each other.
const MAY_TOUCH_BODY: &str = "may_touch_body";

fn touch(registry: &Registry, kind: &str, links: Option<[String; 2]>) -> Option<TouchView> {
    let has_setting = registry.catalogue().get(kind).is_some_and(|info| info.field(MAY_TOUCH_BODY).is_some());
    links.filter(|_| has_setting).map(|links| TouchView { links, allowed_by: MAY_TOUCH_BODY.to_owned() })
}

fn preview(library: &Library, registry: &Registry, body: Body, node: Option<NodeId>) -> Vec<PreviewView> {
    let here = (body.state().world_from_base.numbers(), body.state().positions.clone());
    let rows = match node {
        Some(node) => check::preview_one(library, registry, body, node),
        None => check::preview(library, registry, body, None),
    };
    let view = |row: check::Row| {
        let problem = row.problem.clone();
        let preview = row.preview.unwrap_or_default();
        let at_goal = !preview.goal.is_empty();
        PreviewView {
            step: InstanceView { uses: row.step.uses, node: row.step.node },
            path: row.path,
            problem,
            duration_s: preview.duration_s,
            quality: preview.quality,
            base: if at_goal { preview.world_from_base.numbers() } else { here.0 },
            joints: if at_goal { preview.goal } else { here.1.clone() },
            hand_paths: preview
                .hand_paths
                .iter()
                .map(|path| path.world_from_hand.iter().map(Pose::numbers).collect())
                .collect(),
            footsteps: preview
                .footsteps
                .iter()
                .map(|step| FootstepView { side: step.side, pose: step.world_from_sole.numbers() })
                .collect(),
            collisions: preview.collisions,
            way: way(&preview.samples),
            touches: touch(registry, &row.kind, preview.touches),
        }
    };
    rows.into_iter().map(view).collect()
}
