//! The templates of our own, in the program itself: a newcomer needs no files.

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../templates/", $name, ".json")))),*]
    };
}

pub(super) const TEMPLATES: &[(&str, &str)] =
    templates!["ball", "box", "door_handle", "drill", "hose", "valve", "wall"];
