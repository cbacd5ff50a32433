//! Memory; that what is tracked is dropped is not looked at.

pub use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};

#[derive(Debug)]
pub struct Track<T>(T);

impl<T> Track<T> {
    pub fn new(value: T) -> Track<T> {
        Track(value)
    }

    pub fn get_ref(&self) -> &T {
        &self.0
    }

    pub fn get_mut(&mut self) -> &mut T {
        &mut self.0
    }

    pub fn into_inner(self) -> T {
        self.0
    }
}
