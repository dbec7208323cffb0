//! Clouds and pictures, for those who watch.

use std::sync::Arc;

use engine::Ground;
use geometry::Pose;
use link::udp::PeerId;
use link::{Keyed, Message};
use protocol::Role;
use protocol::talk::{Look, Reply, Want};
use protocol::tiles::{CloudTile, ImageTile};
use scene::{Cloud, Sight};
use site::Site;

use crate::actor::Actor;
use crate::bench::{Bench, THREE_WAITS};

/// A wall, five times a second.
fn wall(time_ns: i64) -> Option<Sight> {
    if time_ns % 200_000_000 != 0 {
        return None;
    }
    let mut cloud = Cloud::new(time_ns, Pose::from_translation(0.0, 0.0, 1.5), 320, 240);
    for index in 0..cloud.len() {
        let (column, row) = (index % 320, index / 320);
        cloud.set(index, Some([2.0, column as f32 * 0.01, row as f32 * 0.01]), [column as u8, row as u8, 7]);
    }
    Some(Sight { camera: "head".into(), time_ns, cloud: Some(Arc::new(cloud)), detections: Vec::new() })
}

fn camera() -> Site {
    Actor::new(wall).site(Ground::default())
}

fn tiles(bench: &Bench, to: PeerId, wanted: Keyed) -> Vec<&[u8]> {
    let of = |(id, message): &'_ (PeerId, Message)| match message {
        Message::Keyed { kind, .. } => *kind == wanted && *id == to,
        _ => false,
    };
    let bytes = |(_, message): &'_ (PeerId, Message)| match message {
        Message::Keyed { bytes, .. } => bytes.len(),
        _ => 0,
    };
    assert!(bench.sent.iter().all(|each| bytes(each) <= 1_200));
    let found = bench.sent.iter().filter(|each| of(each));
    found
        .filter_map(|(_, message)| match message {
            Message::Keyed { bytes, .. } => Some(&**bytes),
            _ => None,
        })
        .collect()
}

#[test]
fn tiles_go_to_those_who_watch_and_are_of_use_alone() {
    let mut bench = Bench::on_site(THREE_WAITS, camera());
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.run_s(0.5);
    assert!(tiles(&bench, ana, Keyed::Cloud).is_empty(), "nobody watches");
    bench.done(ana, "ana", Want::Watch { clouds: true, images: true });
    bench.sent.clear();
    bench.run_s(0.2);
    let clouds: Vec<CloudTile> =
        tiles(&bench, ana, Keyed::Cloud).into_iter().map(|bytes| CloudTile::from_bytes(bytes).unwrap()).collect();
    let points: usize = clouds.iter().map(|tile| tile.points.iter().flatten().count()).sum();
    let (width, height) = (clouds[0].head.width, clouds[0].head.height);
    assert_eq!(points, usize::from(width) * usize::from(height), "one picture, each point once");
    assert_eq!((width, height), (160, 120), "thinned");
    let images = tiles(&bench, ana, Keyed::Image);
    assert!(!images.is_empty() && images.iter().all(|bytes| ImageTile::from_bytes(bytes).is_some()));
    assert!(tiles(&bench, ben, Keyed::Cloud).is_empty() && tiles(&bench, ben, Keyed::Image).is_empty());
    bench.done(ana, "ana", Want::Watch { clouds: false, images: false });
    bench.sent.clear();
    bench.run_s(0.5);
    assert!(tiles(&bench, ana, Keyed::Cloud).is_empty());
}

#[test]
fn a_narrow_link_says_that_it_has_no_room_for_them() {
    let mut bench = Bench::with_settings(THREE_WAITS, |settings| settings.tile_bytes = None);
    let ana = bench.connect(1);
    let why = bench.refused(ana, "ana", Role::Operator, Want::Watch { clouds: true, images: false });
    assert_eq!(why, "this link is too narrow to watch clouds and pictures: ask for one with `look`");
}

/// The bytes of all tiles of a kind that this operator was sent.
fn bytes_of(bench: &Bench, to: PeerId, kind: Keyed) -> usize {
    tiles(bench, to, kind).iter().map(|bytes| bytes.len()).sum()
}

#[test]
fn one_picture_goes_over_a_narrow_line_when_somebody_asks() {
    let mut bench = Bench::on_narrow_site(THREE_WAITS, camera());
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let look = Look { cloud: false, camera: None, region: None };
    let asked = bench.order(ana, "ana", Role::Operator, Want::Look(look));
    bench.run_s(0.3);
    assert_eq!(bench.answer(asked), Reply::Done);
    let images: Vec<ImageTile> =
        tiles(&bench, ana, Keyed::Image).into_iter().map(|bytes| ImageTile::from_bytes(bytes).unwrap()).collect();
    let (width, height) = (images[0].head.width, images[0].head.height);
    let pixels: usize = images.iter().map(|tile| tile.pixels.len()).sum();
    assert_eq!(pixels, usize::from(width) * usize::from(height), "all of it, each pixel once");
    assert!(pixels <= 3_072 && bytes_of(&bench, ana, Keyed::Image) < 10_000, "{width} x {height}");
    assert!(tiles(&bench, ben, Keyed::Image).is_empty());
    bench.sent.clear();
    bench.run_s(1.0);
    assert!(tiles(&bench, ana, Keyed::Image).is_empty(), "one");
}

#[test]
fn one_region_of_a_cloud_comes_finer_than_the_whole() {
    let mut bench = Bench::on_narrow_site(THREE_WAITS, camera());
    let ana = bench.connect(1);
    let look = |region| Want::Look(Look { cloud: true, camera: Some("head".into()), region });
    let widths = [None, Some([0, 0, 64, 64])].map(|region| {
        bench.sent.clear();
        let asked = bench.order(ana, "ana", Role::Operator, look(region));
        bench.run_s(0.3);
        assert_eq!(bench.answer(asked), Reply::Done);
        assert!(bytes_of(&bench, ana, Keyed::Cloud) < 16_000);
        let found = tiles(&bench, ana, Keyed::Cloud);
        let heads = found.iter().map(|bytes| CloudTile::from_bytes(bytes).unwrap().head);
        let right = heads.clone().map(|head| f64::from(head.column) / f64::from(head.width)).fold(0.0, f64::max);
        assert_eq!(right > 0.3, region.is_none(), "{right}");
        heads.map(|head| head.width).max().unwrap()
    });
    assert!(widths[1] > 2 * widths[0], "{widths:?}");
}

#[test]
fn who_asks_for_a_picture_that_nobody_takes_is_told_so() {
    let mut bench = Bench::on_narrow_site(THREE_WAITS, camera());
    let ana = bench.connect(1);
    let look = Look { cloud: false, camera: Some("left wrist".into()), region: None };
    let asked = bench.order(ana, "ana", Role::Operator, Want::Look(look));
    bench.run_s(6.0);
    let Reply::Refused(why) = bench.answer(asked) else { panic!("it was done") };
    assert!(why.starts_with("camera left wrist has not shown anything for 5 s"), "{why}");
}
