//! One of our recordings.

use std::sync::Arc;

use robot::Robot;
use robot::interface::RobotState;
use scene::{Cloud, Sight};

use super::{Item, Pass, What};
use crate::read::{File, ReadError};
use crate::replay::each_tick;
use crate::{foxglove, sight, topic};

pub fn pass(file: File) -> Result<(Arc<Robot>, Pass), ReadError> {
    let robot = file.begin().robot().map_err(|what| file.content(&what))?;
    let robot = robot.ok_or_else(|| file.content("it has no robot: there is nothing to play back"))?;
    let pass: Pass = Box::new(move |give| {
        let began_ns = file.begin().began_ns;
        let mut last_ns = began_ns;
        each_tick(&file, &mut |inputs| {
            let input = inputs.input;
            let at_ns = input.time_ns - began_ns;
            let period_ns = input.time_ns - last_ns;
            last_ns = input.time_ns;
            let mut tell = |what: What| give(Item { at_ns, what });
            let mut wanted = true;
            if let Some(state) = input.robot {
                let state = RobotState { time_ns: state.time_ns - began_ns, commands: Vec::new(), ..(*state).clone() };
                wanted &= tell(What::State(Box::new(state)));
            }
            for frame in input.frames {
                wanted &= tell(What::Frame(frame));
            }
            for seen in input.sights {
                wanted &= tell(What::Sight(with_points(&file, &seen, began_ns)?));
            }
            Ok(wanted && period_ns >= 0)
        })?;
        Ok(last_ns - began_ns + (1e9 / file.begin().rate_hz.max(1.0)) as i64)
    });
    Ok((robot, pass))
}

/// As it was where a step looked at it; else the thinned points of that moment, where they are on record.
fn with_points(file: &File, seen: &Sight, began_ns: i64) -> Result<Sight, ReadError> {
    let mut cloud = seen.cloud.as_deref().filter(|cloud| cloud.points().next().is_some()).cloned();
    if let (None, Some(empty)) = (&cloud, &seen.cloud) {
        let of_camera = topic::cloud(&seen.camera);
        file.visit((seen.time_ns, seen.time_ns), &|topic| topic == of_camera, &mut |_, _, bytes| {
            let data = foxglove::read_bytes(bytes, 6).ok_or_else(|| file.content("points are damaged"))?;
            cloud = Some(of_points(empty, &data));
            Ok(false)
        })?;
    }
    let cloud = cloud.map(|mut cloud| {
        cloud.time_ns -= began_ns;
        Arc::new(cloud)
    });
    Ok(Sight { time_ns: seen.time_ns - began_ns, cloud, ..seen.clone() })
}

/// In a row: where their pixels were is not on record.
fn of_points(seen: &Cloud, data: &[u8]) -> Cloud {
    let points: Vec<_> = sight::points(data).collect();
    let mut cloud = Cloud::new(seen.time_ns, seen.world_from_camera, points.len() as u32, 1);
    for (index, (point, colour)) in points.into_iter().enumerate() {
        cloud.set(index, Some(point), colour);
    }
    cloud
}
