//! The page's types are those of the server.

use expect_test::expect_file;

#[test]
fn the_pages_types_are_generated_from_these() {
    expect_file!["../../../web/src/api/types.ts"].assert_eq(&protocol::typescript::declarations());
}
