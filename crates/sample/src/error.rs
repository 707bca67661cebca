//! What is wrong with a law's parameters or with a moment asked of it.

/// A law that does not exist, or a moment that it does not have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LawError {
    /// A parameter out of range.
    #[error("{law}: {parameter} = {value} is not {wanted}")]
    Parameter {
        /// The law.
        law: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// Its range, in words.
        wanted: &'static str,
    },
    /// The moment is infinite.
    #[error("{law}: E|X|^{order} is infinite (moments exist below order {limit} only)")]
    InfiniteMoment {
        /// The law.
        law: &'static str,
        /// The order asked for.
        order: String,
        /// Orders below this one exist.
        limit: String,
    },
}

pub(crate) fn require(
    condition: bool,
    law: &'static str,
    parameter: &'static str,
    value: impl ToString,
    wanted: &'static str,
) -> Result<(), LawError> {
    if condition { Ok(()) } else { Err(LawError::Parameter { law, parameter, value: value.to_string(), wanted }) }
}
