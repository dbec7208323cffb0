//! A robot that was guessed from its URDF, as a person corrects it: guessed again with what they say, written, begun with.

use std::path::{Component, Path, PathBuf};

use protocol::api::{self, Answer, Failure, FailureCode, RobotGuessView, RobotProblem};
use robot::{Corrections, Description, Proposal, Robot};

use crate::asks::failed;
use crate::operator::failure;

/// Where the robot of this process comes from.
#[derive(Clone, Debug)]
pub struct Workshop {
    urdf: PathBuf,
    /// As its file names it.
    urdf_name: String,
    /// Where that file is, or would be.
    folder: PathBuf,
    file: String,
    /// What a person has said before.
    said: Corrections,
    pub(crate) state: api::Workshop,
}

pub enum RobotWork {
    Guess(Corrections),
    Write { corrections: Corrections, file: String, overwrite: bool },
}

impl Workshop {
    /// `path` is as a person named the robot. None: there is no URDF on this disk that it could be guessed from.
    pub fn of(robot: &Robot, path: &str) -> Option<Workshop> {
        let (path, urdf) = (Path::new(path), robot.urdf_file.clone());
        if !urdf.is_file() || !path.exists() {
            return None;
        }
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
        let is_urdf = path.is_file() && path.canonicalize().ok() == urdf.canonicalize().ok();
        if is_urdf {
            let (urdf_name, folder) = (name(&urdf)?, folder(&urdf));
            let (said, state) = (Corrections::default(), api::Workshop::Guessed);
            return Some(Workshop { urdf, urdf_name, folder, file: "robot.json".to_owned(), said, state });
        }
        let file = if path.is_dir() { path.join("robot.json") } else { path.to_owned() };
        let small: serde_json::Value = serde_json::from_str(robot.small_file.trim_start_matches('\u{feff}')).ok()?;
        Some(Workshop {
            urdf,
            urdf_name: small["urdf"].as_str().unwrap_or("robot.urdf").to_owned(),
            folder: folder(&file),
            file: name(&file)?,
            said: Corrections::of_file(&robot.small_file),
            state: api::Workshop::Written,
        })
    }

    pub(crate) fn said(&self) -> Corrections {
        self.said.clone()
    }

