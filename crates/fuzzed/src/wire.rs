//! What robot and operator send each other: datagrams, reports, pieces of pictures, changes of the shared tree.

use document::Document;
use link::{Datagram, Endpoint, LinkConfig, Message, Security, Side, Stream};
use model::Library;
use model::file::{MemoryFiles, load};
use model::hash::Fnv;
use protocol::report::{PACKING, RobotReport, RunReport};
use protocol::talk::{
    Demand, Detail, Happening, News, Overview, Pieces, Presence, SceneAt, ToRobot, Update, Whole, unpack,
};
use protocol::tiles::{CloudTile, ImageTile, Picture};
use replica::{Peer, Replica, Version};
use testkit::shaped;

use crate::seeds::join;
use crate::{Target, parts};

pub fn targets() -> Vec<Target> {
    let target = |name, run, seeds| Target { name, is_text: false, run, seeds };
    vec![
        target("link_open", |data| link(data, open()), || link_seeds(open())),
        target("link_sealed", |data| link(data, sealed()), || link_seeds(sealed())),
        target("messages", messages, message_seeds),
        target("changes", changes, change_seeds),
        target("genesis", genesis, genesis_seeds),
        target("saved_tree", saved_tree, || vec![replica().0.to_bytes().expect("a replica")]),
    ]
}

fn open() -> [LinkConfig; 2] {
    [Side::Listens, Side::Connects].map(|side| LinkConfig::wide(side, Security::Open, [side as u8 + 1; 32]))
}

fn sealed() -> [LinkConfig; 2] {
    shaped::both(LinkConfig::narrow, 5)
}

const MS: u64 = 1_000_000;

/// Both ends until the moment; what they send arrives unless somebody collects it.
fn pass(ends: &mut [Endpoint; 2], now_ns: u64, heard: &mut Vec<(usize, Datagram)>) {
    for _ in 0..4 {
        for from in 0..2 {
            while let Some(datagram) = ends[from].poll(now_ns) {
                ends[1 - from].receive(now_ns, &datagram.bytes);
                heard.push((1 - from, datagram));
            }
        }
    }
    ends.iter_mut().for_each(|end| drop(end.take_events()));
}

fn connected(configs: [LinkConfig; 2]) -> ([Endpoint; 2], u64, Vec<(usize, Datagram)>) {
    let mut ends = configs.map(|config| Endpoint::new(config).expect("a link"));
    let (mut now_ns, mut heard) = (0, Vec::new());
    for _ in 0..40 {
        now_ns += 50 * MS;
        pass(&mut ends, now_ns, &mut heard);
    }
    for (end, text) in ends.iter_mut().zip(["from the robot", "from the operator"]) {
        let bytes = text.repeat(8).into_bytes();
        for stream in Stream::ALL {
            let _ = end.offer(now_ns, Message::Document { stream, bytes: bytes.clone() });
        }
        let _ = end.offer(now_ns, Message::Command { bytes: bytes.clone(), valid_for_ns: 1_000 * MS });
        let _ = end.offer(now_ns, Message::Latest { of: link::Latest::Robot, bytes: bytes.clone() });
        let _ = end.offer(now_ns, Message::Keyed { kind: link::Keyed::Scene, key: 7, bytes });
        let _ = end.offer(now_ns, Message::Stop);
    }
    for _ in 0..20 {
        now_ns += 50 * MS;
        pass(&mut ends, now_ns, &mut heard);
    }
    (ends, now_ns, heard)
}

/// Each part: to whom and after how long, then the datagram. Whatever arrives, the two understand each other afterwards.
fn link(data: &[u8], configs: [LinkConfig; 2]) {
    let (mut ends, mut now_ns, _) = connected(configs);
    for part in parts(data) {
        let Some((&head, datagram)) = part.split_first() else { continue };
        now_ns += u64::from(head >> 1) * 4 * MS;
        ends[usize::from(head & 1)].receive(now_ns, datagram);
        pass(&mut ends, now_ns, &mut Vec::new());
        ends.iter().for_each(|end| drop(end.status(now_ns)));
    }
    for _ in 0..4 {
        now_ns += 100 * MS;
        pass(&mut ends, now_ns, &mut Vec::new());
    }
}

fn link_seeds(configs: [LinkConfig; 2]) -> Vec<Vec<u8>> {
    let (_, _, heard) = connected(configs);
    let as_part = |(to, datagram): &(usize, Datagram)| [&[*to as u8 | 20][..], &datagram.bytes].concat();
    let all: Vec<Vec<u8>> = heard.iter().map(as_part).collect();
    let several = all.chunks(3).map(|some| join(&some.iter().map(Vec::as_slice).collect::<Vec<_>>()));
    several.take(60).collect()
}

