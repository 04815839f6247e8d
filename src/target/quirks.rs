//! The table that a list of mistakes is: variant, name, APIs, sentence.

macro_rules! quirks {
    ($(#[$doc:meta])* $kind:ident, $(#[$order:meta])* all; $($variant:ident $name:literal $apis:ident $says:literal,)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $kind {
            $(#[doc = $says] $variant,)*
        }

        impl $kind {
            $(#[$order])*
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the command line, lower-kebab.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it does wrong, in one sentence.
            pub fn says(self) -> &'static str {
                match self {
                    $(Self::$variant => $says,)*
                }
            }

            /// The APIs that it can be seen at.
            pub fn apis(self) -> &'static [Api] {
                match self {
                    $(Self::$variant => $apis,)*
                }
            }
        }
    };
}
pub(super) use quirks;
