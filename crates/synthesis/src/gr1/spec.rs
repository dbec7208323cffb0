//! A request as formulas, in the paradigm of activations and outcomes. `p` activates an action or a mode, `p.c` and `p.f`
//! are its outcomes, `reached.g` remembers a goal, `SM.c` and `SM.f` are the outcomes of the whole. The numbers are those
//! of Maniatopoulos et al., Behavior Synthesis for an ATLAS Humanoid Robot; what is different is said where it is.

use thiserror::Error;

use super::formula::{Formula, Unreadable, read};
use crate::{Capabilities, Interest, Request};

/// Who promises it, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    EnvironmentInit,
    SystemInit,
    EnvironmentSafety,
    SystemSafety,
    EnvironmentLiveness,
    SystemLiveness,
}

#[derive(Clone, Debug)]
pub struct Named {
    /// The number of the formula, or the user's line.
    pub name: String,
    pub part: Part,
    pub formula: Formula,
}

#[derive(Clone, Debug)]
pub struct Spec {
    /// Of the environment first, then of the system.
    pub names: Vec<String>,
    pub environment: usize,
    pub formulas: Vec<Named>,
    /// Which of several winning activations is chosen: the numbers of activations by preference, a list a goal.
    pub preferred: Vec<Vec<usize>>,
    /// The numbers of `reached.g`, in the order of the goals.
    pub memory: Vec<usize>,
}

/// What formulas of this form do not say.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Outside {
    #[error("`{0}` loses or achieves facts: in these formulas outcomes stay; ask without formulas")]
    Effects(String),
    #[error("the goal `{0}` is neither an action nor a mode")]
    Goal(String),
    #[error("line {line}: {what}")]
    Line { line: usize, what: Unreadable },
    #[error(
        "line {line}: write `env` or `sys`, then G(…) for what always holds or GF(…) for what holds again and again"
    )]
    Form { line: usize },
    #[error("line {line}: the environment knows nothing of `next({name})` of the system")]
    Foresight { line: usize, name: String },
}

impl Spec {
    /// With the mistakes of the printed formulas mended.
    pub fn of(capabilities: &Capabilities, request: &Request) -> Result<Spec, Outside> {
        Spec::under(capabilities, request, "")
    }

    /// With the lines of a user: see [`Spec::add`]. What they name takes part, too.
    pub fn under(capabilities: &Capabilities, request: &Request, formulas: &str) -> Result<Spec, Outside> {
        let mut spec = Spec::without(capabilities, request, &named(capabilities, formulas))?;
        spec.add(formulas)?;
        Ok(spec)
    }

    fn without(capabilities: &Capabilities, request: &Request, also: &[String]) -> Result<Spec, Outside> {
        let interest = Interest::of_also(capabilities, request, also);
        if let Some((name, _)) = (capabilities.abilities())
            .filter(|(name, _)| interest.modes.contains(name) || interest.actions.contains(name))
            .find(|(_, ability)| !(ability.loses.is_empty() && ability.achieves.is_empty()))
        {
            return Err(Outside::Effects(name.clone()));
        }
        let all: Vec<String> = interest.modes.iter().chain(&interest.actions).cloned().collect();
        if let Some(goal) = request.goals.iter().find(|goal| !all.contains(goal)) {
            return Err(Outside::Goal(goal.clone()));
        }
        let mut names: Vec<String> = interest.facts.clone();
        names.extend(all.iter().flat_map(|name| [format!("{name}.c"), format!("{name}.f")]));
        let environment = names.len();
        names.extend(all.iter().cloned());
        names.extend(request.goals.iter().map(|goal| format!("reached.{goal}")));
        names.extend(["SM.c".to_owned(), "SM.f".to_owned()]);
        let preferred = preferred(capabilities, request, &interest, &names);
        let position = |name: String| names.iter().position(|known| *known == name).unwrap_or(0);
        let memory = request.goals.iter().map(|goal| position(format!("reached.{goal}"))).collect();
        let spec = Spec { names, environment, formulas: Vec::new(), preferred, memory };
        let mut writer = Writer { spec, interest, request };
        writer.system(capabilities);
        writer.environment(capabilities);
        writer.goals();
        writer.start();
        Ok(writer.spec)
    }

    /// In place of all of this name; for what is tried, and for what a user adds.
    pub fn replace(&mut self, name: &str, part: Part, texts: &[String]) -> Result<(), Unreadable> {
        self.formulas.retain(|each| each.name != name);
        for text in texts {
            let formula = read(text, &self.names)?;
            self.formulas.push(Named { name: name.to_owned(), part, formula });
        }
        Ok(())
    }

