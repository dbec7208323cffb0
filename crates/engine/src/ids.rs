//! Places in the engine's tables. They never leave the engine; outside, an [`crate::InstanceId`] names a step.

macro_rules! table_index {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub u32);

        impl $name {
            pub(crate) fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect("the engine limits its tables far below 2^32"))
            }

            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

table_index! {
    StepId
    TrackId
    /// One use of a skill, or one call by a gosub; 0 is the behavior itself.
    UseId
    ScopeId
}
