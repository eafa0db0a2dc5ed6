"""Digests of texts: few characters that tell a text from others."""


def text_digest(text: str, characters: int) -> str:
    """The first hexadecimal characters of the text's SHA-256."""
    from hashlib import sha256  # takes 3 ms to import, and most commands need no digest

    return sha256(text.encode()).hexdigest()[:characters]
