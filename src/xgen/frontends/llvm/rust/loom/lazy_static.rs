//! Statics that are made where they are used first.

pub use std::thread::AccessError;

use std::ops::Deref;
use std::sync::LazyLock;

pub struct Lazy<T: 'static>(LazyLock<T>);

impl<T: 'static> Lazy<T> {
    pub const fn new(make: fn() -> T) -> Lazy<T> {
        Lazy(LazyLock::new(make))
    }
}

impl<T: 'static> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[macro_export]
macro_rules! lazy_static {
    () => {};
    ($(#[$attribute:meta])* $seen:vis static ref $name:ident : $type:ty = $value:expr; $($more:tt)*) => {
        $(#[$attribute])*
        $seen static $name: $crate::lazy_static::Lazy<$type> = $crate::lazy_static::Lazy::new(|| $value);
        $crate::lazy_static!($($more)*);
    };
}
