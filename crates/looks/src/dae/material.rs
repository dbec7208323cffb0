//! From a `<material>` to the colour and the picture of its effect.

use std::collections::BTreeMap;
use std::sync::Arc;

use roxmltree::Node;

use super::{Ids, child, children, numbers};
use crate::allowed::Beside;
use crate::picture::Picture;
use crate::soup::Material;

/// Of the file, each read once.
#[derive(Default)]
pub(super) struct Materials<'a>(BTreeMap<&'a str, Option<Material>>);

impl<'a> Materials<'a> {
    /// `target` is the reference to a `<material>`.
    pub fn of(&mut self, target: &'a str, ids: &Ids<'a, '_>, beside: &Beside) -> Option<Material> {
        self.0.entry(target).or_insert_with(|| read(ids.of(Some(target))?, ids, beside)).clone()
    }
}

fn read<'a>(material: Node<'a, '_>, ids: &Ids<'a, '_>, beside: &Beside) -> Option<Material> {
    let effect = ids.of(child(material, "instance_effect")?.attribute("url"))?;
    let profile = child(effect, "profile_COMMON")?;
    let shading = child(profile, "technique")?.children().find(|node| SHADINGS.contains(&node.tag_name().name()))?;
    let diffuse = child(shading, "diffuse").or_else(|| child(shading, "emission"));
    let colour = diffuse.and_then(|diffuse| colour(diffuse));
    let texture = diffuse.and_then(|diffuse| child(diffuse, "texture")?.attribute("texture"));
    let picture = texture.and_then(|name| file_of(name, profile, ids)).and_then(|file| Picture::read(file, beside));
    let [red, green, blue, _] = colour.unwrap_or(if picture.is_some() { [1.0; 4] } else { [0.8; 4] });
    let material = Material::of_screen([red, green, blue], opacity(shading));
    Some(Material { picture: picture.map(Arc::new), ..material })
}

const SHADINGS: [&str; 4] = ["phong", "lambert", "blinn", "constant"];

fn colour(holder: Node) -> Option<[f32; 4]> {
    numbers::<f32>(child(holder, "color")?)?.get(..4)?.try_into().ok()
}

fn opacity(shading: Node) -> f32 {
    let amount =
        child(shading, "transparency").and_then(|node| numbers::<f32>(child(node, "float")?)?.first().copied());
    let Some(transparent) = child(shading, "transparent") else { return amount.unwrap_or(1.0) };
    let [red, green, blue, alpha] = colour(transparent).unwrap_or([1.0; 4]);
    let amount = amount.unwrap_or(1.0);
    match transparent.attribute("opaque") {
        Some("RGB_ZERO") => 1.0 - amount * (red + green + blue) / 3.0,
        _ => amount * alpha,
    }
}

/// The texture names a sampler, that a surface, that an image; older files name the image at once.
fn file_of<'a>(name: &'a str, profile: Node<'a, '_>, ids: &Ids<'a, '_>) -> Option<&'a str> {
    let parameter = |sid: &str| children(profile, "newparam").find(|node| node.attribute("sid") == Some(sid));
    let text = |node: Option<Node<'a, '_>>| node.and_then(|node| node.text()).map(str::trim);
    let sampler = parameter(name).and_then(|node| child(node, "sampler2D"));
    let surface = sampler.and_then(|sampler| text(child(sampler, "source")));
    let surface = surface.and_then(parameter).and_then(|node| child(node, "surface"));
    let image = surface.and_then(|surface| text(child(surface, "init_from")));
    // Since 1.5 the sampler names the image itself.
    let newer = sampler.and_then(|sampler| child(sampler, "instance_image")?.attribute("url"));
    let from = child(ids.of(image.or(newer).or(Some(name)))?, "init_from")?;
    text(child(from, "ref")).or_else(|| text(Some(from)))
}