    /// Lines of a user: `sys G(door_open -> !push)`, `env GF(door_open)`. `#` begins a comment.
    pub fn add(&mut self, text: &str) -> Result<(), Outside> {
        for (number, line) in text.lines().enumerate().map(|(number, line)| (number + 1, line)) {
            let content = line.split('#').next().unwrap_or("");
            if content.trim().is_empty() {
                continue;
            }
            let form = || Outside::Form { line: number };
            let (who, rest) = content.trim_start().split_once(char::is_whitespace).ok_or_else(form)?;
            let is_live = rest.trim_start().starts_with("GF");
            let part = match (who, is_live) {
                ("env", false) => Part::EnvironmentSafety,
                ("env", true) => Part::EnvironmentLiveness,
                ("sys", false) => Part::SystemSafety,
                ("sys", true) => Part::SystemLiveness,
                _ => return Err(form()),
            };
            let begin = if is_live { "GF" } else { "G" };
            let inner = rest.trim_start().strip_prefix(begin).ok_or_else(form)?;
            // Columns stay those of the line.
            let shown = format!("{}{inner}", " ".repeat(content.chars().count() - inner.chars().count()));
            let formula = read(&shown, &self.names).map_err(|what| Outside::Line { line: number, what })?;
            let foreseen = formula.propositions().into_iter().find(|(name, next)| *next && *name >= self.environment);
            if let Some((name, _)) = foreseen.filter(|_| who == "env") {
                return Err(Outside::Foresight { line: number, name: self.names[name].clone() });
            }
            self.formulas.push(Named { name: format!("line {number}"), part, formula });
        }
        Ok(())
    }
}

/// What formulas speak of, comments left out.
fn named(capabilities: &Capabilities, formulas: &str) -> Vec<String> {
    let lines = formulas.lines().filter_map(|line| line.split('#').next());
    let words = lines.flat_map(|line| line.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')));
    words.filter(|word| capabilities.is_known(word)).map(str::to_owned).collect()
}

/// For each goal the activations of its closure first; modes before actions, each in the order of the file.
fn preferred(capabilities: &Capabilities, request: &Request, interest: &Interest, names: &[String]) -> Vec<Vec<usize>> {
    let all: Vec<&String> = interest.modes.iter().chain(&interest.actions).collect();
    let for_goal = |goal: &String| {
        let alone = Request { goals: vec![goal.clone()], ..request.clone() };
        let own = Interest::of(capabilities, &alone);
        let is_own = |name: &&&String| own.modes.contains(name) || own.actions.contains(name);
        let first = all.iter().filter(is_own);
        let then = all.iter().filter(|name| !is_own(name));
        first.chain(then).filter_map(|name| names.iter().position(|known| known == *name)).collect()
    };
    request.goals.iter().map(for_goal).collect()
}

struct Writer<'a> {
    spec: Spec,
    interest: Interest,
    request: &'a Request,
}

fn any(texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().collect();
    if texts.is_empty() { "false".to_owned() } else { format!("({})", texts.join(" | ")) }
}

fn every(texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().collect();
    if texts.is_empty() { "true".to_owned() } else { format!("({})", texts.join(" & ")) }
}

