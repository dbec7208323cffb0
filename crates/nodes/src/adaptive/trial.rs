//! One run of an adaptive from its start to its end: its attempts, and what they show.

use std::sync::Arc;

use engine::{Children, End, RunFact, Tried};
use experience::{Attempts, Batch, Experience, FORMAT, Line, Means, Phases, Row, Shift, first_exceeded};
use model::{NodeId, Value};
use serde::{Deserialize, Serialize};

use super::{Learn, Settings, asked, number, settings_of};
use crate::strategy::{self, OnComplete};

/// A sample holds the largest magnitudes of so long a time.
const SAMPLE_NS: i64 = 100_000_000;

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Trial {
    number: u64,
    pub attempts: Attempts,
    /// How the last attempt ended.
    pub last: Option<Arc<str>>,
    strategy: Option<NodeId>,
    name: Arc<str>,
    parameter: Option<f64>,
    /// What the state counted from when it began, where nobody knew where that is.
    pub off: Option<f64>,
    pub is_placed: bool,
    phases: Phases,
    since_ns: i64,
    /// The state that the end of the task is at.
    pub ended_at: Option<f64>,
    why: Option<Why>,
    #[serde(skip)]
    settings: Option<Arc<strategy::Settings>>,
    #[serde(skip)]
    sampled: Sampled,
    #[serde(skip)]
    pub experience: Option<Arc<Experience>>,
    /// Those that the experience was gathered for.
    #[serde(skip)]
    pub strategies: Vec<experience::Strategy>,
}

/// Samples of an attempt.
#[derive(Clone, Default)]
struct Sampled {
    rows: Vec<Row>,
    /// What each limit's sense is in this tick.
    now: Vec<Option<f64>>,
    /// Of each limit, since the last row.
    most: Vec<f64>,
    row_ns: i64,
    began_ns: Option<i64>,
    ended_ns: i64,
    from: Option<f64>,
    to: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Setup,
    Strategy,
    Recover,
}

/// Why an attempt ended, and what that means.
#[derive(Clone, Serialize, Deserialize)]
pub struct Why {
    pub text: Arc<str>,
    pub outcome: Arc<str>,
    pub means: Means,
}

impl Why {
    pub fn new(text: &str, means: Means) -> Why {
        Why { text: text.into(), outcome: "".into(), means }
    }

    pub fn of_child(what: &str, end: &End, means: Means) -> Why {
        let text = format!("{what} ended as {}: {}", end.verdict.word(), end.reason_text());
        Why { text: text.into(), outcome: end.outcome.clone().unwrap_or_default(), means }
    }
}

impl Trial {
    pub fn begun(settings: &Settings, children: &Children<'_>) -> Trial {
        let number = experience::next_trial(children.remembered(&settings.task).map(|(batch, _)| batch));
        let mut trial = Trial { number, ..Trial::default() };
        trial.next_attempt(children);
        trial.gather(settings, children);
        trial
    }

    /// Before the first attempt: whether anybody knows where the state counts from.
    pub fn place(&mut self, settings: &Settings, children: &Children<'_>) {
        if self.attempts.made == 0 {
            let now = number(&settings.state, children).unwrap_or_default();
            self.is_placed = asked::is_known(settings, children);
            self.off = if self.is_placed { None } else { Some(settings.state_unknown - now) };
        }
    }

    pub fn next_attempt(&mut self, children: &Children<'_>) {
        self.phases = Phases::default();
        self.since_ns = children.active_ns();
        (self.strategy, self.why) = (None, None);
    }

    /// It went wrong before a strategy was chosen.
    pub fn setup_failed(&mut self, why: &Why) {
        self.attempts.counted += 1;
        self.last = Some(Arc::clone(&why.text));
    }

