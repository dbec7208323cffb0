//! An update as it is sent and kept: the epoch it is of, and what Loro exported.
//!
//! Every export of Loro begins with the same 16 bytes: its name, and the part of the checksum that it does not use. The
//! change of a field may take 110 bytes on a narrow link, and these would be 16 of them. They are left out and put back
//! here; one bit says so, so that the export of a Loro that begins otherwise still goes, whole, and is read as it is.

use crate::ReplicaError;
use crate::bytes::{Reader, Writer};

const LORO_HEAD: &[u8] = b"loro\0\0\0\0\0\0\0\0\0\0\0\0";

pub(crate) fn close(epoch: u64, exported: &[u8]) -> Vec<u8> {
    let mut writer = Writer::default();
    let short = exported.strip_prefix(LORO_HEAD);
    writer.number(epoch << 1 | u64::from(short.is_some()));
    writer.0.extend_from_slice(short.unwrap_or(exported));
    writer.0
}

/// The epoch of an update and its bytes as Loro reads them.
pub(crate) fn open(bytes: &[u8]) -> Result<(u64, Vec<u8>), ReplicaError> {
    let mut reader = Reader(bytes);
    let head = reader.number()?;
    let loro = if head & 1 == 1 { [LORO_HEAD, reader.0].concat() } else { reader.0.to_vec() };
    Ok((head >> 1, loro))
}

#[cfg(test)]
mod tests {
    use loro::{ExportMode, LoroDoc};

    use super::*;

    #[test]
    fn what_loro_exports_comes_back_and_is_16_bytes_shorter_on_its_way() {
        let doc = LoroDoc::new();
        doc.get_map("m").insert("key", 1).unwrap();
        let exported = doc.export(ExportMode::all_updates()).unwrap();
        let sent = close(3, &exported);
        assert_eq!(sent.len(), exported.len() + 1 - 16, "this Loro begins as the one before");
        assert_eq!(open(&sent).unwrap(), (3, exported));
        let other = b"loro 2".to_vec();
        assert_eq!(open(&close(300, &other)).unwrap(), (300, other));
    }
}
