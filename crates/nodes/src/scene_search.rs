//! Objects that are found among the points of a picture, once.

use engine::{Body, Cannot, Context, Mirror, Tick};
use geometry::Pose;
use scene::{Cloud, Measures, SceneUpdate};

use crate::body::setting::{FrameName, PoseSetting};
use crate::scene_action::{self, Asked, State, own_frame};
use crate::why_not::{Lack, WhyNot};

/// What such steps have in common.
pub struct Search<'a> {
    pub object: &'a str,
    pub class: Option<&'a str>,
    /// Empty: the one with the newest picture.
    pub camera: &'a str,
    pub search_s: f64,
    pub nominal: Option<PoseSetting>,
    pub frame: &'a FrameName,
}

impl Search<'_> {
    pub fn place_nominal(&self, body: &Body) -> Result<SceneUpdate, Cannot> {
        place_nominal((self.object, self.class), self.nominal.as_ref(), self.frame, body)
    }

    fn place(&self, world_from_object: Pose) -> SceneUpdate {
        SceneUpdate::Place { name: self.object.into(), class: self.class.map(Into::into), world_from_object }
    }

    fn measure(&self, measures: Measures) -> Option<SceneUpdate> {
        (!measures.is_empty()).then(|| SceneUpdate::Measure { name: self.object.into(), measures })
    }
}

/// Puts an object where it is in a preview.
pub fn place_nominal(
    (object, class): (&str, Option<&str>),
    nominal: Option<&PoseSetting>,
    frame: &FrameName,
    body: &Body,
) -> Result<SceneUpdate, Cannot> {
    let nominal = nominal.ok_or_else(|| WhyNot::NoNominalPose { object: object.to_owned() })?;
    let world_from_object = body.world_from(&frame.0)? * nominal.pose();
    Ok(SceneUpdate::Place { name: object.into(), class: class.map(Into::into), world_from_object })
}

/// Looks in each picture until it is found or the time is over. Only pictures that were taken since the step began
/// count: an older one shows where things were before the robot turned to them.
pub fn tick(
    state: &mut State,
    context: &mut Context<'_>,
    search: &Search<'_>,
    find: impl FnOnce(&Body, &Cloud) -> Result<(Pose, Measures), Cannot>,
) -> Tick {
    scene_action::tick(state, context, |context| {
        let body = context.body()?;
        if let Some(wrong) = own_frame(body.robot(), search.object) {
            return Err(wrong.into());
        }
        if context.is_preview() {
            return Ok(Asked::Now(vec![search.place_nominal(body)?]));
        }
        let since_ns = context.time_ns() - context.elapsed_ns();
        let camera = (!search.camera.is_empty()).then_some(search.camera);
        let cloud = body.scene().latest_cloud(camera).filter(|cloud| cloud.time_ns >= since_ns);
        let found = match cloud {
            Some(cloud) => find(body, cloud),
            None => Err(WhyNot::NoNewPicture.into()),
        };
        match found {
            Ok((world_from_object, measures)) => {
                let place = search.place(world_from_object);
                Ok(Asked::Now([place].into_iter().chain(search.measure(measures)).collect()))
            }
            Err(_) if !context.has_run_for(search.search_s) => Ok(Asked::NotYet),
            Err(reason) => Err(reason),
        }
    })
}

pub fn mirror(nominal: &mut Option<PoseSetting>, frame: &mut FrameName, mirror: &Mirror<'_>) -> Result<(), Cannot> {
    if let Some(nominal) = nominal {
        nominal.mirror(frame, mirror)?;
        frame.mirror(mirror);
    }
    Ok(())
}

pub fn change_frame(
    nominal: &mut Option<PoseSetting>,
    frame: &mut FrameName,
    to: &str,
    body: &Body,
) -> Result<(), Cannot> {
    nominal.as_mut().ok_or(Lack::NominalPose)?.change_frame(frame, to, body)?;
    *frame = FrameName::named(to);
    Ok(())
}
