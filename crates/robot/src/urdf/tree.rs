use super::element::Report;
use super::{joint_label, link_label};
use crate::description::{Joint, Link};
use crate::problem::Severity;

/// The largest tree of links, parents first; everything else is told and left out. None without links.
pub(super) fn ordered(links: Vec<Link>, joints: Vec<Joint>, report: &mut Report) -> Option<(Vec<Link>, Vec<Joint>)> {
    let mut parent_joint: Vec<Option<usize>> = vec![None; links.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    for (index, joint) in joints.iter().enumerate() {
        if let Some(first) = parent_joint[joint.child] {
            let child = &links[joint.child].name;
            let message = format!("link `{child}` has a parent already, by joint `{}`; left out", joints[first].name);
            report.add_at(Severity::Error, joint.line, &joint_label(&joint.name), message);
            continue;
        }
        parent_joint[joint.child] = Some(index);
        children[joint.parent].push(index);
    }

    let roots = (0..links.len()).filter(|link| parent_joint[*link].is_none());
    let trees: Vec<(usize, Vec<usize>)> = roots.map(|root| (root, below(root, &joints, &children))).collect();
    let in_trees: usize = trees.iter().map(|(_, below)| below.len() + 1).sum();
    if in_trees < links.len() {
        report_loops(&links, &joints, &trees, report);
    }
    // The first of the largest ones.
    let (root, order) = trees.iter().rev().max_by_key(|(_, below)| below.len())?;
    for (other, below) in trees.iter().filter(|(other, _)| other != root) {
        let with = if below.is_empty() { String::new() } else { format!(", with {} links below it", below.len()) };
        let message = format!("not connected to the root `{}`; left out{with}", links[*root].name);
        report.add_at(Severity::Error, links[*other].line, &link_label(&links[*other].name), message);
    }
    Some(taken(*root, order, links, joints))
}

/// The joints below a link, parents first, each branch to its end.
fn below(root: usize, joints: &[Joint], children: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut open: Vec<usize> = children[root].iter().rev().copied().collect();
    while let Some(joint) = open.pop() {
        order.push(joint);
        open.extend(children[joints[joint].child].iter().rev());
    }
    order
}

fn report_loops(links: &[Link], joints: &[Joint], trees: &[(usize, Vec<usize>)], report: &mut Report) {
    let mut in_tree = vec![false; links.len()];
    for (root, below) in trees {
        in_tree[*root] = true;
        below.iter().for_each(|joint| in_tree[joints[*joint].child] = true);
    }
    for (link, _) in links.iter().zip(in_tree).filter(|(_, in_tree)| !in_tree) {
        report.add_at(
            Severity::Error,
            link.line,
            &link_label(&link.name),
            "in a loop of joints, or below one; left out",
        );
    }
}

fn taken(root: usize, order: &[usize], links: Vec<Link>, joints: Vec<Joint>) -> (Vec<Link>, Vec<Joint>) {
    let mut place = vec![usize::MAX; links.len()];
    place[root] = 0;
    let (mut new_links, mut new_joints) = (vec![links[root].clone()], Vec::new());
    for joint in order.iter().map(|joint| &joints[*joint]) {
        place[joint.child] = new_links.len();
        new_links.push(links[joint.child].clone());
        new_joints.push(Joint { parent: place[joint.parent], child: place[joint.child], ..joint.clone() });
    }
    (new_links, new_joints)
}
