//! What is told to operators: all of it to those who join, then what changed.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use link::udp::PeerId;
use link::{Keyed, Latest, Message, Stream};
use protocol::talk::{Detail, Happening, Overview, Presence, RunDetail, Top, VERSION, instance_number, pack};

use super::Desk;
use crate::audit::Now;
use crate::fit::{fit_detail, fit_presence};
use crate::seen::State;

impl Desk {
    /// Everything, for somebody who knows nothing.
    pub(super) fn greet(&mut self, now: Now, to: PeerId) {
        self.send_overview(to);
        self.send_tree(now, to);
        self.send_history(to);
        if let Some(state) = self.state.clone() {
            self.send_state(now, to, &state);
        }
        let details: Vec<(u32, Vec<u8>)> =
            self.details.iter().filter_map(|(key, detail)| Some((*key, self.fitted(detail)?))).collect();
        for (key, bytes) in details {
            self.value(to, Keyed::Detail, key, bytes);
        }
        self.send_things(to);
        let others = self.operators.iter().filter(|(id, _)| **id != to);
        let people: Vec<(u32, Vec<u8>)> = others
            .flat_map(|(id, other)| other.people.iter().map(|(key, here)| (presence_key(*id, *key), &here.presence)))
            .map(|(key, presence)| (key, fit_presence(presence, self.settings.value_bytes)))
            .collect();
        for (key, bytes) in people {
            self.value(to, Keyed::Presence, key, bytes);
        }
    }

    fn fitted(&self, detail: &Detail) -> Option<Vec<u8>> {
        fit_detail(detail, self.settings.value_bytes)
    }

    pub(super) fn value(&mut self, to: PeerId, kind: Keyed, key: u32, bytes: Vec<u8>) {
        self.messages.push((to, Message::Keyed { kind, key, bytes }));
    }

    pub(super) fn value_to_all(&mut self, kind: Keyed, key: u32, bytes: &[u8]) {
        let everybody: Vec<PeerId> = self.operators.keys().copied().collect();
        everybody.into_iter().for_each(|to| self.value(to, kind, key, bytes.to_vec()));
    }

    pub(super) fn send_overview(&mut self, to: PeerId) {
        let Some(operator) = self.operators.get(&to) else { return };
        let main = self.shared.library().main();
        let overview = Overview {
            version: VERSION,
            name: Arc::clone(&self.settings.name),
            robot: Arc::clone(&self.settings.robot),
            file: Arc::clone(&main.file),
            epoch: self.shared.epoch(),
            nodes: top(main, self.settings.top_nodes),
            beside: self.shared.beside().map(|beside| beside.digest()),
            role: operator.rank,
            simulated: self.settings.simulated,
            resets: self.settings.resets,
        };
        self.messages.push((to, Message::Document { stream: Stream::Overview, bytes: pack(&overview) }));
    }

    /// The newest of what happened, as much as there is room for.
    fn send_history(&mut self, to: PeerId) {
        let mut newest: VecDeque<&Happening> = VecDeque::new();
        let mut bytes = 0;
        for happening in self.history.iter().rev() {
            bytes += pack(happening).len();
            if bytes > self.settings.history_bytes {
                break;
            }
            newest.push_front(happening);
        }
        // What is gathered goes to everybody in a moment, also to this one.
        let old = newest.len().saturating_sub(self.fresh.len());
        if old > 0 {
            let list: Vec<&Happening> = newest.into_iter().take(old).collect();
            self.messages.push((to, Message::Document { stream: Stream::History, bytes: pack(&list) }));
        }
    }

    pub(super) fn tell_state(&mut self, now: Now, state: &State) {
        let everybody: Vec<PeerId> = self.operators.keys().copied().collect();
        everybody.into_iter().for_each(|to| self.send_state(now, to, state));
    }

    /// What is no report (a robot without a place in the world) is not told.
    fn send_state(&mut self, now: Now, to: PeerId, state: &State) {
        let robot = state.robot.as_ref().and_then(|robot| self.packer.pack(robot, now.ns).ok());
        let mut run = state.run.clone();
        run.running.truncate(self.settings.running_steps);
        for (of, bytes) in [(Latest::Robot, robot), (Latest::Run, run.to_bytes().ok())] {
            self.messages.extend(bytes.map(|bytes| (to, Message::Latest { of, bytes })));
        }
    }

