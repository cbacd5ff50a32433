use super::{Condvar, Mutex};
use crate::reader::{xgen_asks_for_the_leader, xgen_leads, xgen_meet};
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

pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    #[must_use]
    pub fn is_leader(&self) -> bool {
        unsafe { xgen_asks_for_the_leader() };
        self.0
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.is_leader()).finish()
    }
}

impl Barrier {
    #[inline]
    pub const fn new(threads: usize) -> Barrier {
        Barrier { state: Mutex::new(State { arrived: 0, round: 0 }), all: Condvar::new(), threads }
    }

    pub fn wait(&self) -> BarrierWaitResult {
        if unsafe { xgen_meet(&self.threads) } {
            return BarrierWaitResult(unsafe { xgen_leads(&self.threads) });
        }
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
