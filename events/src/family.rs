//! A family's enum with the names of its types.

/// Ties a family's enum to its names: `FAMILY.WORD` for each variant.
macro_rules! family_table {
    ($name:ident [$($life:lifetime)?] $prefix:literal { $($variant:ident = $word:literal,)* }) => {
        impl<$($life)?> $name<$($life)?> {
            /// As in envelopes.
            pub const TYPE_NAMES: &'static [&'static str] = &[$(concat!($prefix, ".", $word)),*];

            pub(crate) const fn index(&self) -> u8 {
                enum Index { $($variant),* }
                match self { $($name::$variant(_) => Index::$variant as u8),* }
            }

            pub(crate) fn read<'de $(: $life)?, D: serde::Deserializer<'de>>(
                index: u8,
                deserializer: D,
            ) -> Result<Self, D::Error> {
                enum Index { $($variant),* }
                $(if index == Index::$variant as u8 {
                    return serde::Deserialize::deserialize(deserializer).map($name::$variant);
                })*
                Err(serde::de::Error::custom(concat!("no such type in the family ", $prefix)))
            }

            pub(crate) fn write(&self) -> Result<String, $crate::canonical::CanonicalError> {
                match self { $($name::$variant(event) => $crate::canonical::to_string_without_nulls(event)),* }
            }

            pub(crate) fn write_to<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self { $($name::$variant(event) => serde::Serialize::serialize(event, to)),* }
            }
        }
    };
}
pub(crate) use family_table;

/// A family's enum with its names.
macro_rules! family {
    (
        $(#[$docs:meta])*
        pub enum $name:ident: $prefix:literal {
            $($(#[$variant_docs:meta])* $variant:ident($inner:ty) = $word:literal,)*
        }
    ) => {
        $(#[$docs])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_docs])* $variant($inner),)*
        }

        impl $name {
            /// As in envelopes.
            #[must_use]
            pub const fn type_name(&self) -> &'static str {
                match self { $($name::$variant(_) => concat!($prefix, ".", $word)),* }
            }
        }

        $crate::family::family_table! { $name [] $prefix { $($variant = $word,)* } }
    };
}
pub(crate) use family;
