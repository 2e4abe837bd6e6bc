"""The page around the terminal, and what a browser may do on it.

The terminal itself (xterm.js with its glue) is a script of textual-serve: it sends lists in JSON
and takes bytes to draw. It puts the classes `-first-byte` and `-closed` on the body.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

STYLE = """\
@font-face {
  font-family: "Roboto Mono";
  src: url("/static/fonts/RobotoMono-VariableFont_wght.ttf");
  font-weight: 100 700;
}
html, body { margin: 0; height: 100%; overflow: hidden; background: #101418; color: #d8dee6; }
body { font: 16px "Roboto Mono", monospace; }
.textual-terminal { width: 100vw; height: 100vh; }
.words {
  position: absolute; inset: 0; z-index: 10;
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 1em;
  background: #101418; text-align: center;
}
body.-first-byte .opening { display: none; }
.ended { display: none; }
body.-closed .ended { display: flex; }
a { color: #7fb2ff; }
.xterm .xterm-viewport { overflow-y: hidden; }
"""
SCRIPT = """\
addEventListener("load", () => document.querySelector(".xterm-helper-textarea")?.focus());
"""


def page(socket: str) -> str:
    """Returns the page of a window whose terminal speaks to a web socket."""
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>redraft</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/css/xterm.css">
<link rel="stylesheet" href="/page.css">
<script src="/static/js/textual.js"></script>
<script src="/page.js"></script>
</head>
<body>
<div class="words opening"><p>redraft is starting&hellip;</p></div>
<div class="words ended">
<p>This session has ended. Edits go on at the service.</p>
<p><a href="">Start again</a></p>
</div>
<div class="textual-terminal" data-session-websocket-url="{escape(socket)}" data-font-size="16">
</div>
</body>
</html>
"""


def headers(host: str) -> Mapping[str, str]:
    """Returns what a browser may do with anything we send it; `host` is where it asked."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        f"font-src 'self'; img-src 'self' data:; connect-src ws://{host}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,  # the terminal writes its own style elements
        "Referrer-Policy": "no-referrer",  # the address is a secret
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
