use std::sync::Arc;

use engine::{Mirror, Rework, sense_names};
use model::file::{relative, save};
use model::{Definition, DefinitionId, Edit, Field, Fields, Node, NodeId, Role, resolve};
use rustc_hash::FxHashMap;

use crate::DocumentError;
use crate::border::own_names;
use crate::document::Document;
use crate::draft::Draft;
use crate::names::{Use, renamed, requoted};
use crate::sides::swapped;

/// What becomes of the use of a skill that is not its own mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SidedSkills {
    /// The whole operation is refused.
    Refuse,
    /// The use leads to a mirrored copy of the file, beside it: `wave-left.json` becomes `wave-right.json`, and
    /// `wave.json` becomes `wave-mirrored.json`. Other uses stay.
    Copy,
}

impl Document {
    /// Makes of nodes, with what is below them, what they are on the other side: settings, guards, claims, and `left`
    /// and `right` in names. If one of them cannot be mirrored, none is.
    pub fn mirror(
        &mut self,
        nodes: &[NodeId],
        mirror: &Mirror<'_>,
        skills: SidedSkills,
    ) -> Result<Vec<Edit>, DocumentError> {
        let tops = match nodes {
            [only] if self.at(*only)?.1.root == *only => vec![*only],
            _ => self.tops(nodes)?,
        };
        let mut mirroring = Mirroring { mirror, skills, images: FxHashMap::default() };
        let mut draft = self.draft();
        for top in tops {
            mirroring.below(&mut draft, top)?;
        }
        Ok(draft.finish("mirror"))
    }

    /// Puts a mirrored copy of each node right behind it. References inside it lead to the copy.
    pub fn mirror_copy(
        &mut self,
        nodes: &[NodeId],
        mirror: &Mirror<'_>,
        skills: SidedSkills,
    ) -> Result<Vec<Edit>, DocumentError> {
        let tops = self.tops(nodes)?;
        let mut mirroring = Mirroring { mirror, skills, images: FxHashMap::default() };
        let mut draft = self.draft();
        for top in tops {
            let copy = draft.copy_behind(top)?;
            mirroring.below(&mut draft, copy)?;
        }
        Ok(draft.finish("mirrored copy"))
    }

    /// The settings of a node on the other side; `names` are of its file.
    fn mirrored_fields(
        &self,
        (tree, top): (&Definition, NodeId),
        node: &Node,
        names: &FxHashMap<String, String>,
        mirror: &Mirror<'_>,
    ) -> Result<Fields, DocumentError> {
        let reworked = self.reworked(node, &Rework::Mirror(*mirror))?;
        let mut fields = reworked.unwrap_or_else(|| node.fields.clone());
        self.visit(&node.kind, &mut fields, &mut |kind, text| match kind {
            Use::Variable => {}
            Use::Token => *text = mirror.claim(text),
            Use::Expression => {
                let parsed = expression::Expression::new(text);
                let asked = parsed.nodes().unwrap_or_default();
                let frames = parsed.frames().unwrap_or_default();
                let leads_below = |name: &String| {
                    resolve(tree, node.id, name).first().is_some_and(|target| tree.is_within(target, top))
                };
                let nodes = asked.into_iter().filter(leads_below).map(|name| (name.clone(), swapped(&name)));
                let frames = frames.into_iter().map(|name| (name.clone(), mirror.frame(&name)));
                *text = requoted(&turned_once(renamed(text, names), names), &nodes.chain(frames).collect());
            }
        });
        Ok(fields)
    }
}

/// What the robot brings, by what it is called on the other side. Variables of the file itself are none of it.
fn senses(document: &Document, tree: &Definition, mirror: &Mirror<'_>) -> FxHashMap<String, String> {
    let own = own_names(tree, &document.mentions(tree, tree.walk(tree.root)));
    let names = sense_names(mirror.robot).into_iter().filter(|name| !own.contains(name));
    let mirrored = names.filter_map(|name| {
        let (other, sign) = mirror.sense(&name)?;
        let other = if sign < 0.0 { format!("(-{other})") } else { other };
        (other != name).then_some((name, other))
    });
    mirrored.collect()
}

/// What was turned before is turned back.
fn turned_once(mut text: String, names: &FxHashMap<String, String>) -> String {
    for turned in names.values().filter(|name| name.starts_with('(')) {
        let twice = format!("(-{turned})");
        if text.contains(&twice) {
            text = text.replace(&twice, &turned[2..turned.len() - 1]);
        }
    }
    text
}

struct Mirroring<'m> {
    mirror: &'m Mirror<'m>,
    skills: SidedSkills,
    /// The file that is the other side of a file; none where it is its own.
    images: FxHashMap<DefinitionId, Option<Arc<str>>>,
}

