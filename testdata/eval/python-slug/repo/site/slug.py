import re


def slug(title):
    """Return the title for a URL."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower())
