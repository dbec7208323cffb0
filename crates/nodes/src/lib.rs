//! The built-in node types. A new one is a file here and a line in [`registry`]: loading, saving, checking, undo, the
//! palette, the settings form and the documentation follow from that.

use std::sync::{Arc, LazyLock};

use engine::{Entry, Registry, composite, organiser, step};

mod achieve;
mod adaptive;
mod always_fail;
mod always_succeed;
mod approach_table;
mod arm;
mod arm_stiffness;
mod attach_object;
mod body;
mod checkpoint;
mod choose;
mod clear_scene;
mod condition;
mod configure_detectors;
mod configure_persistent_detections;
mod control_mode;
mod counter;
mod define_frame;
mod delete_object;
mod detach_object;
mod door_frame;
mod door_panel;
mod fallback;
mod freeze_object;
mod freeze_scene;
mod gosub;
mod goto;
mod gripper;
mod hand;
mod hand_wrench;
mod input;
mod joint_move;
mod leg;
mod log;
mod loop_;
mod make_frame;
mod neck;
mod parallel;
mod pelvis;
mod proximity;
mod question;
mod receive;
mod region;
mod relinquish;
mod reserve;
mod scene_action;
mod scene_search;
mod screw;
mod send;
mod sequence;
mod set;
mod setup_object;
mod shape_contains;
mod skill;
mod spine;
mod stand_in;
mod strategy;
mod template_affordance;
mod template_goal;
mod template_grasp;
mod template_pre_grasp;
mod template_stand;
mod thesis;
mod unset;
mod wait;
mod wait_until;
mod walk;
mod why_not;

/// Every node type, in the order of the palette.
pub fn entries() -> Vec<Entry> {
    vec![
        organiser::<sequence::Sequence>(),
        organiser::<fallback::Fallback>(),
        organiser::<skill::Skill>(),
        composite::<parallel::Parallel>(),
        composite::<loop_::Loop>(),
        composite::<choose::Choose>(),
        composite::<achieve::Achieve>(),
        composite::<adaptive::Adaptive>(),
        organiser::<strategy::Strategy>(),
        composite::<gosub::Gosub>(),
        step::<goto::Goto>(),
        step::<checkpoint::Checkpoint>(),
        step::<wait::Wait>(),
        step::<wait_until::WaitUntil>(),
        step::<condition::Condition>(),
        step::<always_succeed::AlwaysSucceed>(),
        step::<always_fail::AlwaysFail>(),
        step::<counter::Counter>(),
        step::<proximity::Proximity>(),
        step::<shape_contains::ShapeContains>(),
        step::<set::Set>(),
        step::<unset::Unset>(),
        step::<send::Send>(),
        step::<receive::Receive>(),
        step::<log::Log>(),
        step::<reserve::Reserve>(),
        step::<relinquish::Relinquish>(),
        step::<question::Question>(),
        step::<input::Input>(),
        step::<stand_in::StandIn>(),
        step::<setup_object::SetupObject>(),
        step::<freeze_object::FreezeObject>(),
        step::<delete_object::DeleteObject>(),
        step::<define_frame::DefineFrame>(),
        step::<make_frame::MakeFrame>(),
        step::<door_panel::DoorPanel>(),
        step::<door_frame::DoorFrame>(),
        step::<approach_table::ApproachTable>(),
        step::<clear_scene::ClearScene>(),
        step::<freeze_scene::FreezeScene>(),
        step::<configure_persistent_detections::ConfigurePersistentDetections>(),
        step::<configure_detectors::ConfigureDetectors>(),
        step::<arm::Arm>(),
        step::<screw::Screw>(),
        step::<hand::Hand>(),
        step::<gripper::Gripper>(),
        step::<hand_wrench::HandWrench>(),
        step::<arm_stiffness::ArmStiffness>(),
        step::<spine::Spine>(),
        step::<neck::Neck>(),
        step::<pelvis::Pelvis>(),
        step::<leg::Leg>(),
        step::<walk::Walk>(),
        step::<joint_move::JointMove>(),
        step::<control_mode::ControlMode>(),
        step::<template_stand::TemplateStand>(),
        step::<template_pre_grasp::TemplatePreGrasp>(),
        step::<template_grasp::TemplateGrasp>(),
        step::<template_affordance::TemplateAffordance>(),
        step::<attach_object::AttachObject>(),
        step::<detach_object::DetachObject>(),
    ]
}

/// The registry of the built-in types. Made once: its schemas take a millisecond.
pub fn registry() -> Arc<Registry> {
    static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(Registry::new(entries())));
    Arc::clone(&REGISTRY)
}
