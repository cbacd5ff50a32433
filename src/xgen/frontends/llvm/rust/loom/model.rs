//! How loom is to explore: it is asked, and nothing depends on it.

use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug)]
#[non_exhaustive]
pub struct Builder {
    pub max_threads: usize,
    pub max_branches: usize,
    pub max_permutations: Option<usize>,
    pub max_duration: Option<Duration>,
    pub preemption_bound: Option<usize>,
    pub checkpoint_file: Option<PathBuf>,
    pub checkpoint_interval: usize,
    pub expect_explicit_explore: bool,
    pub location: bool,
    pub log: bool,
}

impl Builder {
    pub fn new() -> Builder {
        Builder {
            max_threads: 4,
            max_branches: 1_000,
            max_permutations: None,
            max_duration: None,
            preemption_bound: None,
            checkpoint_file: None,
            checkpoint_interval: 20_000,
            expect_explicit_explore: false,
            location: false,
            log: false,
        }
    }

    pub fn checkpoint_file(&mut self, _: &str) -> &mut Builder {
        self
    }

    pub fn check<F: Fn() + Sync + Send + 'static>(&self, body: F) {
        body()
    }
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}
