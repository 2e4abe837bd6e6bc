"""Runs one peer in a process of its own environment and says what each call cost.

Started by `scripts.peers` with the interpreter of an environment in which the peers are installed;
it imports nothing of redraft. A line of JSON comes in for each call and one goes out: CPU seconds,
or why it failed.
"""

import io
import json
import resource
import sys
import tempfile
import time
from importlib import import_module as load
from pathlib import Path


def mammoth(path: str) -> object:
    """Turns Word into Markdown, in process."""
    with Path(path).open("rb") as source:
        return load("mammoth").convert_to_markdown(source)


def markitdown(path: str) -> object:
    """Turns Word into Markdown, in process; its converter is made once for each document."""
    return load("markitdown").MarkItDown().convert(path)


def docling(path: str) -> object:
    """Turns Word into Markdown by its own backend, without the pipeline that needs models."""
    backend = load("docling.backend.msword_backend").MsWordDocumentBackend
    docx = load("docling.datamodel.base_models").InputFormat.DOCX
    source = Path(path)
    document = load("docling.datamodel.document").InputDocument(
        path_or_stream=source, format=docx, backend=backend
    )
    return backend(in_doc=document, path_or_stream=source).convert().export_to_markdown()


def pymupdf4llm(path: str, target: str = "") -> object:
    """Turns PDF into Markdown in the classic mode, into a file if one is named."""
    peer = load("pymupdf4llm")
    if hasattr(peer, "use_layout"):
        peer.use_layout(False)
    return _kept(peer.to_markdown(path), target)


def pymupdf4llm_layout(path: str, target: str = "") -> object:
    """Turns PDF into Markdown with the layout model, which only versions from 2 hold."""
    peer = load("pymupdf4llm")
    peer.use_layout(True)
    return _kept(peer.to_markdown(path), target)


def _kept(markdown: str, target: str) -> str:
    if target:
        Path(target).write_text(markdown, encoding="utf-8")
    return markdown


def docx_editor_one(path: str, find: str, replace: str) -> object:
    """Opens, replaces once with tracking, saves."""
    return _docx_editor(path, find, replace, limit=1)


def docx_editor_all(path: str, find: str, replace: str) -> object:
    """Opens, replaces every hit with tracking, saves."""
    return _docx_editor(path, find, replace, limit=None)


def _docx_editor(path: str, find: str, replace: str, *, limit: int | None) -> object:
    kind = load("docx_editor").Document
    with tempfile.TemporaryDirectory() as folder:
        document = kind.open(path, author="Bench", force_recreate=True, workspace_dir=folder)
        hits = document.find_all(find)[:limit]
        edit = load("docx_editor").EditOperation
        document.batch_edit([edit.replace(hit, replace) for hit in reversed(hits)])
        document.save(Path(folder) / "result.docx")
        document.close()
    return len(hits)


def docx_revisions_all(path: str, find: str, replace: str) -> object:
    """Opens, replaces every hit with tracking, saves."""
    document = load("docx_revisions").RevisionDocument(path)
    hits = document.find_and_replace_tracked(find, replace, author="Bench")
    document.save(io.BytesIO())
    return hits


CALLS = {
    call.__name__: call
    for call in (
        mammoth,
        markitdown,
        docling,
        pymupdf4llm,
        pymupdf4llm_layout,
        docx_editor_one,
        docx_editor_all,
        docx_revisions_all,
    )
}


def _peak() -> int:
    """Returns the most memory this process has held, in megabytes; see `scripts.high_water`."""
    try:
        with Path("/proc/self/status").open(encoding="utf-8") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line[:5] == "VmHWM")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> int:
    """Answers calls until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        begin = time.process_time()
        try:
            CALLS[name](*arguments)
        except Exception as error:  # a peer may fail in any way; the bench says so
            reply = {"failed": f"{type(error).__name__}: {error}"[:120]}
        else:
            took = time.process_time() - begin
            reply = {"seconds": took, "megabytes": _peak()}
        print(json.dumps(reply), file=answers, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
