//! MuJoCo behind names: where things of a model are, and the few calls that its binding has as unsafe.

use std::sync::Once;

use geometry::{Matrix3, Pose, Vector3};
use mujoco_rs::prelude::{MjData, MjModel, MjtGeomBase, MjtObjBase, log_config, set_log_config};
use robot::interface::Wrench;

use super::{PhysicsError, library};
use crate::mjcf::{OWN_PREFIX, RobotNames, wxyz};
use crate::sight::{Form, Hits, Solid};

pub(super) type Data = MjData<Box<MjModel>>;

/// Where a joint with one degree of freedom is in the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointAt {
    pub position: usize,
    pub velocity: usize,
}

pub(super) fn open(mjcf: &str) -> Result<Data, PhysicsError> {
    ready()?;
    let model = MjModel::from_xml_string(mjcf).map_err(|error| PhysicsError::Mjcf { message: error.to_string() })?;
    Ok(MjData::new(Box::new(model)))
}

pub(super) fn ready() -> Result<(), PhysicsError> {
    library::ready()?;
    keep_quiet();
    Ok(())
}

/// By default MuJoCo writes a file of warnings to wherever the program was started.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let quiet = log_config().with_logto_file(false).with_logto_console(false);
        #[expect(unsafe_code, reason = "the settings of MuJoCo's log are one for the process")]
        // SAFETY: `open` is the only way to anything of MuJoCo, and waits here for the first one.
        unsafe {
            set_log_config(quiet);
        }
    });
}

pub(super) fn set_friction_loss(data: &mut Data, dof: usize, loss_nm: f64) {
    #[expect(unsafe_code, reason = "the binding guards the whole model, of which one number changes")]
    // SAFETY: the model stays the same one; no size or address in it changes.
    let model = unsafe { data.model_mut() };
    model.dof_frictionloss_mut()[dof] = loss_nm;
}

pub(super) fn id(data: &Data, kind: MjtObjBase, name: &str) -> Result<usize, PhysicsError> {
    let missing = || PhysicsError::Mjcf { message: format!("`{name}` is missing in the model") };
    data.model().name_to_id(kind, name).ok_or_else(missing)
}

pub(super) fn body(data: &Data, name: &str) -> Result<usize, PhysicsError> {
    id(data, MjtObjBase::mjOBJ_BODY, name)
}

pub(super) fn joint(data: &Data, name: &str) -> Result<JointAt, PhysicsError> {
    let joint = id(data, MjtObjBase::mjOBJ_JOINT, name)?;
    let model = data.model();
    Ok(JointAt { position: model.jnt_qposadr()[joint] as usize, velocity: model.jnt_dofadr()[joint] as usize })
}

pub(super) fn actuator(data: &Data, name: &str) -> Result<usize, PhysicsError> {
    id(data, MjtObjBase::mjOBJ_ACTUATOR, name)
}

pub(super) fn constraint(data: &Data, name: &str) -> Result<usize, PhysicsError> {
    id(data, MjtObjBase::mjOBJ_EQUALITY, name)
}

/// Of a body that goes where it is put.
pub(super) fn mocap(data: &Data, name: &str) -> Result<usize, PhysicsError> {
    let body = body(data, name)?;
    let mocap = data.model().body_mocapid()[body];
    usize::try_from(mocap).map_err(|_| PhysicsError::Mjcf { message: format!("`{name}` is not put by hand") })
}

pub(super) fn put(data: &mut Data, mocap: usize, world_from_body: &Pose) {
    data.mocap_pos_mut()[mocap] = world_from_body.translation_m().into();
    data.mocap_quat_mut()[mocap] = wxyz::quaternion(world_from_body);
}

pub(super) fn world_from_body(data: &Data, body: usize) -> Pose {
    wxyz::pose(data.xpos()[body], data.xquat()[body])
}

/// Of a body, at its origin, along the axes of the world. MuJoCo has it about the middle of the mass of all that hangs
/// together: a hand that turns would seem to fly.
pub(super) fn velocity_m_s(data: &Data, body: usize) -> Vector3<f64> {
    let root = data.model().body_rootid()[body] as usize;
    let spatial = data.cvel()[body];
    let turning = Vector3::from_column_slice(&spatial[..3]);
    let arm_m = Vector3::from(data.xpos()[body]) - Vector3::from(data.subtree_com()[root]);
    Vector3::from_column_slice(&spatial[3..]) + turning.cross(&arm_m)
}

