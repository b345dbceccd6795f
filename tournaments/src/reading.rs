//! Readings: each way to read an ambiguous text is a named value, one of them the default. The announcement
//! records them, so that an audit reads the text as the director did, and can compare other readings. The
//! readings are defined next to their rules.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no reading of {register} ({what}). Known: {known}")]
pub struct UnknownReading {
    /// In the register of ambiguous texts.
    pub register: &'static str,
    /// What the text leaves undetermined.
    pub what: &'static str,
    /// The first 80 characters.
    pub found: String,
    /// Letters and names.
    pub known: &'static str,
}

pub trait Reading: Copy + Sized + 'static {
    /// The register number, such as `T2`.
    const REGISTER: &'static str;
    const QUESTION: &'static str;
    /// The first is the default.
    const ALL: &'static [Self];

    /// In the register; `A` is the default.
    fn letter(self) -> &'static str;

    /// In events and JSON.
    fn name(self) -> &'static str;
}

/// Declares the readings of ambiguous texts; the first of each is the default.
macro_rules! readings {
    ($(
        $(#[$docs:meta])*
        pub enum $name:ident, $register:literal, $question:literal {
            $(#[$first_docs:meta])* $first:ident = $first_letter:literal $first_word:literal,
            $($(#[$word_docs:meta])* $variant:ident = $letter:literal $word:literal,)*
        }
    )*) => {$(
        $(#[$docs])*
        #[derive(
            Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        pub enum $name {
            $(#[$first_docs])*
            #[default]
            #[serde(rename = $first_word)]
            $first,
            $($(#[$word_docs])* #[serde(rename = $word)] $variant,)*
        }

        impl $crate::reading::Reading for $name {
            const REGISTER: &'static str = $register;
            const QUESTION: &'static str = $question;
            const ALL: &'static [$name] = &[$name::$first, $($name::$variant),*];

            fn letter(self) -> &'static str {
                match self { $name::$first => $first_letter, $($name::$variant => $letter),* }
            }

            fn name(self) -> &'static str {
                match self { $name::$first => $first_word, $($name::$variant => $word),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::reading::Reading::name(*self))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::reading::UnknownReading;

            /// Reads the letter or the name.
            fn from_str(text: &str) -> Result<$name, $crate::reading::UnknownReading> {
                use $crate::reading::Reading;
                <$name as Reading>::ALL
                    .iter()
                    .copied()
                    .find(|known| known.letter() == text || known.name() == text)
                    .ok_or_else(|| $crate::reading::UnknownReading {
                        register: $register,
                        what: $question,
                        found: text.chars().take(80).collect(),
                        known: concat!(
                            $first_letter, " ", $first_word, $(", ", $letter, " ", $word),*
                        ),
                    })
            }
        }
    )*};
}
pub(crate) use readings;

#[cfg(test)]
mod tests {
    use super::Reading;

    readings! {
        pub enum Example, "T0", "what the example means" {
            OneWay = "A" "one_way",
            OtherWay = "B" "other_way",
        }
    }

    #[test]
    fn a_reading_is_found_by_its_letter_and_by_its_name() {
        assert_eq!("A".parse(), Ok(Example::OneWay));
        assert_eq!("other_way".parse(), Ok(Example::OtherWay));
        assert_eq!((Example::default(), Example::ALL.len()), (Example::OneWay, 2));
        assert_eq!(Example::OtherWay.to_string(), "other_way");
        assert_eq!(Example::OtherWay.letter(), "B");
        let error = "C".parse::<Example>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`C` is no reading of T0 (what the example means). Known: A one_way, B other_way"
        );
    }
}
