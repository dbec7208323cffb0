//! A node type is one file and one line: what it declares there is found wherever types are checked and shown. What the
//! page makes of it is in `web/src/panels/settings/newType.test.ts`.

use engine::{Context, End, Registry, StepType, Tick, step};
use model::file::{MemoryFiles, load};
use model::{Drag, Fixed, Gives, Handle, Looks, Needs, Offer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

struct Poke;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Place {
    x_m: f64,
    y_m: f64,
    z_m: f64,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Settings {
    /// What is poked.
    what: String,
    /// Where `place` is.
    frame: String,
    /// Where it is poked.
    place: Place,
    /// What it looks at.
    towards: Place,
}

impl StepType for Poke {
    const NAME: &'static str = "poke";
    const GROUP: &'static str = "body";
    const DOC: &'static str = "Pokes something. Gently.";
    const ICON: Option<&'static str> = Some("hand");
    const NEEDS: &'static [Needs] =
        &[Needs { field: "what", missing: "nothing is poked", remedy: "name it in `what`" }];
    const HANDLES: &'static [Handle] = &[Handle { drag: Drag::Place, ..Handle::pose("place", Looks::Point) }];
    const OFFERS: &'static [Offer] = &[Offer {
        title: "Poke it",
        short: "Poke",
        looks: Looks::Point,
        with: &[("what", Fixed::Text("floor"))],
        gives: Gives::Ground { place: "place", facing: "towards" },
    }];
    type Settings = Settings;
    type State = ();

    fn outcomes(_settings: &Settings) -> Option<Vec<String>> {
        Some(vec!["poked back".to_owned()])
    }

    fn tick(_settings: &Settings, _state: &mut (), _context: &mut Context<'_>) -> Tick {
        Tick::Ended(End::failure("it poked back").with_outcome("poked back"))
    }
}

/// The one line.
fn registry() -> Registry {
    let mut entries = nodes::entries();
    entries.push(step::<Poke>());
    Registry::new(entries)
}

fn problems(children: &str) -> Vec<String> {
    let registry = registry();
    let text = format!(
        r#"{{"version": 1, "type": "fallback", "outcomes": ["poked back", "slapped"], "children": [{children}]}}"#
    );
    let files = MemoryFiles::from([("main.json", text.as_str())]);
    let loaded = load("main.json", &files, registry.catalogue()).expect("it opens");
    let problems = check::check(&loaded, &registry, &[], &check::Options::default());
    problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect()
}

#[test]
fn what_it_needs_and_how_it_ends_is_checked() {
    let caught = r#"{"type": "wait", "name": "caught"}"#;
    let told = problems(&format!(r#"{{"type": "poke", "name": "nothing"}}, {caught}"#));
    assert!(told.iter().any(|line| line.contains("nothing is poked")), "{told:?}");
    let told = problems(&format!(r#"{{"type": "poke", "name": "bear", "what": "bear"}}, {caught}"#));
    assert!(!told.iter().any(|line| line.contains("nothing is poked")), "{told:?}");
    // One outcome is its own, the other nobody's.
    let unknown: Vec<&String> = told.iter().filter(|line| line.contains("outcome")).collect();
    assert!(unknown.len() == 1 && unknown[0].contains("slapped"), "{told:?}");
}

/// The page reads this file in its own test: what is written here is what the program tells it.
#[test]
fn the_page_is_told_all_of_it() {
    let registry = registry();
    let info = registry.catalogue().get("poke").expect("it is in the list");
    let json = serde_json::to_string_pretty(info).expect("JSON") + "\n";
    expect_test::expect_file!["../../../../web/src/panels/settings/newType.json"].assert_eq(&json);
}
