//! Where tensors are computed: on the processor, or on a graphics card where the program was built for one.

use std::fmt;
use std::str::FromStr;

use burn::tensor::Device;

/// Where tensors are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the processor, with all its cores.
    Processor,
    /// On the first graphics card of NVIDIA's kind.
    #[cfg(feature = "cuda")]
    Cuda,
    /// On any graphics card, by the system's own interface.
    #[cfg(feature = "wgpu")]
    Wgpu,
}

/// There is no such place, or the program was built without it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no device of this program: it was built for {known}; graphics cards need a build with the feature \
     learning-cuda or learning-wgpu",
    known = Place::known().join(", ")
)]
pub struct UnknownPlace(String);

impl Place {
    /// The places that the program was built for.
    #[must_use]
    pub fn known() -> Vec<&'static str> {
        vec![
            "cpu",
            #[cfg(feature = "cuda")]
            "cuda",
            #[cfg(feature = "wgpu")]
            "wgpu",
        ]
    }

    pub(crate) fn device(self) -> Device {
        match self {
            Place::Processor => Device::flex(),
            #[cfg(feature = "cuda")]
            Place::Cuda => Device::cuda(0),
            #[cfg(feature = "wgpu")]
            Place::Wgpu => Device::wgpu(burn::tensor::DeviceKind::DefaultDevice),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Place::Processor => "cpu",
            #[cfg(feature = "cuda")]
            Place::Cuda => "cuda",
            #[cfg(feature = "wgpu")]
            Place::Wgpu => "wgpu",
        })
    }
}

impl FromStr for Place {
    type Err = UnknownPlace;

    fn from_str(text: &str) -> Result<Place, UnknownPlace> {
        match text {
            "cpu" => Ok(Place::Processor),
            #[cfg(feature = "cuda")]
            "cuda" => Ok(Place::Cuda),
            #[cfg(feature = "wgpu")]
            "wgpu" => Ok(Place::Wgpu),
            _ => Err(UnknownPlace(text.to_owned())),
        }
    }
}
