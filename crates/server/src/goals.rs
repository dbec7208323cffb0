//! Goals to behaviors: what the robot is asked to find, and what became of it.

use std::sync::Arc;

use link::{Message, Outcome};
use model::Problem;
use model::file::{join, relative, save};
use protocol::api::{
    AbilityKind, AbilityView, Answer, CapabilitiesView, Failure, FailureCode, GoalStepView, GoalView, Place,
    SynthesizedView,
};
use protocol::talk::{Demand, Goal, Reply, Want};
use serde_json::Value as Json;
use synthesis::{Capabilities, Plan, Request};

use crate::commands::answer;
use crate::operator::{Now, Operator, Tag, failure};
use crate::session::SessionId;

/// Where capabilities lie in the folder of the operator.
pub(crate) const FOLDER: &str = "capabilities";

/// A search ends before this.
const VALID_S: f64 = 15.0;

/// A capabilities file of the folder.
#[derive(Clone)]
pub(crate) struct Able {
    pub file: String,
    pub capabilities: Arc<Capabilities>,
}

/// Asked of the robot, and not answered yet.
pub(crate) struct Asked {
    able: Able,
    request: Request,
    link_bytes: u32,
    session: SessionId,
    id: u32,
}

/// What a client wants found; `from`: none is what the run says.
pub(crate) struct Wanted {
    pub capabilities: String,
    pub from: Option<Vec<String>>,
    /// All but where it begins.
    pub request: Request,
}

impl Operator {
    pub(crate) fn able(&self, file: &str) -> Result<Able, Failure> {
        let refused = |text: String| failure(FailureCode::Refused, text);
        let text = self.setup.store.read(file).map_err(|why| refused(format!("{file}: {why}")))?;
        let (capabilities, problems) = Capabilities::load_with(file, &text, &*self.setup.store);
        if let Some(problem) = problems.iter().find(|problem| Problem::is_error(problem)) {
            return Err(refused(problem.to_string()));
        }
        Ok(Able { file: file.to_owned(), capabilities: Arc::new(capabilities) })
    }

    pub(crate) fn capabilities(&mut self, file: Option<String>) -> Result<Answer, Failure> {
        let names = self.setup.store.names_in(FOLDER);
        let files: Vec<String> = names.iter().map(|name| format!("{FOLDER}/{name}")).collect();
        let files: Vec<String> = files.into_iter().filter(|name| name.ends_with(".json")).collect();
        let Some(file) = file.or_else(|| files.first().cloned()) else {
            return Ok(Answer::Capabilities { files, told: None });
        };
        let able = self.able(&file)?;
        self.refresh_numbers();
        let view = |kind: AbilityKind, name: &str, notes: &str| AbilityView {
            name: name.to_owned(),
            is: kind,
            notes: notes.to_owned(),
        };
        let (parent, index) = self.next_place(Some(&able)).at;
        let Capabilities { name, notes, modes, actions, facts, .. } = &*able.capabilities;
        let modes = modes.iter().map(|(name, mode)| view(AbilityKind::Mode, name, &mode.notes));
        let actions = actions.iter().map(|(name, action)| view(AbilityKind::Action, name, &action.notes));
        let facts = facts.iter().map(|(name, notes)| view(AbilityKind::Fact, name, notes));
        let told = CapabilitiesView {
            name: name.clone(),
            notes: notes.clone(),
            abilities: modes.chain(actions).chain(facts).collect(),
            present: self.what_is_so(&able),
            place: Place { parent, index },
            file,
        };
        Ok(Answer::Capabilities { files, told: Some(told) })
    }

    /// What means nothing is refused here; all else goes to the robot.
    pub(crate) fn synthesize(
        &mut self,
        now: Now,
        (session, id): (SessionId, u32),
        wanted: Wanted,
        order: impl Fn(Want) -> Demand,
    ) -> Result<(), Failure> {
        let able = self.able(&wanted.capabilities)?;
        self.refresh_numbers();
        let from = wanted.from.unwrap_or_else(|| self.what_is_so(&able));
        let request = Request { from, ..wanted.request };
        let wrong = |wrong: synthesis::Wrong| failure(FailureCode::Refused, wrong.to_string());
        let request = request.checked(&able.capabilities).map_err(wrong)?;
        self.has_robot()?;
        let name = able.file.rsplit('/').next().unwrap_or(&able.file).trim_end_matches(".json");
        let goal = Goal { by: name.into(), digest: able.capabilities.digest, request: request.clone() };
        let order = order(Want::Achieve(Box::new(goal)));
        let bytes = order.to_bytes();
        self.audit(format!("{} wants the way to {}", order.by, request.goals.join(", ")));
        let asked = Asked { able, request, link_bytes: bytes.len() as u32, session, id };
        let valid_for_ns = (VALID_S * 1e9) as u64;
        let tag = self.offer(Message::Command { bytes, valid_for_ns });
        self.commands.wait(tag, session, id, now.ns.saturating_add(valid_for_ns));
        let commands = &self.commands;
        self.goals.retain(|tag, _| commands.is_waiting(*tag));
        self.goals.insert(tag, asked);
        Ok(())
    }

