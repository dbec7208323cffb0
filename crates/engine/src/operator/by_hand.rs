//! What operators do to the scene by hand. It counts at once, as all that they command: the steps of the same tick see it.

use std::sync::Arc;

use geometry::Pose;
use scene::SceneUpdate;

use crate::Refused;
use crate::door::Placement;
use crate::engine::Engine;

/// What operators are told of an object goes into one datagram.
pub(crate) const MOST_NAME: usize = 60;

type Done = Result<(), Refused>;

impl Engine {
    pub(super) fn freeze_object(&mut self, object: &Arc<str>, on: bool) -> Done {
        self.change_scene(&SceneUpdate::Freeze { name: Arc::clone(object), on })
    }

    pub(super) fn delete_object(&mut self, object: &Arc<str>) -> Done {
        self.change_scene(&SceneUpdate::Delete { name: Arc::clone(object) })
    }

    pub(super) fn place_object(&mut self, placement: &Placement) -> Done {
        let Placement { object, class, frame, pose } = placement;
        let name: Arc<str> = object.trim().into();
        let body = self.world.body.as_ref().ok_or(Refused::NoScene)?;
        // A frame of the body would be hidden by it in some places and not in others.
        if robot::BodyFrame::find(body.robot(), &name).is_some() {
            return Err(Refused::NameOfFrame { name: name.to_string() });
        }
        if name.len() > MOST_NAME {
            return Err(Refused::LongName { bytes: name.len() });
        }
        let frame_from_object = Pose::from_numbers(*pose).filter(Pose::is_finite).ok_or(Refused::NoPose)?;
        let world_from_object = body.world_from(frame)? * frame_from_object;
        self.change_scene(&SceneUpdate::Place { name, class: class.clone(), world_from_object })
    }

    fn change_scene(&mut self, update: &SceneUpdate) -> Done {
        let body = self.world.body.as_mut().ok_or(Refused::NoScene)?;
        body.apply(update)?;
        self.world.look();
        Ok(())
    }
}
