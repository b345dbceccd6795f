"""The error of the program, in its parts."""

from __future__ import annotations

_FIELDS = ("reason", "state", "hint")


class Error(Exception):
    """The program could not run a command.

    Attributes:
        error: What happened, and where.
        reason: The rule or the cause, if it is not obvious.
        state: What the command left, if that is not obvious.
        hint: What to run next, one line for each hint.
        status: The exit status of the program; 1 is a finding about the data, 2 a failure to run.
    """

    error: str
    reason: str | None
    state: str | None
    hint: str | None
    status: int

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text, status)
        self.status = status
        parts = _parts(text)
        self.error = parts.get("error", "")
        self.reason, self.state, self.hint = (parts.get(field) for field in _FIELDS)

    def __str__(self) -> str:
        fields = ((field, getattr(self, field)) for field in _FIELDS)
        lines = [f"  {field}: {line}" for field, text in fields if text is not None for line in text.split("\n")]
        return "\n".join([self.error, *lines])


def _parts(text: str) -> dict[str, str]:
    """The fields of the program's error, several lines of one field joined."""
    parts: dict[str, str] = {}
    present = "error"
    for line in text.strip().removeprefix("error: ").splitlines():
        for field in _FIELDS:
            begin = f"  {field}: "
            if line.startswith(begin):
                present, line = field, line.removeprefix(begin)
        parts[present] = f"{parts[present]}\n{line}" if present in parts else line
    return parts
