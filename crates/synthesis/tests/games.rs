//! The same requests as games of GR(1), and what is wrong with the formulas as they were printed.

use synthesis::Request;
use synthesis::gr1::{Answer, Machine, Outside, Part, Spec, read, solve};

use crate::common::{names, request, vigir};

fn spec(request: &Request) -> Spec {
    Spec::of(&vigir(), request).expect("the formulas say it")
}

fn won(spec: &Spec) -> Option<Machine> {
    match solve(spec).expect("it fits") {
        Answer::Won(machine) => Some(machine),
        Answer::Lost => None,
    }
}

/// The robot wins without ever reaching its goals: only because the environment cannot keep its promises.
fn is_vacuous(spec: &Spec) -> bool {
    let mut spec = spec.clone();
    spec.replace("19", Part::SystemLiveness, &["false".to_owned()]).expect("a formula");
    won(&spec).is_some()
}

/// Whatever is answered, and in time, it comes to an end: only waiting goes round.
fn ends(machine: &Machine) -> bool {
    let mut open = vec![(0, vec![0])];
    while let Some((at, way)) = open.pop() {
        if machine.states[at].next.is_empty() && !machine.has_ended(at) {
            return false;
        }
        for next in machine.states[at].next.iter().filter(|next| **next != at) {
            if way.contains(next) {
                return false;
            }
            open.push((*next, way.iter().copied().chain([*next]).collect()));
        }
    }
    true
}

const ROWS: [(&str, &str, &str, (usize, usize)); 6] = [
    ("stand", "grasp_object", "manipulate object_template grasp_object", (8, 10)),
    ("stand", "look_down grasp_object", "look_down manipulate object_template grasp_object", (10, 13)),
    ("manipulate", "footstep_execution", "stand target_pose footstep_goal footstep_plan footstep_execution", (12, 16)),
    ("stand_prep", "look_down pickup_object", "look_down stand manipulate object_template pickup_object", (12, 16)),
    (
        "manipulate",
        "approach_object grasp_object",
        "stand object_template approach_object manipulate grasp_object",
        (12, 16),
    ),
    ("stand", "pregrasp", "manipulate object_template pregrasp_pose pregrasp_plan pregrasp", (12, 16)),
];

#[test]
fn each_demonstration_is_won_as_it_was() {
    for (from, goals, run, size) in ROWS {
        let spec = spec(&request(from, goals));
        let machine = won(&spec).unwrap();
        assert_eq!(machine.run(), names(run), "{from} → {goals}");
        assert_eq!(machine.size(), size, "{from} → {goals}");
        assert!(!is_vacuous(&spec), "{from} → {goals}");
        assert!(ends(&machine), "{from} → {goals}");
    }
}

#[test]
fn what_is_lost_is_lost() {
    assert!(won(&spec(&request("stand", "stand_prep"))).is_none(), "nothing leads back");
    let without = Request { modes: names("manipulate walk"), ..request("manipulate", "walk") };
    assert!(won(&spec(&without)).is_none(), "the mode between is left out");
    assert!(won(&spec(&request("manipulate", "walk"))).is_some());
}

#[test]
fn what_fails_may_be_tried_again_and_for_ever_it_does_not() {
    let spec = spec(&Request { retry: 1, ..request("stand", "grasp_object") });
    let machine = won(&spec).unwrap();
    assert_eq!(machine.run(), names("manipulate object_template grasp_object"));
    assert!(!is_vacuous(&spec));
}

#[test]
fn the_order_is_a_must_where_it_is_asked_for() {
    let must = Request { strict: true, ..request("stand", "grasp_object object_template") };
    let machine = won(&spec(&must)).unwrap();
    assert_eq!(machine.run(), names("manipulate object_template grasp_object object_template"));
}

/// As they stand in the report. Each mistake is shown by a game; what mends it is in `Spec`.
mod printed {
    use super::*;

    fn demonstration() -> Spec {
        spec(&request("stand", "grasp_object"))
    }

