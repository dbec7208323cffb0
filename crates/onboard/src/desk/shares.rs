//! What others than whoever is in control may do: the run is held by one person, the scene and the questions by all.

use engine::{Control, Instance};
use protocol::Role;
use protocol::talk::{AskedOf, Detail, instance_number};

use super::Desk;

impl Desk {
    /// Without run control.
    pub(super) fn may_share(&self, control: &Control, role: Role) -> bool {
        match control {
            Control::FreezeObject { .. } | Control::DeleteObject { .. } | Control::PlaceObject(_) => {
                role >= Role::Operator
            }
            Control::Answer { step, .. } => self.asks(step).is_some_and(|of| match of {
                AskedOf::InControl => false,
                AskedOf::Anybody => true,
                AskedOf::Operator => role >= Role::Operator,
                AskedOf::Supervisor => role >= Role::Supervisor,
            }),
            _ => false,
        }
    }

    /// Whom this step asks now.
    fn asks(&self, step: &Instance) -> Option<AskedOf> {
        let step = instance_number(step);
        let key = Detail::Question { step, asked: None }.key();
        match self.details.get(&key) {
            Some(Detail::Question { asked: Some(asked), .. }) => Some(asked.of),
            _ => None,
        }
    }
}
