# The part of multipart that api/requests/forms.py uses. `mcp` brings along a folder of the same
# name, which hands on this module when it runs, but hides its types.
from collections.abc import Generator

class MultipartError(ValueError): ...

class MultipartSegment:
    headerlist: list[tuple[str, str]]
    name: str | None
    filename: str | None
    charset: str | None

class PushMultipartParser:
    def __init__(
        self,
        boundary: str | bytes,
        *,
        max_segment_count: int | float = ...,
        header_charset: str = ...,
        strict: bool = ...,
    ) -> None: ...
    def parse(self, chunk: bytes | bytearray) -> Generator[MultipartSegment | bytearray | None]: ...
    def close(self, check_complete: bool = ...) -> None: ...

def parse_options_header(header: str) -> tuple[str, dict[str, str]]: ...