    /// A file beside the URDF, or where the robot's file is: nothing else can be written or begun with.
    pub(crate) fn place(&self, file: Option<&str>) -> Result<(String, PathBuf), Failure> {
        let file = file.unwrap_or(&self.file);
        let plain = matches!(Path::new(file).components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
        if !plain || file.starts_with('.') || file.contains('\\') || !file.ends_with(".json") {
            let text = format!("`{file}`: give the name of a file that ends in .json, without a folder");
            return Err(failure(FailureCode::Refused, text));
        }
        Ok((file.to_owned(), self.folder.join(file)))
    }

    pub(crate) fn run(&self, work: RobotWork) -> Result<Answer, Failure> {
        match work {
            RobotWork::Guess(corrections) => Ok(Answer::RobotGuess(Box::new(self.guess(corrections)?.1))),
            RobotWork::Write { corrections, file, overwrite } => self.write(corrections, &file, overwrite),
        }
    }

    fn guess(&self, corrections: Corrections) -> Result<(Proposal, RobotGuessView), Failure> {
        let wrong = |text: String| failure(FailureCode::Refused, format!("{}: {text}", self.urdf.display()));
        let bytes = std::fs::read(&self.urdf).map_err(|error| wrong(error.to_string()))?;
        let proposal = Proposal::corrected(&String::from_utf8_lossy(&bytes), &self.urdf, &self.urdf_name, &corrections)
            .map_err(|error| wrong(error.to_string()))?;
        let mut problems: Vec<&robot::Problem> = match &proposal.robot {
            Ok((_, problems)) => problems.iter().collect(),
            Err(error) => error.problems().iter().collect(),
        };
        problems.sort_by_key(|problem| !problem.is_error());
        let (file, path) = self.place(None)?;
        let view = RobotGuessView {
            urdf: self.urdf.display().to_string(),
            corrections,
            guessed: proposal.guessed.clone(),
            links: link_names(&proposal.description),
            problems: problems
                .iter()
                .map(|problem| RobotProblem { error: problem.is_error(), text: self.told(problem) })
                .collect(),
            file,
            is_there: path.exists(),
        };
        Ok((proposal, view))
    }

    /// Where it stands in the URDF; the file that is proposed has no lines yet.
    fn told(&self, problem: &robot::Problem) -> String {
        if Path::new(&problem.file) == self.urdf {
            return problem.to_string();
        }
        format!("{}: {}", problem.element, problem.message)
    }

    fn write(&self, corrections: Corrections, file: &str, overwrite: bool) -> Result<Answer, Failure> {
        let (file, path) = self.place(Some(file))?;
        if path.exists() && !overwrite {
            let text = format!(
                "{} is there already: write over it (what it was stays beside it as `{file}~`), or take another name",
                path.display()
            );
            return Err(failure(FailureCode::ChangedOnDisk, text));
        }
        let (proposal, _) = self.guess(corrections)?;
        model::file::save_with_backup(&path, &proposal.text()).map_err(|error| failed(&error))?;
        Ok(Answer::RobotWritten { file, path: path.display().to_string() })
    }

    /// Why this process cannot begin anew with that file.
    pub(crate) fn loads(path: &Path) -> Result<(), Failure> {
        let refused = |text: String| Err(failure(FailureCode::Refused, text));
        match Robot::load(path) {
            Err(error) => refused(error.to_string()),
            Ok((_, problems)) => match problems.iter().find(|problem| problem.is_error()) {
                None => Ok(()),
                Some(problem) => refused(format!("mend this first: {problem}")),
            },
        }
    }
}

fn link_names(description: &Description) -> Vec<String> {
    description.links.iter().map(|link| link.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use robot::FrameName;

    use super::*;

    const URDF: &str = include_str!("../../../robots/coact-mini/robot.urdf");

    /// A URDF in a folder of its own, as somebody brings it.
    fn brought(name: &str) -> (PathBuf, Workshop) {
        let folder = std::env::temp_dir().join(format!("coact-workshop-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let urdf = folder.join("mini.urdf");
        fs::write(&urdf, URDF).unwrap();
        let (robot, _) = Robot::find(urdf.to_str().unwrap()).unwrap();
        let workshop = Workshop::of(&robot, urdf.to_str().unwrap()).unwrap();
        assert_eq!(workshop.state, api::Workshop::Guessed);
        (folder, workshop)
    }

    fn hands_are(link: &str) -> Corrections {
        Corrections { links: [(FrameName::LeftHand, link.to_owned())].into(), ..Corrections::default() }
    }

    fn write(workshop: &Workshop, file: &str, overwrite: bool) -> Result<Answer, Failure> {
        let file = file.to_owned();
        workshop.run(RobotWork::Write { corrections: hands_are("l_arm_link_6"), file, overwrite })
    }

    #[test]
    fn what_a_person_says_is_guessed_with_written_and_known_again() {
        let (folder, workshop) = brought("said");
        let Answer::RobotGuess(view) = workshop.run(RobotWork::Guess(hands_are("l_arm_link_6"))).unwrap() else {
            panic!("another answer");
        };
        let of = |key: &str| view.guessed.iter().find(|told| told.key == key).unwrap();
        assert_eq!(of("frames.left_hand").links, ["l_arm_link_6"]);
        assert_eq!(of("frames.right_hand").links, ["r_arm_link_6"], "the mirror image");
        assert_eq!(of("frames.left_hand").confidence, robot::Confidence::Sure);
        assert!(!view.problems.iter().any(|problem| problem.error), "{:?}", view.problems);
        assert!(!view.is_there);
        write(&workshop, "robot.json", false).unwrap();
        assert_eq!(write(&workshop, "robot.json", false).unwrap_err().code, FailureCode::ChangedOnDisk);
        fs::write(folder.join("robot.json"), fs::read_to_string(folder.join("robot.json")).unwrap() + " ").unwrap();
        write(&workshop, "robot.json", true).unwrap();
        assert!(fs::read_to_string(folder.join("robot.json~")).unwrap().ends_with(' '), "what it was stays beside it");
        Workshop::loads(&folder.join("robot.json")).unwrap();
        let (robot, _) = Robot::load(&folder).unwrap();
        let again = Workshop::of(&robot, folder.to_str().unwrap()).unwrap();
        assert_eq!((again.state, again.said()), (api::Workshop::Written, hands_are("l_arm_link_6")));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_link_that_is_not_there_is_told_and_counts_as_not_said() {
        let (folder, workshop) = brought("unknown");
        let Answer::RobotGuess(view) = workshop.run(RobotWork::Guess(hands_are("l_arm_link_66"))).unwrap() else {
            panic!("another answer");
        };
        assert!(view.problems[0].error && view.problems[0].text.contains("l_arm_link_66"), "{:?}", view.problems);
        let hand = view.guessed.iter().find(|told| told.key == "frames.left_hand").unwrap();
        assert_ne!(hand.confidence, robot::Confidence::Missing);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn nothing_is_written_or_begun_with_elsewhere() {
        let (folder, workshop) = brought("elsewhere");
        let names = ["../robot.json", "/tmp/robot.json", "a/robot.json", ".robot.json", "mini.urdf", "", "a\\b.json"];
        for file in names {
            assert_eq!(write(&workshop, file, true).unwrap_err().code, FailureCode::Refused, "{file}");
            assert!(workshop.place(Some(file)).is_err(), "{file}");
        }
        assert!(Workshop::loads(&folder.join("none.json")).is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_robot_of_our_own_is_not_corrected() {
        let robot = Robot::builtin("coact-mini").unwrap();
        assert!(Workshop::of(&robot, "coact-mini").is_none());
    }
}
