//! What operators do to the scene by hand. It counts at once, as all that they command: the steps of the same tick see it.

use std::sync::Arc;

use geometry::Pose;
use scene::SceneUpdate;

use crate::engine::Engine;
use crate::input::Placement;

/// What operators are told of an object goes into one datagram.
const MOST_NAME: usize = 60;

type Refusal = Result<(), String>;

impl Engine {
    pub(crate) fn freeze_object(&mut self, object: &Arc<str>, on: bool) -> Refusal {
        self.change_scene(&SceneUpdate::Freeze { name: Arc::clone(object), on })
    }

    pub(crate) fn delete_object(&mut self, object: &Arc<str>) -> Refusal {
        self.change_scene(&SceneUpdate::Delete { name: Arc::clone(object) })
    }

    pub(crate) fn place_object(&mut self, placement: &Placement) -> Refusal {
        let Placement { object, class, frame, pose } = placement;
        let name: Arc<str> = object.trim().into();
        let body = self.world.body.as_ref().ok_or_else(no_robot)?;
        // A frame of the body would be hidden by it in some places and not in others.
        if robot::BodyFrame::find(body.robot(), &name).is_some() {
            return Err(format!("`{name}` is a frame of the robot or the world: give the object another name"));
        }
        if name.len() > MOST_NAME {
            return Err(format!("the name has {} bytes: give it one of at most {MOST_NAME}", name.len()));
        }
        let frame_from_object = Pose::from_numbers(*pose)
            .filter(Pose::is_finite)
            .ok_or("the pose is not one: give x, y, z in metres, then a quaternion x, y, z, w of length 1")?;
        let world_from_object = body.world_from(frame)? * frame_from_object;
        self.change_scene(&SceneUpdate::Place { name, class: class.clone(), world_from_object })
    }

    fn change_scene(&mut self, update: &SceneUpdate) -> Refusal {
        let body = self.world.body.as_mut().ok_or_else(no_robot)?;
        body.apply(update).map_err(|refused| refused.to_string())?;
        self.world.look();
        Ok(())
    }
}

fn no_robot() -> String {
    "there is no robot, so that there is no scene".to_owned()
}
