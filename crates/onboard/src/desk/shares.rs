//! What others than whoever is in control may do: the run is held by one person, the scene and the questions by all.

use engine::{Control, Instance};
use protocol::Role;
use protocol::talk::{AskedOf, Detail, Question, instance_number};

use super::Desk;

impl Desk {
    /// Without run control.
    pub(super) fn may_share(&self, control: &Control, role: Role, team_role: Option<&str>) -> bool {
        match control {
            Control::FreezeObject { .. } | Control::DeleteObject { .. } | Control::PlaceObject(_) => {
                role >= Role::Operator
            }
            Control::Answer { step, .. } => self.asks(step).is_some_and(|asked| match asked.of {
                AskedOf::InControl => false,
                AskedOf::Anybody => true,
                AskedOf::Operator => role >= Role::Operator,
                AskedOf::Supervisor => role >= Role::Supervisor,
                AskedOf::TeamRole => team_role == Some(asked.team_role.trim()),
            }),
            _ => false,
        }
    }

    /// Whom else a question asks than who would answer it.
    pub(super) fn asked_of_others(&self, control: &Control) -> Option<String> {
        let Control::Answer { step, .. } = control else { return None };
        let asked = self.asks(step)?;
        match asked.of {
            AskedOf::InControl | AskedOf::Anybody => None,
            AskedOf::Operator => Some("operators are asked".to_owned()),
            AskedOf::Supervisor => Some("supervisors are asked".to_owned()),
            AskedOf::TeamRole => Some(format!("the role {} is asked", asked.team_role)),
        }
    }

    /// What this step asks now.
    fn asks(&self, step: &Instance) -> Option<&Question> {
        let step = instance_number(step);
        let key = Detail::Question { step, asked: None }.key();
        match self.details.get(&key) {
            Some(Detail::Question { asked, .. }) => asked.as_ref(),
            _ => None,
        }
    }
}