    /// Puts what is known in order, where that was not done for the strategies that are there now.
    pub fn gather(&mut self, settings: &Settings, children: &Children<'_>) {
        let strategies = asked::strategies(settings, children);
        let is_same = |one: &experience::Strategy, other: &experience::Strategy| {
            one.name == other.name && one.limits == other.limits
        };
        let fits = strategies.len() == self.strategies.len()
            && strategies.iter().zip(&self.strategies).all(|(one, other)| is_same(one, other));
        self.strategies = strategies;
        if fits && self.experience.is_some() {
            return;
        }
        let grid = experience::Grid { bin: settings.bin.max(1e-6), estimator: settings.estimator };
        let robot = children.robot();
        let past = settings.learn == Learn::Past;
        let of = experience::Of {
            task: &settings.task,
            robot: &robot,
            strategies: &self.strategies,
            past,
            trial: self.number,
        };
        let used = children.remembered(&settings.task).filter(|_| settings.learn != Learn::Off);
        self.experience = Some(Arc::new(Experience::gather(grid, &of, used)));
    }

    /// What is stored and not used, in sentences.
    pub fn left_out(&self) -> Vec<String> {
        let left = self.experience.iter().flat_map(|experience| experience.left_out());
        left.map(|(strategy, why, count)| {
            let attempts = if count == 1 { "an attempt".to_owned() } else { format!("{count} attempts") };
            format!("{attempts} with `{strategy}` not used: {why}")
        })
        .collect()
    }

    /// An attempt with a strategy begins. True: it was given a parameter.
    pub fn take(&mut self, children: &mut Children<'_>, index: usize) -> bool {
        let strategy = settings_of(children, index);
        self.attempts.begun();
        self.strategy = children.node(index);
        self.name = children.label(index).unwrap_or_default();
        self.sampled = Sampled { most: vec![0.0; strategy.limits.len()], ..Sampled::default() };
        self.parameter = asked::parameter(&strategy, children);
        if let (Some(parameter), Some(value)) = (&strategy.parameter, self.parameter) {
            children.set(&parameter.name, Value::Number(value));
        }
        let is_given = self.parameter.is_some();
        self.settings = Some(Arc::new(strategy));
        is_given
    }

    pub fn strategy_now(&self, children: &Children<'_>) -> Option<usize> {
        children.position(self.strategy?)
    }

    pub fn on_complete(&self) -> OnComplete {
        self.settings.as_ref().map_or_else(OnComplete::default, |settings| settings.on_complete)
    }

    pub fn ends(&mut self, why: Why) {
        self.why = Some(why);
    }

    /// It did what it should, as far as it went.
    pub fn went_on(&self) -> bool {
        self.why.as_ref().is_some_and(|why| why.means == Means::Again)
    }

    pub fn part_is_over(&mut self, part: Part, now_ns: i64) {
        let s = |from: i64, to: i64| (to - from).max(0) as f64 / 1e9;
        let all_s = s(self.since_ns, now_ns);
        match part {
            Part::Setup => self.phases.setup = all_s,
            Part::Recover => self.phases.recover = all_s,
            Part::Strategy => match self.sampled.began_ns {
                Some(began_ns) => {
                    self.phases.approach = s(self.since_ns, began_ns);
                    self.phases.manipulate = s(began_ns, self.sampled.ended_ns);
                    self.phases.retract = s(self.sampled.ended_ns, now_ns);
                }
                None => self.phases.approach = all_s,
            },
        }
        self.since_ns = now_ns;
    }

    /// What is felt now; kept while the part of the strategy runs that is learned from.
    pub fn sample(&mut self, settings: &Settings, children: &Children<'_>) {
        let Some(strategy) = self.settings.clone() else { return };
        self.sampled.now.clear();
        self.sampled.now.extend(strategy.limits.iter().map(|limit| number(&limit.sense, children)));
        if !strategy.is_recording.is_empty() && !matches!(children.judge(&strategy.is_recording), Ok(true)) {
            return;
        }
        let now_ns = children.active_ns();
        let began_ns = *self.sampled.began_ns.get_or_insert(now_ns);
        self.sampled.ended_ns = now_ns;
        let mut is_beyond = false;
        for ((limit, now), most) in strategy.limits.iter().zip(&self.sampled.now).zip(&mut self.sampled.most) {
            let value = now.unwrap_or_default().abs();
            *most = most.max(value);
            is_beyond |= value > limit.max;
        }
        let is_first = self.sampled.rows.is_empty();
        if is_beyond || is_first || now_ns - self.sampled.row_ns >= SAMPLE_NS {
            let state = asked::state(settings, self, children);
            self.sampled.from = self.sampled.from.or(state.number());
            self.sampled.to = state.number();
            let most = std::mem::replace(&mut self.sampled.most, vec![0.0; strategy.limits.len()]);
            self.sampled.rows.push(Row((now_ns - began_ns) as f64 / 1e9, state, most));
            self.sampled.row_ns = now_ns;
        }
    }

