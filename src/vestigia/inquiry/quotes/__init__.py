"""The quote seal (H9, B8): whether a quotation stands in its source."""