    /// What changed of tracks, tokens, questions, values and variables.
    pub(super) fn tell_details(&mut self, all: Option<Vec<Detail>>, variables: BTreeMap<u32, Detail>) {
        let mut changed = Vec::new();
        if let Some(all) = all {
            let now: BTreeMap<u32, Detail> = all.into_iter().map(|detail| (detail.key(), detail)).collect();
            let gone = self.details.iter().filter(|(key, _)| !now.contains_key(*key));
            let gone: Vec<(u32, Detail)> = gone.filter_map(|(key, detail)| Some((*key, emptied(detail)?))).collect();
            changed.extend(gone);
            changed.extend(now);
        }
        changed.extend(variables);
        let run = Detail::Run(self.run_detail());
        changed.push((run.key(), run));
        for (key, detail) in changed {
            if self.details.get(&key) == Some(&detail) {
                continue;
            }
            if let Some(bytes) = self.fitted(&detail) {
                self.value_to_all(Keyed::Detail, key, &bytes);
            }
            if is_empty(&detail) {
                self.details.remove(&key);
            } else {
                self.details.insert(key, detail);
            }
        }
    }

    /// Of the tree that was open before.
    pub(super) fn forget_variables(&mut self) {
        let of = |(key, detail): (&u32, &Detail)| match detail {
            Detail::Variable { of, name, .. } => {
                Some((*key, Detail::Variable { of: *of, name: Arc::clone(name), value: None }))
            }
            _ => None,
        };
        let gone: BTreeMap<u32, Detail> = self.details.iter().filter_map(of).collect();
        self.tell_details(None, gone);
    }

    fn run_detail(&self) -> RunDetail {
        let numbers = |instances: &[engine::Instance]| instances.iter().map(instance_number).collect();
        RunDetail {
            in_control: self.control.holder(),
            autonomy: self.marks.autonomy,
            concurrency: self.marks.concurrency,
            paused: self.marks.paused,
            locks: numbers(&self.marks.locks),
            breakpoints: numbers(&self.marks.breakpoints),
        }
    }

    pub(super) fn tell_presence(&mut self, from: PeerId, key: u32, presence: &Presence) {
        let bytes = fit_presence(presence, self.settings.value_bytes);
        let others: Vec<PeerId> = self.operators.keys().copied().filter(|to| *to != from).collect();
        others.into_iter().for_each(|to| self.value(to, Keyed::Presence, presence_key(from, key), bytes.clone()));
    }

    /// What was gathered, to everybody who has room for it.
    pub(super) fn tell_history(&mut self, now: Now) {
        if self.fresh.is_empty() {
            return;
        }
        let since_ns = *self.fresh_since_ns.get_or_insert(now.ns);
        if now.ns.saturating_sub(since_ns) < self.settings.gather_ns {
            return;
        }
        self.fresh_since_ns = None;
        let fresh = std::mem::take(&mut self.fresh);
        let bytes = pack(&fresh);
        for (to, operator) in &mut self.operators {
            if operator.waiting_history > self.settings.history_bytes {
                operator.left_out += fresh.len() as u64;
                continue;
            }
            if std::mem::take(&mut operator.left_out) > 0 {
                let text = "some of what happened was left out: the link was too slow for it";
                let gap = vec![crate::runner::note(self.time_ns, protocol::talk::NoteKind::Warning, text)];
                self.messages.push((*to, Message::Document { stream: Stream::History, bytes: pack(&gap) }));
            }
            operator.waiting_history += bytes.len();
            self.messages.push((*to, Message::Document { stream: Stream::History, bytes: bytes.clone() }));
        }
    }
}

/// People of two operator processes must not share a key.
fn presence_key(of: PeerId, key: u32) -> u32 {
    (of.0 as u32).wrapping_mul(0x9e37_79b9).rotate_left(7) ^ key
}

fn top(tree: &model::Definition, most: usize) -> Vec<Top> {
    let mut nodes = Vec::new();
    let mut queue = VecDeque::from([tree.root]);
    while let Some(id) = queue.pop_front().filter(|_| nodes.len() < most) {
        let node = tree.node(id);
        let (name, kind) = (Arc::clone(node.label()), Arc::clone(&node.kind));
        nodes.push(Top { id, parent: node.parent, name, kind });
        queue.extend(&node.children);
    }
    nodes
}

/// With nothing in it; none for what does not go.
fn emptied(detail: &Detail) -> Option<Detail> {
    match detail {
        Detail::Token { name, .. } => Some(Detail::Token { name: Arc::clone(name), holder: None }),
        Detail::Track { owner, branch, .. } => Some(Detail::Track { owner: *owner, branch: *branch, at: None }),
        Detail::Question { step, .. } => Some(Detail::Question { step: *step, asked: None }),
        Detail::Measured { step, .. } => Some(Detail::Measured { step: *step, value: None }),
        Detail::Variable { .. } | Detail::Run(_) | Detail::Late(_) => None,
    }
}

fn is_empty(detail: &Detail) -> bool {
    match detail {
        Detail::Variable { value, .. } => value.is_none(),
        Detail::Token { holder, .. } => holder.is_none(),
        Detail::Track { at, .. } => at.is_none(),
        Detail::Question { asked, .. } => asked.is_none(),
        Detail::Measured { value, .. } => value.is_none(),
        Detail::Run(_) | Detail::Late(_) => false,
    }
}
