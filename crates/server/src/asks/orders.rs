//! What is wanted of the robot, on its way there; a stop before all.

use link::{Message, Quality};
use protocol::Role;
use protocol::api::{Failure, FailureCode};
use protocol::talk::{Demand, Heir, Want};

use crate::operator::{Now, Operator, failure};
use crate::session::SessionId;

/// Who pressed stop may be told this late.
const PRESSED_VALID_NS: u64 = 30_000_000_000;

impl Operator {
    pub(super) fn order(
        &mut self,
        now: Now,
        (from, id): (SessionId, u32),
        order: Demand,
        valid_s: f64,
    ) -> Result<(), Failure> {
        self.has_robot()?;
        self.audit(format!("{} wants {:?}", order.by, order.what));
        let valid_for_ns = (valid_s * 1e9) as u64;
        let tag = self.offer(Message::Command { bytes: order.to_bytes(), valid_for_ns });
        self.commands.wait(tag, from, id, now.ns.saturating_add(valid_for_ns));
        Ok(())
    }

    pub(crate) fn has_robot(&self) -> Result<(), Failure> {
        self.same_version()?;
        let quality = self.status.as_ref().map_or(Quality::NotConnected, |status| status.quality);
        match quality {
            Quality::Good | Quality::Poor => Ok(()),
            Quality::Down => Err(failure(
                FailureCode::NoRobot,
                "the link to the robot is down: it was not sent, try again when it is up",
            )),
            Quality::NotConnected if !self.setup.has_link => {
                Err(failure(FailureCode::NoRobot, "there is no robot here, only the tree to edit"))
            }
            Quality::NotConnected => Err(failure(FailureCode::NoRobot, "no robot has answered on the link yet")),
        }
    }

    pub(super) fn stop(&mut self, now: Now, (from, id): (SessionId, u32), pressed: &Demand) {
        self.audit(format!("{} stops the robot", pressed.by));
        if !self.setup.has_link {
            self.reply(from, id, Err(failure(FailureCode::NoRobot, "there is no robot here to stop")));
            return;
        }
        // The shell has sent it already if it could; a second one does nothing.
        self.offer(Message::Stop);
        self.tell_who_stopped(pressed);
        self.commands.stop(from, id, now.ns);
    }

    /// Somebody stopped the robot by other means than a socket; the stop is on its way already.
    pub fn stopped_by(&mut self, name: &str, role: Role) {
        self.audit(format!("{name} stops the robot"));
        if self.setup.has_link {
            self.tell_who_stopped(&Demand {
                by: name.into(),
                role,
                team_role: None,
                session: 0,
                what: Want::PressedStop,
            });
        }
    }

    /// The stop itself names nobody: it must be small and first.
    pub(crate) fn tell_who_stopped(&mut self, pressed: &Demand) {
        self.offer(Message::Command { bytes: pressed.to_bytes(), valid_for_ns: PRESSED_VALID_NS });
    }
}

pub(super) fn heir(name: &str, session: Option<&str>) -> Result<Heir, Failure> {
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let session = session.map(|text| {
        number(text).ok_or_else(|| failure(FailureCode::BadRequest, format!("`{text}` names no session: see `people`")))
    });
    Ok(Heir { name: name.into(), session: session.transpose()? })
}
