"""The words a language model sees: one Markdown file a prompt, and the renderer."""
