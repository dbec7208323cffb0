//! What the robot feels, for those who look at it.

use engine::Ground;
use link::udp::PeerId;
use link::{Keyed, Message};
use protocol::Role;
use protocol::body::BodyPart;
use protocol::talk::{Want, unpack};
use site::Site;

use crate::actor::Actor;
use crate::bench::{Bench, THREE_WAITS};

fn site() -> Site {
    Actor::new(|_| None).site(Ground::default())
}

fn parts(bench: &Bench, to: PeerId) -> Vec<BodyPart> {
    let told = bench.sent.iter().filter(|(id, _)| *id == to).filter_map(|(_, message)| match message {
        Message::Keyed { kind: Keyed::Body, key, bytes } => Some((*key, unpack::<BodyPart>(bytes).expect("a part"))),
        _ => None,
    });
    told.inspect(|(key, part)| assert_eq!(*key, part.key())).map(|(_, part)| part).collect()
}

fn moments(bench: &Bench, to: PeerId) -> usize {
    parts(bench, to).iter().filter(|part| matches!(part, BodyPart::Forces(_))).count()
}

#[test]
fn it_comes_to_who_watches_as_often_as_they_ask_and_to_nobody_else() {
    let mut bench = Bench::on_site(THREE_WAITS, site());
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.run_s(1.0);
    assert_eq!((moments(&bench, ana), moments(&bench, ben)), (0, 0), "nobody looks");
    bench.done(ana, "ana", Want::WatchBody { hz: 10.0 });
    bench.done(ben, "ben", Want::WatchBody { hz: 50.0 });
    bench.sent.clear();
    bench.run_s(2.0);
    assert!((19..=21).contains(&moments(&bench, ana)), "{}", moments(&bench, ana));
    assert!((95..=101).contains(&moments(&bench, ben)), "{}", moments(&bench, ben));
    let health = parts(&bench, ana).iter().filter(|part| matches!(part, BodyPart::Health(_))).count();
    assert!((3..=5).contains(&health), "faults and rates change slowly: {health}");
    let joints = |part: &BodyPart| if let BodyPart::Joints { speeds, .. } = part { speeds.len() } else { 0 };
    assert!(parts(&bench, ana).iter().map(joints).max().is_some_and(|count| count > 10));
    bench.done(ana, "ana", Want::WatchBody { hz: 0.0 });
    // What is no number is no order.
    assert!(bench.refused(ben, "ben", Role::Observer, Want::WatchBody { hz: f64::NAN }).contains("no order"));
    bench.done(ben, "ben", Want::WatchBody { hz: -1.0 });
    bench.sent.clear();
    bench.run_s(1.0);
    assert_eq!((moments(&bench, ana), moments(&bench, ben)), (0, 0));
}

#[test]
fn a_narrow_link_has_it_once_a_second() {
    let mut bench = Bench::on_narrow_site(THREE_WAITS, site());
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::WatchBody { hz: 50.0 });
    bench.sent.clear();
    bench.run_s(5.0);
    assert!((4..=6).contains(&moments(&bench, ana)), "{}", moments(&bench, ana));
}
