//! What is asked of tree and robot and is answered here, at once or by a thread of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{Library, common_fields, common_schema};
use protocol::api::{Answer, Failure, FailureCode};
use serde_json::{Value as Json, json};

use crate::operator::{Effect, Now, Operator, failure};
use crate::session::SessionId;
use crate::work::{What, Work, Worked};

impl Operator {
    /// With the values that the robot last told: of a skill, those of its first use.
    pub(super) fn evaluate(&self, node: model::NodeId, text: &str) -> Answer {
        let library = self.shared.document().library();
        let header = library.owner_of(node).map(|owner| library.get(owner).header.clone()).unwrap_or_default();
        let is_main = library.owner_of(node).is_none_or(|owner| owner == Library::MAIN);
        let (variables, _) = self.run.variables(&self.numbers);
        let names_of = |view: &protocol::api::VariableView| match &view.of {
            Some(of) => {
                !is_main
                    && library
                        .owner_of(of.node)
                        .is_some_and(|at| library.skill_of(at, of.node) == library.owner_of(node))
            }
            None => view.world || is_main,
        };
        let mut values = BTreeMap::new();
        for view in variables.iter().filter(|view| names_of(view)) {
            if let Some(value) = model::Value::from_json(&view.value) {
                values.entry(view.name.clone()).or_insert(value);
            }
        }
        let body = self.robot.as_ref().map(|robot| robot.body());
        match engine::evaluate(text, &header, &values, body) {
            Ok(value) => Answer::Value { value: value.to_json(), why: None },
            Err(why) => Answer::Value { value: Json::Null, why: Some(why) },
        }
    }

    pub(super) fn node_types(&self) -> Answer {
        let catalogue = self.setup.registry.catalogue();
        let types: Vec<_> = catalogue.iter().collect();
        let functions: Vec<_> = expression::FUNCTIONS
            .iter()
            .map(|function| json!({"name": function.name, "usage": function.usage, "help": function.help}))
            .collect();
        Answer::NodeTypes {
            types: json!(types),
            common: json!({"fields": common_fields(), "schema": common_schema()}),
            functions: json!(functions),
        }
    }

    pub(super) fn preview(
        &mut self,
        asked: (SessionId, u32),
        node: Option<model::NodeId>,
        with: serde_json::Map<String, Json>,
    ) -> Result<(), Failure> {
        let Some(robot) = &self.robot else {
            return Err(failure(
                FailureCode::NoRobot,
                "nothing is known of the robot yet: a preview begins where it is",
            ));
        };
        let library = self.shared.document().library();
        if let Some(node) = node
            && library.owner_of(node).is_none()
        {
            return Err(failure(FailureCode::Refused, format!("node {node} is not in the tree")));
        }
        let what = What::Preview { body: robot.body().clone(), node, with };
        self.give_work(asked, what);
        Ok(())
    }

    pub(super) fn give_work(&mut self, asked: (SessionId, u32), what: What) {
        let library = self.shared.document().library().clone();
        let work = Work { asked: Some(asked), registry: Arc::clone(&self.setup.registry), library, what };
        self.effects.push(Effect::Work(Box::new(work)));
    }

    pub(super) fn check(&mut self, session: SessionId, request: u32) {
        let robot = self.robot.as_ref().map(|robot| Arc::clone(&robot.robot));
        let frames = self.robot.iter().flat_map(|robot| robot.body().objects().keys().cloned()).collect();
        let files = self.setup.store.reader();
        self.give_work((session, request), What::Check { files, robot, frames });
    }

    /// Nobody had time for work that was given away.
    pub fn too_busy(&mut self, now: Now, asked: Option<(SessionId, u32)>) {
        match asked {
            Some((session, request)) => {
                let text = "too many previews, checks and lists wait: try again";
                self.reply(session, request, Err(failure(FailureCode::TooMany, text)));
            }
            None => self.tries_found(None),
        }
        self.flush_all(now);
    }

    /// Work that was given away is done.
    pub fn done(&mut self, now: Now, worked: Worked) {
        match worked {
            Worked::Answer { session, request, answer } => self.reply(session, request, *answer),
            Worked::Robot { session, request, path } => {
                self.reply(session, request, Ok(Answer::Done));
                self.effects.push(Effect::UseRobot(path));
            }
            Worked::Tries(tries) => self.tries_found(tries.as_ref()),
        }
        self.flush_all(now);
    }
}
