//! What can be done within one turn, exactly: reaching the goal, and capturing.
