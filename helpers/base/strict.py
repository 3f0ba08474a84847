"""Records that refuse what they do not know, and how pydantic's findings are said."""

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """A record that refuses unknown keys and values of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def place(location: tuple) -> str:
    """Where in a record pydantic found something, in words."""
    return ".".join(str(part) for part in location) or "the line"
