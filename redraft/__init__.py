"""Edit `.docx` and `.pdf` documents by saying what should change; see `redraft.engine.editor`."""