/// The first byte says what it is taken for.
fn messages(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    match kind % 16 {
        0 => drop(RobotReport::from_bytes(bytes)),
        1 => drop(RunReport::from_bytes(bytes)),
        2 => drop(CloudTile::from_bytes(bytes)),
        3 => drop(ImageTile::from_bytes(bytes)),
        4 => drop(unpack::<News>(bytes)),
        5 => drop(unpack::<ToRobot>(bytes)),
        6 => drop(unpack::<Overview>(bytes)),
        7 => drop(unpack::<Vec<Happening>>(bytes)),
        8 => drop(unpack::<Detail>(bytes)),
        9 => drop(unpack::<Presence>(bytes)),
        10 => drop(unpack::<SceneAt>(bytes)),
        11 => drop(Whole::unpack_with(bytes)),
        12 => drop(Demand::from_bytes(bytes)),
        13 => {
            let mut pieces = Pieces::default();
            parts(bytes)
                .into_iter()
                .filter_map(|part| pieces.take(part))
                .for_each(|whole| drop(Update::from_bytes(&whole)));
        }
        14 => packed(bytes),
        _ => drop((Version::from_bytes(bytes), replica::Overview::from_bytes(bytes))),
    }
}

/// A report that says only how it differs from the one before.
fn packed(bytes: &[u8]) {
    let given = parts(bytes);
    for packing in PACKING {
        drop((packing.whole)(given.get(1).copied(), given[0]));
    }
}

fn message_seeds() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut add = |kind: u8, bytes: &[u8]| all.push([&[kind][..], bytes].concat());
    let pixel =
        |column: u16, row: u16| (Some([f32::from(column) * 0.01, f32::from(row) * 0.02, 1.5]), [90, 80, column as u8]);
    let picture =
        Picture { camera: "head", at_ms: 1234, width: 25, height: 13, origin_m: [0.5, 0.0, 1.4], pixel: &pixel };
    picture.cloud_tiles(400).iter().take(3).for_each(|(_, bytes)| add(2, bytes));
    picture.image_tiles(400).iter().take(3).for_each(|(_, bytes)| add(3, bytes));
    let node = 0x1234;
    let run = RunReport::default();
    if let Ok(bytes) = run.to_bytes() {
        add(1, &bytes);
        add(14, &join(&[&bytes, &bytes]));
    }
    add(7, &protocol::talk::pack(&vec![Happening { at_ms: 5, what: protocol::talk::What::Started(node) }]));
    let presence = Presence {
        name: "Ann".into(),
        role: protocol::Role::Operator,
        session: 5,
        team_role: Default::default(),
        at: Some(Default::default()),
    };
    add(9, &protocol::talk::pack(&presence));
    let (replica, sent) = replica();
    let whole =
        Whole { origin: 1, genesis: replica.genesis_bytes().to_vec(), updates: sent[0].clone(), ..Whole::default() };
    add(11, &protocol::talk::pack(&whole));
    add(4, &protocol::talk::pack(&News::Update { epoch: 1, update: sent[0].clone() }));
    add(4, &protocol::talk::pack(&News::Refused { number: 4, why: "so".to_owned() }));
    protocol::talk::pieces(&[7; 3_000]).iter().for_each(|bytes| add(13, bytes));
    add(
        12,
        &Demand {
            by: "Ann".into(),
            role: protocol::Role::Operator,
            session: 5,
            team_role: Default::default(),
            what: protocol::talk::Want::TakeControl,
        }
        .to_bytes(),
    );
    add(15, &replica.version().to_bytes());
    add(15, &replica::Overview::of(&library(), 3).to_bytes());
    all
}

const TREE: &str = r#"{"version": 1, "name": "Main", "variables": {"n": 0}, "children": [
  {"type": "wait", "name": "First", "duration_s": 1},
  {"type": "sequence", "name": "Group", "children": [{"type": "log", "name": "Say", "text": "hi"}]},
  {"type": "skill", "name": "Use", "file": "s.json", "inputs": {"x": "n + 1"}}]}"#;
const SKILL: &str =
    r#"{"version": 1, "inputs": {"x": {"default": 1}}, "children": [{"type": "wait", "duration_s": 2}]}"#;

fn library() -> Library {
    let files = MemoryFiles::from([("main.json", TREE), ("s.json", SKILL)]);
    load("main.json", &files, nodes::registry().catalogue()).expect("it opens").library
}

