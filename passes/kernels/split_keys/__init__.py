"""The online form of products that keep what joins their result with those of other parts of the rows."""
