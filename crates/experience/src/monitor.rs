//! What is asked in every tick of an attempt.

/// Which limit, and what was found; none: it could not be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exceeded {
    pub limit: usize,
    pub value: Option<f64>,
}

/// The first limit whose value is beyond it. What cannot be told counts as beyond: nobody would see it come.
#[inline]
pub fn first_exceeded(limits: impl IntoIterator<Item = (f64, Option<f64>)>) -> Option<Exceeded> {
    for (limit, (max, value)) in limits.into_iter().enumerate() {
        let is_within = value.is_some_and(|value| value.abs() <= max);
        if !is_within {
            return Some(Exceeded { limit, value });
        }
    }
    None
}
