//! Atlas as Team ViGIR had it: what its demonstrations asked for and got.

use synthesis::{Interest, Request};

use crate::common::{names, reason, request, run, size, tree, vigir};

struct Row {
    from: &'static str,
    goals: &'static str,
    run: &'static str,
    size: (usize, usize),
    /// Of environment and system, with the three modes that ViGIR's compilation always took.
    propositions: (usize, usize),
    /// With the modes that are on a way alone.
    inferred: (usize, usize),
}

const ROWS: [Row; 7] = [
    Row {
        from: "stand",
        goals: "grasp_object",
        run: "manipulate object_template grasp_object",
        size: (8, 10),
        propositions: (10, 8),
        inferred: (8, 7),
    },
    Row {
        from: "stand",
        goals: "look_down grasp_object",
        run: "look_down manipulate object_template grasp_object",
        size: (10, 13),
        propositions: (12, 10),
        inferred: (10, 9),
    },
    Row {
        from: "manipulate",
        goals: "footstep_execution",
        run: "stand target_pose footstep_goal footstep_plan footstep_execution",
        size: (12, 16),
        propositions: (14, 10),
        inferred: (12, 9),
    },
    Row {
        from: "stand_prep",
        goals: "look_down pickup_object",
        run: "look_down stand manipulate object_template pickup_object",
        size: (12, 16),
        propositions: (12, 10),
        inferred: (12, 10),
    },
    Row {
        from: "manipulate",
        goals: "approach_object grasp_object",
        run: "stand object_template approach_object manipulate grasp_object",
        size: (12, 16),
        propositions: (12, 10),
        inferred: (10, 9),
    },
    Row {
        from: "stand",
        goals: "pregrasp",
        run: "manipulate object_template pregrasp_pose pregrasp_plan pregrasp",
        size: (12, 16),
        propositions: (14, 10),
        inferred: (12, 9),
    },
    Row {
        from: "stand object_template",
        goals: "grasp_object",
        run: "manipulate grasp_object",
        size: (6, 7),
        propositions: (10, 8),
        inferred: (8, 7),
    },
];

#[test]
fn each_demonstration_runs_as_it_did() {
    let vigir = vigir();
    for row in &ROWS {
        let request = request(row.from, row.goals);
        let plan = run(&vigir, &request).unwrap();
        assert_eq!(plan.names(), names(row.run), "{} → {}", row.from, row.goals);
        assert_eq!(size(&plan, &request), row.size, "{} → {}", row.from, row.goals);
        assert_eq!(plan.interest.propositions(request.goals.len()), row.inferred, "{} → {}", row.from, row.goals);
        let tree = tree(&vigir, &request, &plan);
        assert_eq!(tree.children.iter().map(|step| &*step.name).collect::<Vec<_>>(), plan.names());
        let bytes = serde_json::to_string(&request).unwrap().len();
        assert!(bytes <= 200, "{bytes} bytes cross the link");
    }
}

#[test]
fn with_the_modes_that_were_always_taken_the_formulas_have_as_many_propositions() {
    for row in &ROWS {
        let request = Request { modes: names("stand_prep stand manipulate"), ..request(row.from, row.goals) };
        let interest = Interest::of(&vigir(), &request);
        assert_eq!(interest.propositions(request.goals.len()), row.propositions, "{} → {}", row.from, row.goals);
        let plan = run(&vigir(), &request).unwrap();
        assert_eq!(plan.names(), names(row.run), "{} → {}", row.from, row.goals);
    }
}

#[test]
fn what_has_no_way_back_is_told() {
    let said = reason(&vigir(), &request("stand", "stand_prep"));
    assert_eq!(said, "`stand_prep` cannot be reached from `stand`: nothing leads to it");
}

#[test]
fn modes_on_the_way_are_found() {
    let walk = request("manipulate", "walk");
    assert_eq!(run(&vigir(), &walk).unwrap().names(), ["stand", "walk"]);
    let without = Request { modes: names("manipulate walk"), ..walk };
    let said = reason(&vigir(), &without);
    assert_eq!(said, "`walk` cannot be reached from `manipulate`: only `stand` would lead on, which may not be used");
    let interest = Interest::of(&vigir(), &request("stand", "grasp_object"));
    assert_eq!(interest.modes, ["stand", "manipulate"]);
    assert_eq!(Interest::of(&vigir(), &request("manipulate", "walk")).modes, ["stand", "manipulate", "walk"]);
}

#[test]
fn the_order_is_a_must_where_it_is_asked_for() {
    let vigir = vigir();
    // The second is done for the first: as a wish that is enough, as a must it is done again.
    let wish = request("stand", "grasp_object object_template");
    assert_eq!(run(&vigir, &wish).unwrap().names(), ["manipulate", "object_template", "grasp_object"]);
    let must = Request { strict: true, ..wish };
    let plan = run(&vigir, &must).unwrap();
    assert_eq!(plan.names(), ["manipulate", "object_template", "grasp_object", "object_template"]);
    tree(&vigir, &must, &plan);
}

#[test]
fn what_fails_may_be_tried_again() {
    let vigir = vigir();
    let request = Request { retry: 2, ..request("stand", "grasp_object") };
    let plan = run(&vigir, &request).unwrap();
    assert_eq!(size(&plan, &request), (5, 10), "nothing fails in the end");
    let tree = tree(&vigir, &request, &plan);
    let proof = synthesis::prove(&vigir, &request, &tree).unwrap();
    // Each of the three may fail 0, 1 or 2 times, or a third time and for good.
    assert_eq!((proof.finished, proof.failed, proof.longest), (27, 1 + 3 + 9, 9));
}

#[test]
fn a_tree_that_was_tampered_with_is_not_proved() {
    let vigir = vigir();
    let request = request("stand", "look_down grasp_object");
    let plan = run(&vigir, &request).unwrap();
    let sound = tree(&vigir, &request, &plan);
    let said = |change: &dyn Fn(&mut model::Subtree)| {
        let mut tree = sound.clone();
        change(&mut tree);
        synthesis::prove(&vigir, &request, &tree).unwrap_err().to_string()
    };
    assert_eq!(
        said(&|tree| drop(tree.children.remove(2))),
        "`grasp_object` is done while `object_template` does not hold"
    );
    assert_eq!(said(&|tree| drop(tree.children.pop())), "it finishes and `grasp_object` was not reached");
    assert_eq!(said(&|tree| tree.children[1].name = "stand_prep".into()), "`stand_prep` cannot follow `stand`");
    assert_eq!(said(&|tree| tree.children[1].name = "wave".into()), "`wave` is neither an action nor a mode");
}