impl Writer<'_> {
    fn say(&mut self, name: &str, part: Part, text: &str) {
        let formula = read(text, &self.spec.names).expect("these formulas are over names of their own");
        self.spec.formulas.push(Named { name: name.to_owned(), part, formula });
    }

    fn all(&self) -> Vec<String> {
        self.interest.modes.iter().chain(&self.interest.actions).cloned().collect()
    }

    /// This mode alone is activated.
    fn only(&self, mode: &str) -> String {
        let others = self.interest.modes.iter().filter(|other| *other != mode).map(|other| format!("!{other}"));
        every([mode.to_owned()].into_iter().chain(others))
    }

    fn none(&self) -> String {
        every(self.interest.modes.iter().map(|mode| format!("!{mode}")))
    }

    fn system(&mut self, capabilities: &Capabilities) {
        use Part::SystemSafety as Safety;
        for p in self.all() {
            for o in ["c", "f"] {
                self.say("2", Safety, &format!("{p} & next({p}.{o}) -> next(!{p})"));
            }
        }
        for a in self.all() {
            let needs = capabilities.ability(&a).map_or(&[][..], |ability| &ability.needs);
            for q in needs {
                // A sensor is its own completion, and is looked at when it begins: what goes on is not given up.
                if capabilities.ability(q).is_none() {
                    self.say("7", Safety, &format!("!{a} & next({a}) -> next({q})"));
                    continue;
                }
                let holds = format!("{q}.c");
                self.say("7", Safety, &format!("!{holds} -> !{a}"));
                self.say("7", Safety, &format!("next(!{holds} -> !{a})"));
            }
        }
        for m in self.interest.modes.clone() {
            let to = capabilities.mode(&m).map_or(&[][..], |mode| &mode.to);
            let next = to.iter().chain([&m]).filter(|next| self.interest.modes.contains(next));
            let may = any(next.map(|next| self.only(next)).chain([self.none()]));
            self.say("8", Safety, &format!("next({m}.c) -> next({may})"));
        }
        let all = self.all();
        // Steps are not given up half-way, whatever is sensed meanwhile.
        let senses = !self.interest.facts.is_empty();
        for p in all.iter().filter(|_| senses) {
            self.say("goes on", Safety, &format!("{p} & next(!{p}.c & !{p}.f) -> next({p})"));
        }
        for (at, p) in all.iter().enumerate() {
            for q in &all[at + 1..] {
                self.say("one at a time", Safety, &format!("!({p} & {q})"));
                self.say("one at a time", Safety, &format!("next(!({p} & {q}))"));
            }
        }
    }

    fn environment(&mut self, capabilities: &Capabilities) {
        use Part::{EnvironmentLiveness as Liveness, EnvironmentSafety as Safety};
        for p in self.all() {
            self.say("3", Safety, &format!("next(!({p}.c & {p}.f))"));
        }
        for a in self.interest.actions.clone() {
            for o in ["c", "f"] {
                self.say("4b", Safety, &format!("!{a}.{o} & !{a} -> next(!{a}.{o})"));
                self.say("5", Safety, &format!("{a}.{o} & !{a} -> next({a}.{o})"));
            }
            // Instead of (6a) to (6c), under which the environment could never keep its promise. Where failures are tried
            // again it must not fail for ever.
            let fair = match self.request.retry {
                0 => format!("({a} & next({a}.c | {a}.f)) | !{a}"),
                _ => format!("({a} & next({a}.c)) | !({a} | {a}.f)"),
            };
            self.say("6", Liveness, &fair);
        }
        let modes = self.interest.modes.clone();
        if modes.is_empty() {
            return;
        }
        let one = any(modes.iter().map(|m| {
            let others = modes.iter().filter(|other| *other != m).map(|other| format!("!{other}.c"));
            every([format!("{m}.c")].into_iter().chain(others))
        }));
        self.say("9", Safety, &format!("next({one})"));
        for m in &modes {
            let to = capabilities.mode(m).map_or(&[][..], |mode| &mode.to);
            for next in to.iter().chain([m]).filter(|next| modes.contains(next)) {
                let only = self.only(next);
                self.say("10", Safety, &format!("{m}.c & {only} -> next({m}.c | {next}.c | {next}.f)"));
            }
            for o in ["c", "f"] {
                self.say("11", Safety, &format!("!{m}.{o} & !{m} -> next(!{m}.{o})"));
                let none = self.none();
                self.say("12", Safety, &format!("{m}.{o} & {none} -> next({m}.{o})"));
            }
        }
        let retries = self.request.retry > 0;
        let returned = modes.iter().map(|m| match retries {
            false => format!("({} & next({m}.c | {m}.f))", self.only(m)),
            true => format!("({} & next({m}.c))", self.only(m)),
        });
        let failed = modes.iter().filter(|_| retries).map(|m| format!("!{m}.f"));
        let idle = every([self.none()].into_iter().chain(failed));
        let text = any(returned.chain([idle]));
        self.say("13", Liveness, &text);
    }

    fn goals(&mut self) {
        use Part::SystemSafety as Safety;
        let goals = self.request.goals.clone();
        for (at, g) in goals.iter().enumerate() {
            let after = match at.checked_sub(1).filter(|_| self.request.strict) {
                Some(before) => format!(" & reached.{}", goals[before]),
                None => String::new(),
            };
            // Instead of (17) and (20): what is so already, or was done for another goal, is not this goal's.
            self.say("17", Safety, &format!("next(reached.{g}) <-> (({g} & next({g}.c){after}) | reached.{g})"));
        }
        let reached = every(goals.iter().map(|g| format!("reached.{g}")));
        self.say("18a", Safety, &format!("next(SM.c) <-> next({reached})"));
        let failed = any(self.all().iter().map(|p| format!("next({p}.f)")).filter(|_| self.request.retry == 0));
        self.say("18b", Safety, &format!("next(SM.f) <-> ({failed} | SM.f)"));
        self.say("19", Part::SystemLiveness, "SM.c | SM.f");
    }

    fn start(&mut self) {
        let sign = |holds: bool| if holds { "" } else { "!" };
        for name in self.spec.names.clone() {
            let is_environment = self.spec.names.iter().position(|known| *known == name) < Some(self.spec.environment);
            let holds = self.request.from.iter().any(|from| name == format!("{from}.c") || name == *from);
            let (number, part) = if is_environment { ("14", Part::EnvironmentInit) } else { ("15", Part::SystemInit) };
            let holds = holds && is_environment;
            self.say(number, part, &format!("{}{name}", sign(holds)));
        }
    }
}
