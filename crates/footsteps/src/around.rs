use crate::plan::PlanFailure;
use crate::planar::Planar;
use crate::setup::Setup;

pub(crate) fn way_around(_setup: &Setup, _from: &Planar, to: &Planar) -> Result<Vec<Planar>, PlanFailure> {
    Ok(vec![*to])
}
