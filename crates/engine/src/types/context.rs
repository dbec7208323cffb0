use std::sync::Arc;

use expression::Expression;
use model::Value;
use robot::JointWay;
use robot::interface::{Command, CommandId, Order, Phase, Queueing};
use scene::{DetectorSettings, SceneUpdate};

use super::bind::{Target, Token, Variable};
use crate::Cannot;
use crate::door::{Accepts, Asked, AskedOf, Job, JobAnswer, JobId, Measured, Sent, Told};
use crate::world::{At, Body, Update, World};

/// What a step may see and do in a tick. Everything it writes takes effect when the tick is over.
pub struct Context<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) at: &'a At,
}

/// What a tick asked of the engine.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// One of those below.
    pub any: bool,
    pub queued: bool,
    pub jump: Option<Jump>,
    /// See [`Context::sleep_ns`].
    pub sleep_ns: i64,
}

impl Effects {
    /// What its end brings is not over with the tick: an update is to be seen, or a jump to be made.
    #[inline]
    pub fn go_on(&self) -> bool {
        self.any && (self.queued || self.jump.is_some())
    }
}

/// Where next goes when the step has ended.
#[derive(Debug)]
pub(crate) enum Jump {
    To(Box<Target>),
    /// Behind the last step of its track.
    End,
}

impl<'a> Context<'a> {
    #[inline]
    pub(crate) fn of(world: &'a mut World, at: &'a At) -> Context<'a> {
        world.show_poses(at.scope);
        Context { world, at }
    }
}