    /// The robot's answer, if it is one to a goal. False: it is not.
    pub(crate) fn goal_answered(&mut self, tag: Option<Tag>, outcome: &Outcome) -> bool {
        let Some(asked) = tag.and_then(|tag| self.goals.remove(&tag)) else { return false };
        let told = match outcome {
            Outcome::Answered(bytes) => match serde_json::from_slice::<Reply>(bytes) {
                Ok(Reply::Behavior(found)) => self.synthesized(&asked, found).map(Answer::Synthesized),
                _ => answer(outcome),
            },
            _ => answer(outcome),
        };
        self.reply(asked.session, asked.id, told);
        true
    }

    /// What the robot found is proved here once more: the tree is made here.
    fn synthesized(&mut self, asked: &Asked, found: Result<Vec<String>, String>) -> Result<SynthesizedView, Failure> {
        let Asked { able, request, link_bytes, .. } = asked;
        let Request { from, goals, strict, retry, modes } = request.clone();
        self.refresh_numbers();
        let (parent, index) = self.next_place(Some(able)).at;
        let mut view = SynthesizedView {
            request: GoalView { from, goals, strict, retry, modes },
            steps: Vec::new(),
            tree: Json::Null,
            proof: None,
            why: None,
            place: Place { parent, index },
            link_bytes: *link_bytes,
        };
        let names = match found {
            Ok(names) => names,
            Err(why) => return Ok(SynthesizedView { why: Some(why), ..view }),
        };
        let plan = Plan::told(&able.capabilities, request, &names);
        let main = self.shared.document().library().main().file.to_string();
        let tree = synthesis::tree(&able.capabilities, request, &plan, &relative(&main, &able.file));
        let proof = synthesis::prove(&able.capabilities, request, &tree).map_err(|fault| {
            let text = format!("what the robot found does not hold here: {fault}; are both of one version?");
            failure(FailureCode::RobotRefused, text)
        })?;
        let step = |each: synthesis::Activation| {
            let synthesis::Activation { name, goal, is_mode } = each;
            GoalStepView { name, goal, is_mode }
        };
        view.steps = plan.activations.into_iter().map(step).collect();
        view.proof = Some(proof.to_string());
        let text = save(&synthesis::definition(&main, &tree), self.setup.registry.catalogue());
        view.tree = serde_json::from_str(&text).map_err(|error| failure(FailureCode::Failed, error.to_string()))?;
        Ok(view)
    }

    /// Where an insert of a client goes that names no place; refused where what it was found for is not so any more.
    pub(crate) fn insert_place(
        &mut self,
        capabilities: Option<&str>,
        from: Option<&[String]>,
    ) -> Result<(model::NodeId, usize), Failure> {
        self.refresh_numbers();
        let able = capabilities.map(|file| self.able(file)).transpose()?;
        if let (Some(able), Some(from)) = (&able, from) {
            let now = self.what_is_so(able);
            let is_same = now.len() == from.len() && from.iter().all(|name| now.contains(name));
            if !is_same {
                let listed = |names: &[String]| if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
                let (now, then) = (listed(&now), listed(from));
                let text =
                    format!("the run has gone on: now {now} is so, and it was found for {then}: synthesise again");
                return Err(failure(FailureCode::Refused, text));
            }
        }
        Ok(self.next_place(able.as_ref()).at)
    }
}

impl Able {
    /// The ability that a step of this name or with this skill file does.
    pub(crate) fn named(&self, name: &str, skill: Option<&str>) -> Option<&str> {
        let abilities = || self.capabilities.abilities();
        let by_name = abilities().find(|(known, _)| known == name);
        let uses = |ability: &synthesis::Ability| {
            let file = ability.step.as_ref().and_then(|step| step.get("file")).and_then(Json::as_str);
            file.is_some_and(|file| Some(join(&self.file, file).as_str()) == skill)
        };
        by_name.or_else(|| abilities().find(|(_, ability)| uses(ability))).map(|(name, _)| name.as_str())
    }
}