    /// The first limit that is exceeded, else the first condition that holds.
    pub fn violated(&self, children: &Children<'_>) -> Option<Why> {
        let settings = self.settings.as_ref()?;
        let senses = settings.limits.iter().zip(&self.sampled.now).map(|(limit, now)| (limit.max, *now));
        if let Some(exceeded) = first_exceeded(senses) {
            let limit = &settings.limits[exceeded.limit];
            let (sense, max) = (limit.sense.text(), limit.max);
            let text = match exceeded.value {
                Some(value) => format!("`{sense}` is {value:.1}, and its limit is {max:.1}"),
                None => format!("`{sense}` cannot be told, and has a limit"),
            };
            return Some(Why { outcome: "limit".into(), ..Why::new(&text, Means::Switch) });
        }
        settings.conditions.iter().find_map(|each| {
            let text = match children.judge(&each.condition) {
                Ok(false) => return None,
                Ok(true) => format!("`{}` holds", each.condition.text()),
                Err(why) => format!("`{}` cannot be judged: {why}", each.condition.text()),
            };
            Some(Why { outcome: each.outcome.as_str().into(), ..Why::new(&text, each.means()) })
        })
    }

    /// The attempt is over, with all that belongs to it: it is counted, told and learned from.
    pub fn close(&mut self, settings: &Settings, children: &mut Children<'_>) {
        let Some(why) = self.why.take() else { return };
        if self.strategy.is_none() {
            return;
        }
        self.attempts.ended(&self.name, why.means);
        let is_learned = settings.learn != Learn::Off && !children.is_preview() && self.settings.is_some();
        let samples = if is_learned { self.sampled.rows.len() } else { 0 };
        if is_learned {
            self.keep(settings, children, &why);
        }
        children.tell(RunFact::Tried(Tried {
            strategy: Arc::clone(&self.name),
            attempt: self.attempts.made,
            counted: self.attempts.counted,
            why: Arc::clone(&why.text),
            samples: samples as u32,
        }));
        self.last = Some(why.text);
        self.strategy = None;
    }

    fn keep(&mut self, settings: &Settings, children: &mut Children<'_>, why: &Why) {
        let limits = self.settings.as_ref().map(|strategy| asked::limits(strategy)).unwrap_or_default();
        let moved = match (self.sampled.from, self.sampled.to) {
            (Some(from), Some(to)) => (to - from).abs(),
            _ => 0.0,
        };
        let batch = Batch {
            format: FORMAT,
            task: settings.task.as_str().into(),
            robot: children.robot(),
            strategy: Arc::clone(&self.name),
            parameter: self.parameter,
            trial: self.number,
            attempt: self.attempts.made,
            placed: self.is_placed,
            limits,
            rows: std::mem::take(&mut self.sampled.rows),
            moved,
            phases_s: self.phases,
            ended: Arc::clone(&why.text),
            outcome: Arc::clone(&why.outcome),
        };
        if let Some(experience) = &mut self.experience {
            Arc::make_mut(experience).add(&batch);
        }
        let last = self.sampled.to;
        children.learn(Line::Batch(Box::new(batch)));
        if let (Some(at), Some(last)) = (self.ended_at, last) {
            let by = at - last;
            children.learn(Line::Shift(Shift { task: settings.task.as_str().into(), trial: self.number, by }));
        }
    }
}
