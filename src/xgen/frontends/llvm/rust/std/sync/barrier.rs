use super::{Condvar, Mutex};
use std::fmt;
use std::panic::RefUnwindSafe;

pub struct Barrier {
    state: Mutex<State>,
    all: Condvar,
    threads: usize,
}

struct State {
    arrived: usize,
    round: usize,
}

#[derive(Debug)]
pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.0
    }
}

impl Barrier {
    #[inline]
    pub const fn new(threads: usize) -> Barrier {
        Barrier { state: Mutex::new(State { arrived: 0, round: 0 }), all: Condvar::new(), threads }
    }

    pub fn wait(&self) -> BarrierWaitResult {
        let mut state = self.state.lock().unwrap();
        let round = state.round;
        state.arrived += 1;
        if state.arrived >= self.threads {
            state.arrived = 0;
            state.round = state.round.wrapping_add(1);
            self.all.notify_all();
            return BarrierWaitResult(true);
        }
        while state.round == round {
            state = self.all.wait(state).unwrap();
        }
        BarrierWaitResult(false)
    }
}

impl RefUnwindSafe for Barrier {}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Barrier")
    }
}
