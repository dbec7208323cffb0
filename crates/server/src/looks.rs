//! One picture when somebody asks, and what a link has no room for.

use protocol::api::{Failure, FailureCode, LookAt, Topics};
use protocol::talk::{self, Look};

use crate::operator::{Operator, failure};
use crate::session::SessionId;

impl Operator {
    /// Why clouds and pictures cannot be watched here, if so.
    pub(crate) fn can_watch(&self, topics: &Topics) -> Result<(), Failure> {
        let wants = topics.clouds || topics.pictures;
        match () {
            () if wants && !self.setup.has_link => {
                Err(failure(FailureCode::NoRobot, "there is no robot here that sees anything, only the tree to edit"))
            }
            () if wants && self.setup.narrow => Err(failure(
                FailureCode::Refused,
                "this link is too narrow to watch clouds and pictures: ask for one with `look`",
            )),
            () => Ok(()),
        }
    }

    pub(crate) fn look_for(
        &mut self,
        from: SessionId,
        what: LookAt,
        camera: Option<String>,
        region: Option<[f64; 4]>,
    ) -> Result<Look, Failure> {
        let wrong = |text: &str| Err(failure(FailureCode::BadRequest, text));
        let region = match region {
            None => None,
            Some([left, top, right, bottom]) => {
                let inside = [left, top, right, bottom].iter().all(|share| (0.0..=1.0).contains(share));
                if !inside || left >= right || top >= bottom {
                    return wrong("a region is left, top, right, bottom as shares of the picture, 0 to 1");
                }
                let down = |share: f64| (share * 255.0).floor() as u8;
                let up = |share: f64| (share * 255.0).ceil() as u8;
                Some([down(left), down(top), up(right), up(bottom)])
            }
        };
        let cloud = what == LookAt::Cloud;
        let Some(session) = self.sessions.get_mut(&from).filter(|session| session.bulk) else {
            return wrong("ask for a picture on the socket /api/v1/bulk: it comes there");
        };
        if cloud {
            session.looked.0 = true;
        } else {
            session.looked.1 = true;
        }
        Ok(Look { cloud, camera: camera.map(Into::into), region })
    }

    /// Why nothing but a stop can be asked of this robot, if so.
    pub(crate) fn same_version(&self) -> Result<(), Failure> {
        match self.robot_version {
            Some(robot) if robot != talk::VERSION => {
                Err(failure(FailureCode::OtherVersion, talk::other_version(robot, talk::VERSION)))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn tell_version(&mut self) {
        if let Err(failure) = self.same_version() {
            self.notice(failure.text, None);
        }
    }
}
