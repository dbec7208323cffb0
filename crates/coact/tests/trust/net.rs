//! Datagrams between one robot and the lives of operator processes: late, lost, twice, in another order, cut off.

use std::collections::BTreeMap;

use testkit::shaped::{Dice, MS};

/// The socket of one life of one operator process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    pub station: usize,
    pub life: u32,
}

#[derive(Debug, Clone, Copy)]
pub enum Way {
    ToRobot(Address),
    ToStation(Address),
}

impl Way {
    fn station(self) -> usize {
        match self {
            Way::ToRobot(address) | Way::ToStation(address) => address.station,
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Weather {
    pub loss: f64,
    pub duplicate: f64,
    pub jitter_ns: u64,
}

pub struct Net {
    pub weather: Weather,
    /// Of each station: nothing passes before this time, to the robot and from it.
    pub cut_until_ns: Vec<[u64; 2]>,
    flying: BTreeMap<(u64, u64), (Way, Vec<u8>)>,
    sent: u64,
    dice: Dice,
}

impl Net {
    pub fn new(stations: usize, seed: u64) -> Net {
        Net {
            weather: Weather::default(),
            cut_until_ns: vec![[0; 2]; stations],
            flying: BTreeMap::new(),
            sent: 0,
            dice: Dice::new(seed),
        }
    }

    pub fn send(&mut self, now_ns: u64, way: Way, bytes: Vec<u8>) {
        let direction = usize::from(matches!(way, Way::ToStation(_)));
        if self.cut_until_ns[way.station()][direction] > now_ns || self.dice.chance(self.weather.loss) {
            return;
        }
        let copies = 1 + u64::from(self.dice.chance(self.weather.duplicate));
        for _ in 0..copies {
            self.sent += 1;
            let jitter_ns = self.dice.below(self.weather.jitter_ns.max(1));
            self.flying.insert((now_ns + 2 * MS + jitter_ns, self.sent), (way, bytes.clone()));
        }
    }

    /// What has arrived by now.
    pub fn arrived(&mut self, now_ns: u64) -> Vec<(Way, Vec<u8>)> {
        let later = self.flying.split_off(&(now_ns + 1, 0));
        std::mem::replace(&mut self.flying, later).into_values().collect()
    }
}
