/// What functions ask of the robot and of what is around it; the engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Query {
    Has,
    Reach,
    ShoulderHeight,
    ShoulderWidth,
    BodyWidth,
    HeadHeight,
    PelvisHeight,
    LegLength,
    FootLength,
    FootWidth,
    StepWidth,
    StepLength,
    StepUp,
    Mass,
    HandLimit,
    EffortLimit,
    Effort,
    JointAngle,
    HandForce,
    HandTorque,
    FootLoad,
    IsThere,
    InFrame,
    Height,
    Angle,
    Hinge,
    Size,
}

impl Query {
    /// The answer is the same whenever a robot is asked: it is known before anything runs.
    pub fn is_of_the_robot(self) -> bool {
        match self {
            Query::Has
            | Query::Reach
            | Query::ShoulderHeight
            | Query::ShoulderWidth
            | Query::BodyWidth
            | Query::HeadHeight
            | Query::PelvisHeight
            | Query::LegLength
            | Query::FootLength
            | Query::FootWidth
            | Query::StepWidth
            | Query::StepLength
            | Query::StepUp
            | Query::Mass
            | Query::HandLimit
            | Query::EffortLimit => true,
            Query::Effort
            | Query::JointAngle
            | Query::HandForce
            | Query::HandTorque
            | Query::FootLoad
            | Query::IsThere
            | Query::InFrame
            | Query::Height
            | Query::Angle
            | Query::Hinge
            | Query::Size => false,
        }
    }

    /// The places among what it takes that name a frame.
    pub fn frames(self) -> &'static [usize] {
        match self {
            Query::InFrame => &[0, 1, 2],
            Query::Angle => &[0, 1],
            Query::IsThere | Query::Height | Query::Hinge | Query::Size => &[0],
            _ => &[],
        }
    }

    /// The first that it takes is a side.
    pub fn takes_side(self) -> bool {
        matches!(
            self,
            Query::Reach
                | Query::HandLimit
                | Query::EffortLimit
                | Query::Effort
                | Query::JointAngle
                | Query::HandForce
                | Query::HandTorque
                | Query::FootLoad
        )
    }
}
