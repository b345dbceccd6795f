//! AEI, the text protocol between a controller and a program that plays.