impl Context<'_> {
    fn effects(&mut self) -> &mut Effects {
        self.world.effects.any = true;
        &mut self.world.effects
    }

    pub fn time_ns(&self) -> i64 {
        self.world.time_ns
    }

    /// Since the step's start, pauses excluded.
    pub fn elapsed_ns(&self) -> i64 {
        self.world.active_ns - self.at.started_ns
    }

    /// It has run for so long, pauses excluded: to the nanosecond what [`Self::elapsed_ns`] and [`crate::seconds_to_ns`] say,
    /// in a few instructions, because steps that wait ask it in every tick.
    #[inline]
    pub fn has_run_for(&self, duration_s: f64) -> bool {
        has_passed(self.elapsed_ns(), duration_s)
    }

    /// A step that goes on: until so much more time has passed it would do nothing but go on, so it need not be ticked.
    pub fn sleep_ns(&mut self, time_ns: i64) {
        self.effects().sleep_ns = time_ns;
    }

    pub fn holds(&self, condition: &Expression) -> Result<bool, Cannot> {
        self.world.holds(self.at.scope, condition)
    }

    pub fn value(&self, expression: &Expression) -> Result<Value, Cannot> {
        self.world.value(self.at.scope, expression)
    }

    /// Queues an update. The step then ends no earlier than the next tick, when the update is visible.
    pub fn set(&mut self, variable: &Variable, value: Value) {
        if let Some(slot) = variable.slot() {
            self.effects().queued = true;
            let update = Update { scope: self.at.scope, slot, value: Some(value), by: self.at.instance };
            self.world.board.queue.push(update);
        }
    }

    /// Takes the value of a variable away.
    pub fn unset(&mut self, variable: &Variable) {
        if let Some(slot) = variable.slot() {
            self.effects().queued = true;
            let update = Update { scope: self.at.scope, slot, value: None, by: self.at.instance };
            self.world.board.queue.push(update);
        }
    }

    /// Queues an output command.
    pub fn send(&mut self, command: Arc<str>, values: Vec<(Arc<str>, Value)>) {
        self.world.out.sent.push(Sent { command, values });
    }

    /// The commands of this name that arrived in this tick, in their order.
    pub fn received(&self, command: &str) -> impl Iterator<Item = &Sent> {
        self.world.received.iter().filter(move |sent| &*sent.command == command)
    }

    pub fn log(&mut self, text: String) {
        self.world.tell(Some(self.at.instance), Told::Log(text.into_boxed_str()));
    }

    /// Says once that something is wrong that does not end the step.
    pub fn warn(&mut self, text: String) {
        self.world.warn(self.at.instance, text);
    }

    /// Makes a token that this step claims its track's.
    pub fn reserve(&mut self, token: &Token) {
        for token in self.tokens(token) {
            self.world.claims.reserve(self.at.step, self.at.track, token);
        }
    }

    /// False if neither this track nor one around it had reserved it.
    pub fn relinquish(&mut self, token: &Token) -> bool {
        let mut had = false;
        for token in self.tokens(token) {
            had |= self.world.claims.relinquish(self.at.track, token);
        }
        had
    }

    fn tokens(&self, token: &Token) -> Vec<u32> {
        token.number().map_or_else(Vec::new, |token| self.world.claims.members(&token).to_vec())
    }

    /// Moves next when the step has ended; the step fails if the target does not exist.
    pub fn jump(&mut self, target: &Target) {
        self.effects().jump = Some(Jump::To(Box::new(target.clone())));
    }

    /// Moves next behind the last step of the step's track when the step has ended.
    pub fn jump_to_end(&mut self) {
        self.effects().jump = Some(Jump::End);
    }

    /// The robot in this tick; else why there is none.
    pub fn body(&self) -> Result<&Body, Cannot> {
        self.world.body.as_ref().ok_or(Cannot::NoRobot)
    }

    /// Gives the robot a command when the tick is over. What becomes of it: [`Context::phase`].
    pub fn command(&mut self, queueing: Queueing, order: Order) -> CommandId {
        self.world.commands_given += 1;
        let id = CommandId(self.world.commands_given);
        self.world.out.commands.push(Command { id, queueing, order });
        id
    }

    /// As [`Context::command`], with where it will take joints, for those who start while it goes on.
    pub fn command_along(&mut self, queueing: Queueing, order: Order, way: Option<JointWay>) -> CommandId {
        let id = self.command(queueing, order);
        if let (Some(body), Some(way)) = (&mut self.world.body, way) {
            body.set_out(id, way);
        }
        id
    }

    /// None: the robot has not heard of it yet, or has told its end long ago.
    pub fn phase(&self, id: CommandId) -> Option<&Phase> {
        self.world.body.as_ref()?.state().command(id)
    }

    /// Gives work away that is too long for a tick. The step keeps the number in its state and asks for the answer in
    /// later ticks; when the step ends, whatever ends it, nobody waits for the job any more.
    pub fn give_job(&mut self, job: Job) -> JobId {
        self.world.give_job(self.at.instance, job)
    }

    /// Once, when the job is done.
    pub fn take_answer(&mut self, id: JobId) -> Option<JobAnswer> {
        self.world.take_answer(id)
    }

    /// How far the step has come, 0 to 1, for people to see.
    pub fn progress(&mut self, share: f64) {
        self.world.progress.insert(self.at.instance, share.clamp(0.0, 1.0));
    }

    /// Asks something of the scene. The step then ends no earlier than the next tick, when it is done or
    /// [`Context::scene_refusal`] says why not.
    pub fn update_scene(&mut self, update: SceneUpdate) {
        self.effects().queued = true;
        self.world.scene_queue.push((self.at.instance, update));
    }

    /// Why the scene did not do what this step asked in the tick before.
    pub fn scene_refusal(&self) -> Option<&str> {
        let refused = self.world.scene_refused.iter().find(|(step, _)| *step == self.at.instance);
        refused.map(|(_, why)| why.as_str())
    }

    /// Tells the detectors when the tick is over.
    pub fn configure_detectors(&mut self, settings: DetectorSettings) {
        self.world.out.detectors.push(settings);
    }

    /// Objects take their nominal poses: nothing is seen.
    pub fn is_preview(&self) -> bool {
        self.world.preview
    }

    /// Shows the value that this step judges; its history is recorded.
    pub fn measured(&mut self, measured: Measured) {
        let step = self.at.instance;
        if self.world.measured.insert(step, measured) != Some(measured) {
            self.world.record.measured(self.world.tick, self.world.time_ns, step, measured);
        }
    }

    /// An operator is there to answer.
    pub fn is_attended(&self) -> bool {
        self.world.attended
    }

    /// Shows a question and gives the answer once there is one.
    pub fn ask(&mut self, text: &str, accepts: &Accepts, (of, team_role): (AskedOf, &str)) -> Option<Value> {
        let step = self.at.instance;
        if let Some(place) = self.world.answers.iter().position(|(to, _)| *to == step) {
            self.world.asked.retain(|asked| asked.step != step);
            return Some(self.world.answers.remove(place).1);
        }
        if !self.world.asked.iter().any(|asked| asked.step == step) {
            let (text, team_role) = (text.to_owned(), team_role.to_owned());
            self.world.asked.push(Asked { step, text, accepts: accepts.clone(), of, team_role });
        }
        None
    }
}

/// So many nanoseconds are at least the nearest whole number of them to a duration. One that is no number has passed at once.
#[inline]
fn has_passed(elapsed_ns: i64, duration_s: f64) -> bool {
    let is_longer = duration_s * 1e9 >= elapsed_ns as f64 + 0.5;
    !is_longer
}

#[cfg(test)]
mod tests {
    use super::has_passed;
    use crate::seconds_to_ns;

    #[test]
    fn a_duration_has_passed_when_its_nearest_nanosecond_has() {
        let durations =
            [0.0, -0.0, -1.0, 1e-9, 0.4e-9, 0.5e-9, 0.6e-9, 1.5e-9, 2.5e-9, 0.1, 0.3, 1.0 / 3.0, 7.0, 86_400.0];
        let odd = (1..2_000).map(|number| f64::from(number) * 0.012_345_678_912_3);
        for duration_s in durations.into_iter().chain(odd).chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]) {
            let whole_ns = seconds_to_ns(duration_s).clamp(0, 1 << 50);
            for elapsed_ns in [0, 1, 2, whole_ns - 2, whole_ns - 1, whole_ns, whole_ns + 1, 1 << 51] {
                let elapsed_ns = elapsed_ns.max(0);
                let expected = elapsed_ns >= seconds_to_ns(duration_s);
                assert_eq!(has_passed(elapsed_ns, duration_s), expected, "{elapsed_ns} of {duration_s} s");
            }
        }
    }
}
