//! Who wins: the fixed points of Piterman, Pnueli and Sa'ar over binary decision diagrams, with livenesses over steps.

use oxidd::bdd::{BDDFunction as Bdd, BDDManagerRef, new_manager};
use oxidd::util::OutOfMemory;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Manager, ManagerRef, Subst};
use thiserror::Error;

use super::formula::Formula;
use super::machine::{self, Machine};
use super::spec::{Part, Spec};

pub enum Answer {
    /// The robot wins, and this is how.
    Won(Machine),
    /// Whatever the robot does, its environment can keep it from the goals and keep all promises.
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the formulas need more memory than is given to them, {MOST_NODES} nodes")]
pub struct TooLarge;

impl From<OutOfMemory> for TooLarge {
    fn from(_: OutOfMemory) -> TooLarge {
        TooLarge
    }
}

pub(super) type Made<T> = Result<T, TooLarge>;

const MOST_NODES: usize = 1 << 21;
const CACHE: usize = 1 << 18;

pub fn solve(spec: &Spec) -> Made<Answer> {
    let game = Game::new(spec)?;
    let mut won = game.win()?;
    if !game.starts_in(&won.everywhere)? {
        return Ok(Answer::Lost);
    }
    game.stage(spec, &mut won)?;
    machine::extract(spec, &game, &won).map(Answer::Won)
}

pub(super) struct Game {
    manager: BDDManagerRef,
    /// The variable of each proposition now and in the next situation, and what it stands for.
    now: Vec<Bdd>,
    pub next: Vec<Bdd>,
    /// Now to next. One for all uses, so that results are remembered.
    step: Subst<Bdd>,
    /// Of the environment and of the system, in the next situation: what is quantified.
    environment_next: Bdd,
    system_next: Bdd,
    pub environment_may: Bdd,
    pub system_may: Bdd,
    environment_init: Bdd,
    system_init: Bdd,
    system_now: Bdd,
    environment_lives: Vec<Bdd>,
    system_lives: Vec<Bdd>,
}

/// What was found on the way to the last fixed point.
pub(super) struct Won {
    pub everywhere: Bdd,
    /// For each liveness of the system, or each goal: from near to far.
    pub ways: Vec<Way>,
    /// The ways are those of the goals.
    pub is_staged: bool,
}

pub(super) struct Way {
    live: Bdd,
    pub layers: Vec<Layer>,
}

pub(super) struct Layer {
    pub reached: Bdd,
    /// For each liveness of the environment: where it is waited for.
    pub waiting: Vec<Bdd>,
}

impl Game {
    fn new(spec: &Spec) -> Made<Game> {
        let manager = new_manager(MOST_NODES, CACHE, 1);
        let count = spec.names.len();
        let order = order(spec);
        let (now, next) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(2 * count as u32);
            let variable = |at: u32| Bdd::var(manager, at);
            let now = order.iter().map(|at| variable(2 * at)).collect::<Result<Vec<_>, _>>()?;
            let next = order.iter().map(|at| variable(2 * at + 1)).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, OutOfMemory>((now, next))
        })?;
        let yes = manager.with_manager_shared(|manager| Bdd::t(manager));
        let product = |all: &[Bdd]| all.iter().try_fold(yes.clone(), |so_far, each| so_far.and(each));
        let environment = spec.environment;
        let mut game = Game {
            environment_next: product(&next[..environment])?,
            system_next: product(&next[environment..])?,
            system_now: product(&now[environment..])?,
            environment_may: yes.clone(),
            system_may: yes.clone(),
            environment_init: yes.clone(),
            system_init: yes,
            environment_lives: Vec::new(),
            system_lives: Vec::new(),
            manager,
            now,
            step: Subst::new(order.iter().map(|at| 2 * at).collect(), next.clone()),
            next,
        };
        for named in &spec.formulas {
            let formula = game.made(&named.formula)?;
            let whole = match named.part {
                Part::EnvironmentInit => &mut game.environment_init,
                Part::SystemInit => &mut game.system_init,
                Part::EnvironmentSafety => &mut game.environment_may,
                Part::SystemSafety => &mut game.system_may,
                Part::EnvironmentLiveness => {
                    game.environment_lives.push(formula);
                    continue;
                }
                Part::SystemLiveness => {
                    game.system_lives.push(formula);
                    continue;
                }
            };
            *whole = whole.and(&formula)?;
        }
        // A promise of nothing, so that there is one.
        let yes = game.constant(true);
        game.environment_lives.extend(game.environment_lives.is_empty().then(|| yes.clone()));
        game.system_lives.extend(game.system_lives.is_empty().then_some(yes));
        Ok(game)
    }

    pub fn constant(&self, value: bool) -> Bdd {
        self.manager.with_manager_shared(|manager| if value { Bdd::t(manager) } else { Bdd::f(manager) })
    }

    fn made(&self, formula: &Formula) -> Made<Bdd> {
        Ok(match formula {
            Formula::Constant(value) => self.constant(*value),
            Formula::Is(number) => self.now[*number].clone(),
            Formula::Next(number) => self.next[*number].clone(),
            Formula::Not(inner) => self.made(inner)?.not()?,
            Formula::And(all) => all
                .iter()
                .try_fold(self.constant(true), |so_far, each| Ok::<_, TooLarge>(so_far.and(&self.made(each)?)?))?,
            Formula::Or(all) => all
                .iter()
                .try_fold(self.constant(false), |so_far, each| Ok::<_, TooLarge>(so_far.or(&self.made(each)?)?))?,
            Formula::Implies(one, other) => self.made(one)?.imp(&self.made(other)?)?,
            Formula::Same(one, other) => self.made(one)?.equiv(&self.made(other)?)?,
        })
    }

    /// The same, said of the next situation.
    fn primed(&self, set: &Bdd) -> Made<Bdd> {
        Ok(set.substitute(&self.step)?)
    }

    /// From where the robot can see to it, whatever comes next, that the step is one of these.
    fn forced(&self, steps: &Bdd) -> Made<Bdd> {
        let answered = self.system_may.apply_exists(BooleanOperator::And, steps, &self.system_next)?;
        let unanswered = answered.not()?;
        Ok(self.environment_may.apply_exists(BooleanOperator::And, &unanswered, &self.environment_next)?.not()?)
    }

    fn win(&self) -> Made<Won> {
        let mut everywhere = self.constant(true);
        loop {
            let before = everywhere.clone();
            let mut ways = Vec::new();
            for live in &self.system_lives {
                let again = live.and(&self.primed(&everywhere)?)?;
                let layers = self.layers(&again, &everywhere)?;
                everywhere = layers.last().map_or_else(|| self.constant(false), |layer| layer.reached.clone());
                ways.push(Way { live: live.clone(), layers });
            }
            if everywhere == before {
                return Ok(Won { everywhere, ways, is_staged: false });
            }
        }
    }

    /// Where the goals are all there is to reach, each is reached in its turn: no longer to the end of all, but to the
    /// first that is open.
    fn stage(&self, spec: &Spec, won: &mut Won) -> Made<()> {
        let lives = spec.formulas.iter().filter(|each| each.part == Part::SystemLiveness).count();
        let failed = spec.names.iter().position(|name| name == "SM.f");
        let (Some(failed), 1) = (failed, lives) else { return Ok(()) };
        let mut ways = Vec::new();
        for memory in &spec.memory {
            let live = self.next[*memory].or(&self.next[failed])?;
            let again = live.and(&self.primed(&won.everywhere)?)?;
            ways.push(Way { live, layers: self.layers(&again, &won.everywhere)? });
        }
        (won.ways, won.is_staged) = (ways, true);
        Ok(())
    }

    /// From where a step of `again` can be had, for ever or after an environment that keeps its promises.
    fn layers(&self, again: &Bdd, inside: &Bdd) -> Made<Vec<Layer>> {
        let mut layers: Vec<Layer> = Vec::new();
        let mut reached = self.constant(false);
        loop {
            let near = again.or(&self.primed(&reached)?)?;
            let mut grown = reached.clone();
            let mut waiting = Vec::new();
            for live in &self.environment_lives {
                let broken = live.not()?;
                let mut wait = inside.clone();
                loop {
                    let stays = broken.and(&self.primed(&wait)?)?;
                    let less = self.forced(&near.or(&stays)?)?.and(inside)?;
                    if less == wait {
                        break;
                    }
                    wait = less;
                }
                grown = grown.or(&wait)?;
                waiting.push(wait);
            }
            if grown == reached {
                return Ok(layers);
            }
            reached = grown.clone();
            layers.push(Layer { reached: grown, waiting });
        }
    }

    fn starts_in(&self, won: &Bdd) -> Made<bool> {
        let answered = self.system_init.apply_exists(BooleanOperator::And, won, &self.system_now)?;
        let lost = self.environment_init.and(&answered.not()?)?;
        Ok(!lost.satisfiable())
    }

    /// Exactly this situation, now.
    pub fn at(&self, state: &[bool]) -> Made<Bdd> {
        literals(&self.now, state, self.constant(true))
    }

    /// What is left of a set of steps from exactly this situation: of the next one.
    pub fn from(&self, steps: &Bdd, state: &[bool]) -> Made<Bdd> {
        Ok(steps.restrict(&self.at(state)?)?)
    }

    /// With the next situation of the environment fixed.
    pub fn answered(&self, steps: &Bdd, environment: &[bool]) -> Made<Bdd> {
        let cube = literals(&self.next[..environment.len()], environment, self.constant(true))?;
        Ok(steps.restrict(&cube)?)
    }

    pub fn first_states(&self, count: usize) -> Made<Vec<Vec<bool>>> {
        let all = self.environment_init.and(&self.system_init)?;
        self.assignments(&all, &self.now[..count])
    }

    /// Every row of values of these variables in it, false first.
    pub fn assignments(&self, set: &Bdd, variables: &[Bdd]) -> Made<Vec<Vec<bool>>> {
        let mut rows = Vec::new();
        let mut open = vec![(set.clone(), Vec::new())];
        while let Some((left, values)) = open.pop() {
            if !left.satisfiable() {
                continue;
            }
            let Some(variable) = variables.get(values.len()) else {
                rows.push(values);
                continue;
            };
            for value in [true, false] {
                let literal = if value { variable.clone() } else { variable.not()? };
                let next = left.restrict(&literal)?;
                open.push((next, values.iter().copied().chain([value]).collect()));
            }
        }
        Ok(rows)
    }

    /// The steps that lead near, those that keep waiting, for each layer of a liveness.
    pub fn steps_of(&self, won: &Won, goal: usize) -> Made<Vec<(Bdd, Vec<Bdd>)>> {
        let again = won.ways[goal].live.and(&self.primed(&won.everywhere)?)?;
        let mut before = self.constant(false);
        let mut steps = Vec::new();
        for layer in &won.ways[goal].layers {
            let near = again.or(&self.primed(&before)?)?;
            let mut waits = Vec::new();
            for (live, waiting) in self.environment_lives.iter().zip(&layer.waiting) {
                waits.push(live.not()?.and(&self.primed(waiting)?)?);
            }
            steps.push((near, waits));
            before = layer.reached.clone();
        }
        Ok(steps)
    }
}

fn literals(variables: &[Bdd], values: &[bool], yes: Bdd) -> Made<Bdd> {
    let mut cube = yes;
    for (variable, value) in variables.iter().zip(values) {
        cube = cube.and(&if *value { variable.clone() } else { variable.not()? })?;
    }
    Ok(cube)
}

/// The place of each proposition: an activation and its outcomes stand side by side, memory last.
fn order(spec: &Spec) -> Vec<u32> {
    let key = |number: usize| {
        let name = &spec.names[number];
        let of = name.split('.').next().unwrap_or(name);
        let activation = spec.names[spec.environment..].iter().position(|known| known == of);
        (activation.unwrap_or(if number < spec.environment { 0 } else { usize::MAX }), number)
    };
    let mut sorted: Vec<usize> = (0..spec.names.len()).collect();
    sorted.sort_by_key(|number| key(*number));
    let mut places = vec![0; sorted.len()];
    for (place, number) in sorted.into_iter().enumerate() {
        places[number] = place as u32;
    }
    places
}