impl Mirroring<'_> {
    fn below(&mut self, draft: &mut Draft<'_>, top: NodeId) -> Result<(), DocumentError> {
        let (owner, tree, _) = draft.document.at(top)?;
        let names = senses(draft.document, tree, self.mirror);
        let nodes: Vec<Node> = tree.walk(top).map(|id| tree.node(id).clone()).collect();
        let mut changed = Vec::with_capacity(nodes.len());
        for node in &nodes {
            changed.push(draft.document.mirrored_fields((tree, top), node, &names, self.mirror)?);
        }
        for (node, fields) in nodes.iter().zip(changed) {
            draft.change_fields(node, &fields)?;
            let name = swapped(&node.name);
            if name != *node.name {
                draft.apply(Edit::Rename { node: node.id, name: name.into() })?;
            }
        }
        for node in &nodes {
            if draft.document.catalogue().role(&node.kind) == Some(Role::Skill) {
                self.skill_use(draft, owner, node.id)?;
            }
        }
        Ok(())
    }

    fn skill_use(&mut self, draft: &mut Draft<'_>, owner: DefinitionId, node: NodeId) -> Result<(), DocumentError> {
        let Some(used) = draft.document.library.skill_of(owner, node) else { return Ok(()) };
        if !self.is_sided(draft.document, used, &mut Vec::new())? {
            return Ok(());
        }
        let tree = draft.document.library.get(owner);
        let from = tree.file.clone();
        if self.skills == SidedSkills::Refuse {
            let file = draft.document.library.get(used).file.to_string();
            return Err(DocumentError::SidedSkill { path: tree.path(node), file });
        }
        match self.image(draft, used)? {
            Some(image) => draft.set(node, "file", Some(Field::Text(relative(&from, &image).into()))),
            None => Ok(()),
        }
    }

    /// Mirroring changes what it does, not only what it is called.
    fn is_sided(
        &self,
        document: &Document,
        id: DefinitionId,
        around: &mut Vec<DefinitionId>,
    ) -> Result<bool, DocumentError> {
        // A circle of skills is an error that the checker tells.
        if around.contains(&id) {
            return Ok(false);
        }
        around.push(id);
        let tree = document.library.get(id);
        let names = senses(document, tree, self.mirror);
        for node in tree.walk(tree.root).map(|id| tree.node(id)) {
            if document.mirrored_fields((tree, tree.root), node, &names, self.mirror)? != node.fields {
                return Ok(true);
            }
            let used = document.library.skill_of(id, node.id);
            if let Some(used) = used.filter(|_| document.catalogue().role(&node.kind) == Some(Role::Skill))
                && self.is_sided(document, used, around)?
            {
                return Ok(true);
            }
        }
        around.pop();
        Ok(false)
    }

    /// The mirrored copy of a skill file, made where there is none yet.
    fn image(&mut self, draft: &mut Draft<'_>, of: DefinitionId) -> Result<Option<Arc<str>>, DocumentError> {
        if let Some(image) = self.images.get(&of) {
            return Ok(image.clone());
        }
        // Seen again on the way down: a circle of skills.
        self.images.insert(of, None);
        let file = draft.document.library.get(of).file.clone();
        let image = image_name(&file);
        match draft.document.library.find(&image) {
            None => drop(self.add_image(draft, of, &image)?),
            Some(there) => {
                let mut elsewhere = draft.document.beside();
                let mut trial = Mirroring { images: FxHashMap::default(), ..*self };
                let text = trial.add_image(&mut elsewhere.draft(), of, &format!("{image}~"))?;
                if text != save(draft.document.library.get(there), draft.document.catalogue()) {
                    let (file, of) = (image.to_string(), file.to_string());
                    return Err(DocumentError::NoMirrorImage { file, of });
                }
            }
        }
        self.images.insert(of, Some(image.clone()));
        Ok(Some(image))
    }

    /// Gives the text of the new file.
    fn add_image(&mut self, draft: &mut Draft<'_>, of: DefinitionId, file: &str) -> Result<String, DocumentError> {
        let tree = draft.document.library.get(of);
        let (header, original) = (Box::new(tree.header.clone()), tree.subtree(tree.root));
        let root = draft.document.copy(&original);
        let top = root.id;
        draft.apply(Edit::AddFile { file: file.into(), header, root })?;
        self.below(draft, top)?;
        let (_, tree, _) = draft.document.at(top)?;
        Ok(save(tree, draft.document.catalogue()))
    }
}

/// Of the other side, in the same folder.
fn image_name(file: &str) -> Arc<str> {
    const SUFFIX: &str = "-mirrored";
    let start = file.rfind(['/', '\\']).map_or(0, |end| end + 1);
    let (folder, name) = file.split_at(start);
    let other = swapped(name);
    if other != name {
        return format!("{folder}{other}").into();
    }
    let (stem, ending) = name.rsplit_once('.').map_or((name, String::new()), |(stem, end)| (stem, format!(".{end}")));
    match stem.strip_suffix(SUFFIX) {
        Some(stem) => format!("{folder}{stem}{ending}").into(),
        None => format!("{folder}{stem}{SUFFIX}{ending}").into(),
    }
}
