//! Points of a cloud that lie next to each other in it, taken together: most of them are told to be in a shape, or out of
//! it, without a look at each.

/// So many pixels are looked at together: one row of the work fits the registers and the nearest cache.
pub(crate) const BLOCK: usize = 128;

/// The space around a block's points. A point that is set anew leaves the space it had: too large is never wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    least_m: [f32; 3],
    most_m: [f32; 3],
    pub with_depth: usize,
}

impl Block {
    pub const EMPTY: Block = Block { least_m: [f32::INFINITY; 3], most_m: [f32::NEG_INFINITY; 3], with_depth: 0 };

    pub fn add(&mut self, world_m: [f32; 3]) {
        for (axis, number) in world_m.into_iter().enumerate() {
            self.least_m[axis] = self.least_m[axis].min(number);
            self.most_m[axis] = self.most_m[axis].max(number);
        }
        self.with_depth += 1;
    }

    pub fn corners_m(&self) -> [[f32; 3]; 8] {
        std::array::from_fn(|corner| {
            std::array::from_fn(|axis| if corner >> axis & 1 == 0 { self.least_m[axis] } else { self.most_m[axis] })
        })
    }
}