/// Pushes a body, at a point of the world; along the axes of the world.
pub(super) fn push(data: &mut Data, body: usize, at_m: Vector3<f64>, wrench: &Wrench) {
    let arm_m = at_m - Vector3::from(data.xipos()[body]);
    let (force_n, torque_nm) = (wrench.force_n, wrench.torque_nm + arm_m.cross(&wrench.force_n));
    data.xfrc_applied_mut()[body] = [force_n.x, force_n.y, force_n.z, torque_nm.x, torque_nm.y, torque_nm.z];
}

/// What rays from a point meet, by MuJoCo itself.
pub(super) fn cast(data: &mut Data, from_m: &[f64; 3], rays: &[[f64; 3]], unseen_group: usize, far_m: f64) -> Hits {
    let mut groups = [1; 6];
    groups[unseen_group] = 0;
    let mut normals = vec![[0.0; 3]; rays.len()];
    let (geoms, distances_m) = data.multi_ray(from_m, rays, Some(&groups), true, None, far_m, Some(&mut normals));
    let facing = rays.iter().zip(&normals).map(|(ray, normal)| Vector3::from(*ray).dot(&Vector3::from(*normal)).abs());
    // MuJoCo looks further than it is told where that costs it nothing.
    let is_far = |away_m: f64| away_m < 0.0 || away_m > far_m;
    let met = geoms.iter().zip(&distances_m).map(|(geom, away_m)| geom.filter(|_| !is_far(*away_m)));
    Hits {
        geoms: met.map(|geom| geom.and_then(|geom| u32::try_from(geom).ok())).collect(),
        facing: facing.collect(),
        distances_m: distances_m.iter().map(|away_m| if is_far(*away_m) { f64::INFINITY } else { *away_m }).collect(),
    }
}

/// Of the geoms that can be seen; None: one of them is of no simple shape.
pub(super) fn forms(data: &Data, unseen_group: usize) -> Option<Vec<(usize, Form)>> {
    each_form(data, unseen_group).map(|(geom, form)| form.map(|form| (geom, form))).collect()
}

/// Of the geoms that can be seen; those of no simple shape have none.
pub(super) fn each_form(data: &Data, unseen_group: usize) -> impl Iterator<Item = (usize, Option<Form>)> {
    let model = data.model();
    let seen = move |geom: &usize| {
        let group = model.geom_group()[*geom];
        model.geom_rgba()[*geom][3] > 0.0 && usize::try_from(group) != Ok(unseen_group)
    };
    let form = move |geom: usize| {
        let [x, y, z] = model.geom_size()[geom];
        Some(match model.geom_type()[geom] {
            MjtGeomBase::mjGEOM_PLANE => Form::Plane([x, y]),
            MjtGeomBase::mjGEOM_SPHERE => Form::Sphere(x),
            MjtGeomBase::mjGEOM_CAPSULE => Form::Capsule(x, y),
            MjtGeomBase::mjGEOM_CYLINDER => Form::Cylinder(x, y),
            MjtGeomBase::mjGEOM_BOX => Form::Box(Vector3::new(x, y, z)),
            _ => return None,
        })
    };
    (0..model.geom_rgba().len()).filter(seen).map(move |geom| (geom, form(geom)))
}

/// A geom where it is now.
pub(super) fn solid(data: &Data, geom: usize, form: Form) -> Solid {
    let (at_m, turn) = (data.geom_xpos()[geom], data.geom_xmat()[geom]);
    Solid { form, at_m: Vector3::from(at_m), turn: Matrix3::from_row_slice(&turn) }
}

pub(super) fn body_name(data: &Data, body: usize) -> &str {
    data.model().id_to_name(MjtObjBase::mjOBJ_BODY, body).unwrap_or("")
}

/// As people know it: the robot's links and things of their own file without what sets them apart in the model.
pub(super) fn plain_name(data: &Data, body: usize) -> String {
    let name = body_name(data, body);
    let name = name.strip_prefix(RobotNames::PREFIX).unwrap_or(name);
    if name.is_empty() || name == "world" {
        "the floor".to_owned()
    } else {
        name.trim_start_matches(OWN_PREFIX).to_owned()
    }
}
