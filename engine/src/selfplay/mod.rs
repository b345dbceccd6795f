//! Games by the thousand, played by our own players.
