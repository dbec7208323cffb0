use std::sync::Arc;

use engine::{Cannot, Mirror, Mirrored, Plane, not};
use model::file::{relative, save};
use model::{Definition, DefinitionId, Edit, Field, Fields, Node, NodeId, Role, bound_text, resolve};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::DocumentError;
use crate::document::Document;
use crate::draft::Draft;
use crate::sides::swapped;

/// What becomes of the use of a skill that is not its own mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SidedSkills {
    /// The use is `mirrored`, or no longer is. That runs the skill in a world that is mirrored with its objects: where
    /// objects stay and the skill has poses in their frames, the whole operation is refused.
    Mirrored,
    /// The same, but that a use which cannot be `mirrored` leads to a copy.
    MirroredOrCopy,
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

    /// The settings of a node on the other side, in its file.
    fn mirrored_fields(
        &self,
        (tree, top): (&Definition, NodeId),
        node: &Node,
        mirrored: &Mirrored<'_>,
    ) -> Result<Fields, Cannot> {
        let called = |name: &str| {
            let leads_below = resolve(tree, node.id, name).first().is_some_and(|target| tree.is_within(target, top));
            leads_below.then(|| swapped(name))
        };
        mirrored.fields(node, &called)
    }
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
        let mirrored = Mirrored::new(&draft.document.registry, *self.mirror, tree);
        let nodes: Vec<Node> = tree.walk(top).map(|id| tree.node(id).clone()).collect();
        let mut changed = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let fields = draft.document.mirrored_fields((tree, top), node, &mirrored);
            changed.push(fields.map_err(|why| draft.document.refused(node.id, why.to_string()))?);
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
        if !is_sided(draft.document, used, self.mirror, &mut Vec::new()) {
            return Ok(());
        }
        let with_objects = Mirror { plane: Plane::World, ..*self.mirror };
        let by_copy = match self.skills {
            SidedSkills::Copy => true,
            _ if self.is_same(draft.document, used, &with_objects, &mut Vec::new()) => false,
            SidedSkills::MirroredOrCopy => true,
            SidedSkills::Mirrored => {
                let tree = draft.document.library.get(owner);
                let file = draft.document.library.get(used).file.to_string();
                return Err(DocumentError::SidedSkill { path: tree.path(node), file });
            }
        };
        if !by_copy {
            let value = turned_use(draft.document.library.get(owner).node(node).fields.get("mirrored"));
            return draft.set(node, "mirrored", value);
        }
        let from = draft.document.library.get(owner).file.clone();
        match self.image(draft, used)? {
            Some(image) => draft.set(node, "file", Some(Field::Text(relative(&from, &image).into()))),
            None => Ok(()),
        }
    }

    /// In this mirror a skill is what it is in another.
    fn is_same(
        &self,
        document: &Document,
        id: DefinitionId,
        other: &Mirror<'_>,
        around: &mut Vec<DefinitionId>,
    ) -> bool {
        if self.mirror.plane == other.plane || around.contains(&id) {
            return true;
        }
        around.push(id);
        let tree = document.library.get(id);
        let here = Mirrored::new(&document.registry, *self.mirror, tree);
        let there = Mirrored::new(&document.registry, *other, tree);
        let same = tree.walk(tree.root).map(|id| tree.node(id)).all(|node| {
            let fields = |mirrored| document.mirrored_fields((tree, tree.root), node, mirrored).ok();
            let used = document.library.skill_of(id, node.id);
            fields(&here).is_some_and(|fields_here| Some(fields_here) == fields(&there))
                && used.is_none_or(|used| self.is_same(document, used, other, around))
        });
        around.pop();
        same
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

/// Mirroring changes what it does, not only what it is called. What has no other side may be for another robot, and what its
/// values are there is seen when it runs: the checker tells, and the run.
fn is_sided(document: &Document, id: DefinitionId, mirror: &Mirror<'_>, around: &mut Vec<DefinitionId>) -> bool {
    // A circle of skills is an error that the checker tells.
    if around.contains(&id) {
        return false;
    }
    around.push(id);
    let tree = document.library.get(id);
    let mirrored = Mirrored::new(&document.registry, *mirror, tree);
    let sided = tree.walk(tree.root).map(|id| tree.node(id)).any(|node| {
        let used = document.library.skill_of(id, node.id);
        let used = used.filter(|_| document.catalogue().role(&node.kind) == Some(Role::Skill));
        document.mirrored_fields((tree, tree.root), node, &mirrored).map_or(true, |fields| fields != node.fields)
            || used.is_some_and(|used| is_sided(document, used, mirror, around))
    });
    around.pop();
    sided
}

/// The setting of a use that was turned.
fn turned_use(mirrored: Option<&Field>) -> Option<Field> {
    let of_the_moment = match mirrored {
        Some(Field::Json(json)) => bound_text(json),
        Some(Field::Bool(true)) => return None,
        _ => None,
    };
    Some(match of_the_moment {
        Some(text) => Field::from_json(json!({"=": not(text)})),
        None => Field::Bool(true),
    })
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