fn peer(number: u64) -> Peer {
    Peer { number, name: "Ann".into() }
}

/// A replica after some edits of every kind, and what it told the others.
fn replica() -> (Replica, Vec<Vec<u8>>) {
    let mut document = Document::new(library(), nodes::registry(), 7);
    let mut replica = Replica::from_library(document.library(), peer(7), 1).expect("a library");
    let main = document.library().main();
    let ids: Vec<_> = main.walk(main.root).collect();
    let mut sent = Vec::new();
    let mut record = |edits: Vec<model::Edit>| {
        sent.push(replica.record(&edits, 1_700_000_000 + sent.len() as i64).expect("it was applied"));
    };
    record(document.rename(ids[1], "Second").expect("a name"));
    record(document.set(ids[1], "duration_s", serde_json::json!(2.5)).expect("a setting"));
    record(document.insert(ids[0], 1, &document::node("log", "New")).expect("a place"));
    record(document.move_to(&[ids[3]], ids[0], 0).expect("a place"));
    record(document.wrap(&[ids[1]], "sequence").expect("a node"));
    record(document.delete(&[ids[1]]).expect("a node"));
    record(
        document.set_variables("main.json", vec![("m".into(), serde_json::json!([1, {"a": null}]))]).expect("a header"),
    );
    record(document.undo().expect("undo").edits);
    (replica, sent)
}

/// Changes of others, each with the checksum that it would have.
fn changes(data: &[u8]) {
    let mut library = library();
    let mut replica = Replica::from_library(&library, peer(9), 1).expect("a library");
    for part in parts(data) {
        let before = replica.version();
        match replica.merge(&mended(part), &library) {
            Ok(merged) if library.clone().apply_all(&merged.edits).is_ok() => {
                library.apply_all(&merged.edits).expect("it was tried");
            }
            _ => drop(replica.back_to(&before, &library).expect("there is a way back")),
        }
        replica.check_invariants().expect("what it keeps fits together");
    }
    let _ = (replica.history(20), replica.to_bytes());
}

/// Behind the number of the epoch: the checksum of Loro, which is over all that follows it.
fn mended(update: &[u8]) -> Vec<u8> {
    let mut update = update.to_vec();
    if update.len() > 5 && update[0] == 3 {
        let sum = xxhash_rust::xxh32::xxh32(&update[5..], u32::from_le_bytes(*b"LORO"));
        update[1..5].copy_from_slice(&sum.to_le_bytes());
    }
    update
}

fn change_seeds() -> Vec<Vec<u8>> {
    let (_, sent) = replica();
    let all: Vec<&[u8]> = sent.iter().map(Vec::as_slice).collect();
    let each = (1..=all.len()).map(|count| join(&all[..count]));
    each.chain(all.iter().map(|one| one.to_vec())).collect()
}

/// As genesis and saved trees end.
fn sum(bytes: &[u8]) -> [u8; 4] {
    (Fnv::new().with(bytes).mixed() as u32).to_le_bytes()
}

/// The tree that an epoch begins with, unpacked.
fn genesis(data: &[u8]) {
    let (real, _) = replica();
    let head = real.genesis_bytes().len().min(GENESIS_HEAD);
    let mut bytes = real.genesis_bytes()[..head].to_vec();
    bytes.extend(miniz_oxide::deflate::compress_to_vec(data, 1));
    let sum = sum(&bytes);
    bytes.extend(sum);
    let Ok((mut replica, library)) = Replica::from_genesis(&bytes, peer(9)) else { return };
    replica.check_invariants().expect("what it keeps fits together");
    for (_, tree) in library.iter() {
        assert!(tree.walk(tree.root).count() == tree.len());
    }
    let _ = replica.record(&[], 0);
}

/// Its name, the epoch, the length of the version in it, the version.
const GENESIS_HEAD: usize = 6;

fn genesis_seeds() -> Vec<Vec<u8>> {
    let (real, _) = replica();
    let bytes = real.genesis_bytes();
    let packed = &bytes[GENESIS_HEAD..bytes.len() - 4];
    vec![miniz_oxide::inflate::decompress_to_vec(packed).expect("a genesis is packed so")]
}

/// What a robot process finds on its disk.
fn saved_tree(data: &[u8]) {
    let mut bytes = data.to_vec();
    if bytes.len() > 4 {
        let at = bytes.len() - 4;
        let sum = sum(&bytes[..at]);
        bytes[at..].copy_from_slice(&sum);
    }
    if let Ok((replica, _)) = Replica::from_bytes(&bytes, peer(9)) {
        replica.check_invariants().expect("what it keeps fits together");
    }
}