    /// (6): once an action has completed and is not activated again, its outcome stays, so neither return nor change ever
    /// comes: the environment cannot keep its promise, and doing nothing wins.
    #[test]
    fn fairness_that_cannot_be_kept_is_vacuous() {
        let mut spec = demonstration();
        let fair = ["grasp_object", "object_template"].map(|a| {
            format!(
                "({a} & next({a}.c | {a}.f)) | (!{a} & next(!{a}.c & !{a}.f)) | ({a} & next(!{a})) | (!{a} & next({a}))"
            )
        });
        spec.replace("6", Part::EnvironmentLiveness, &fair).unwrap();
        assert!(won(&spec).is_some());
        assert!(is_vacuous(&spec), "the printed formula is won by doing nothing");
    }

    /// (17a) and (20): any completion of a goal is remembered, so one that is needed for an earlier goal breaks the order.
    #[test]
    fn memory_of_any_completion_breaks_the_order() {
        let must = Request { strict: true, ..request("stand", "grasp_object object_template") };
        let mut printed = spec(&must);
        let memory = must.goals.iter().flat_map(|g| {
            [
                format!("next({g}.c) -> next(reached.{g})"),
                format!("reached.{g} -> next(reached.{g})"),
                format!("!reached.{g} & next(!{g}.c) -> next(!reached.{g})"),
            ]
        });
        let order = "!reached.grasp_object -> next(!reached.object_template)".to_owned();
        printed.replace("17", Part::SystemSafety, &memory.chain([order]).collect::<Vec<_>>()).unwrap();
        assert!(won(&printed).is_none());
        assert!(won(&spec(&must)).is_some());
    }

    /// (9), (11) and (14): with no mode at the start the environment cannot make its first move.
    #[test]
    fn no_mode_at_the_start_is_vacuous() {
        let spec = spec(&Request { from: Vec::new(), modes: names("stand manipulate"), ..request("", "grasp_object") });
        assert!(won(&spec).is_some() && is_vacuous(&spec));
    }

    /// Retry with fairness that failing for ever meets: an activation goes off after each failure, and that is enough.
    #[test]
    fn fairness_of_retry_that_failing_meets_is_lost() {
        let mut spec = spec(&Request { retry: 1, ..request("stand", "grasp_object") });
        let fair = ["grasp_object", "object_template"].map(|a| format!("({a} & next({a}.c)) | !{a}"));
        spec.replace("6", Part::EnvironmentLiveness, &fair).unwrap();
        assert!(won(&spec).is_none());
    }
}

#[test]
fn formulas_of_a_user_count() {
    let mut spec = spec(&request("stand", "look_down grasp_object"));
    spec.add("# Never look down before the template is there.\nsys G(look_down -> object_template.c)\n").unwrap();
    let machine = won(&spec).unwrap();
    assert_eq!(machine.run(), names("object_template look_down manipulate grasp_object"));
    spec.add("sys G(!manipulate)").unwrap();
    assert!(won(&spec).is_none());
}

#[test]
fn what_is_wrong_with_a_formula_is_told_with_its_place() {
    let said = |text: &str| spec(&request("stand", "look_down")).add(text).unwrap_err().to_string();
    assert_eq!(said("sys G(look_dwn)"), "line 1: column 7: `look_dwn` is unknown: did you mean `look_down`?");
    assert_eq!(
        said("\nsys G(look_down &)"),
        "line 2: column 18: `)` is not expected here; write a name, `!`, `next(…)` or a bracket"
    );
    assert_eq!(said("sys G(look_down"), "line 1: column 16: it ends here; write `)`");
    assert_eq!(
        said("sys G(look_down -> F(stand))"),
        "line 1: column 20: `F` stands inside of a formula, which GR(1) cannot: it begins one, as in G(…) or GF(…)"
    );
    assert_eq!(
        said("sys G(next(next(look_down)))"),
        "line 1: column 7: `next` in `next` looks two situations ahead, which GR(1) cannot: remember with a proposition"
    );
    assert_eq!(
        said("env G(next(look_down))"),
        "line 1: the environment knows nothing of `next(look_down)` of the system"
    );
    assert!(matches!(spec(&request("stand", "look_down")).add("always look_down"), Err(Outside::Form { line: 1 })));
    let deep = format!("{}a{}", "(".repeat(5000), ")".repeat(5000));
    assert!(read(&deep, &["a".to_owned()]).unwrap_err().to_string().ends_with("more than 100 brackets in each other"));
    assert!(
        read("a # b", &["a".to_owned()]).unwrap_err().to_string().starts_with("column 3: `#` is not expected here")
    );
}
