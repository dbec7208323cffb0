pub(crate) mod rotation;
