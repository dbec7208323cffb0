//! News that came before the tree they belong to: edits and whole trees go by streams that do not wait for each other.

use protocol::talk::News;

/// A robot that sends more than this before its tree is not kept up with; its next whole tree has all of it.
const MOST_BYTES: usize = 4 << 20;

#[derive(Default)]
pub struct Early {
    news: Vec<News>,
    bytes: usize,
}

impl Early {
    pub fn keep(&mut self, news: News) {
        self.bytes += size(&news);
        self.news.push(news);
        while self.bytes > MOST_BYTES {
            self.bytes -= size(&self.news.remove(0));
        }
    }

    /// The tree is here: what waited for it, in the order in which it came.
    pub fn take(&mut self) -> Vec<News> {
        self.bytes = 0;
        std::mem::take(&mut self.news)
    }

    /// Everything is said anew.
    pub fn forget(&mut self) {
        *self = Early::default();
    }
}

fn size(news: &News) -> usize {
    match news {
        News::Update { update, .. } => update.len(),
        News::Epoch { holds, .. } => holds.len(),
        News::Kept { .. } | News::Refused { .. } => 0,
    }
}
