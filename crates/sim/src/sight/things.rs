//! What a detector can tell apart in a world.

use std::sync::Arc;

use crate::world::{Kind, Object, PlacedWorld};

/// One thing with a class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thing {
    pub class: Arc<str>,
    /// Whose geoms are its own.
    pub body: String,
}

pub(crate) fn things(world: &PlacedWorld) -> Vec<Thing> {
    let own = world.detector.bodies.iter();
    let own = own.map(|(body, class)| Thing { class: class.clone(), body: body.clone() });
    world.objects.iter().flat_map(of_object).chain(own).collect()
}

/// Of a door the handle and the panel are seen as two things; of a valve and a button what is moved.
fn of_object(object: &Object) -> Vec<Thing> {
    let (name, class) = (&object.name, &object.class);
    let part = |part: &str, class: Arc<str>| Thing { class, body: format!("{name}/{part}") };
    let whole = || vec![Thing { class: class.clone(), body: name.to_string() }];
    let if_named = |word: &str| if **class == *word { Vec::new() } else { whole() };
    match &object.kind {
        Kind::Door(_) => {
            vec![part("panel", format!("{class}_panel").into()), part("handle", format!("{class}_handle").into())]
        }
        Kind::Valve(_) => vec![part("wheel", class.clone())],
        Kind::Button(_) => vec![part("cap", class.clone())],
        Kind::Table(_) | Kind::Ball(_) | Kind::Box(_) | Kind::Container(_) | Kind::Person(_) => whole(),
        Kind::Wall(_) => if_named("wall"),
        Kind::Block(_) => if_named("block"),
        Kind::Stairs(_) => if_named("stairs"),
    }
}
