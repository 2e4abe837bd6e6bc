"""How the terminal program is started from the command line."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import platformdirs

from redraft.tui import config, language_model, local_files
from redraft.tui.clock import SystemClock
from redraft.tui.launch_options import Connect, LaunchOptions, Reach
from redraft.tui.session.service_updates import Dependencies
from redraft.tui.session.session_file import SessionFile

if TYPE_CHECKING:
    from redraft.tui.app import RedraftApp
    from redraft.tui.transport.client import Client
    from redraft.tui.transport.local_server import LocalServer

NO_TERMINAL = 2
FAILED = 1
SAMPLE = "services-agreement.docx"
COLOURLESS = re.compile(r"vt\d+.*|.*-(m|mono)")  # names of terminals
SIGNLESS = re.compile(r"(.+\.)?(linux(-.*)?|vt\d+.*|cons25.*)")


def run(
    files: Sequence[Path],
    *,
    server: str | None = None,
    key: str | None = None,
    demo: bool = False,
    ascii_only: bool | None = None,
    mouse: bool = True,
    theme: config.ThemeName | None = None,
    reach: Reach = "machine",
    is_plain: bool = False,
) -> int:
    """Run the terminal program and return its exit code.

    Args:
        files: Documents to upload at start.
        server: A service that runs elsewhere; None: our own, started or joined.
        key: The key for it; None: REDRAFT_KEY.
        demo: Open the sample contract.
        ascii_only: Draw with ASCII only, or not; None: as configured, or as the terminal needs.
        mouse: Listen to the mouse.
        theme: The colours; None: as configured, or as fits the terminal.
        reach: How much of this machine is the person's.
        is_plain: Speak in lines instead of drawing a screen.
    """
    refusal = (
        ""
        if is_plain
        else refusal_of(os.environ, is_terminal=sys.stdin.isatty() and sys.stderr.isatty())
    )
    configuration, fault = _configuration()
    refusal = refusal or fault or misuse_of(files, server or configuration.server, reach)
    if refusal:
        sys.stderr.write(f"redraft: {refusal}\n")
        return NO_TERMINAL
    options = configured(configuration, os.environ)
    options = replace(
        options,
        server=server or configuration.server,
        files=tuple(path.absolute() for path in files),
        demo=_sample() if demo else None,
        reach=reach,
        ascii_only=options.ascii_only if ascii_only is None else ascii_only,
        theme=theme or options.theme,
    )
    given = key or os.environ.get("REDRAFT_KEY", "")
    if is_plain:
        return _run_plain(options, given)
    return _run(options, given, mouse=mouse and configuration.mouse)


def _configuration() -> tuple[config.Configuration, str]:
    """Returns what the person has set, and why that cannot be used, or nothing."""
    try:
        return config.load(config.default_path()), ""
    except config.ConfigurationError as error:
        return config.Configuration(), str(error)


def configured(
    configuration: config.Configuration, environment: Mapping[str, str]
) -> LaunchOptions:
    """Returns the options that the configuration and the terminal make."""
    return LaunchOptions(
        connect=_nowhere,
        dependencies=Dependencies(SystemClock(), lambda: str(uuid.uuid4())),
        folder=Path.cwd(),
        environment=environment,
        author=config.author_name(configuration, environment),
        theme=configuration.theme or fitting_theme(environment),
        ascii_only=configuration.ascii
        or needs_ascii(environment, is_coerced=bool(sys.flags.utf8_mode)),
        slow_line=bool(environment.get("SSH_CONNECTION")),
        keys=configuration.keys,
        store=SessionFile(_folder("state") / "session.json"),
        crash_log=_folder("state") / "crash.log",
        asks_first=configuration.ask_first,
        redline_folder=local_files.expanded(configuration.redline_folder).absolute()
        if configuration.redline_folder
        else None,
    )


def _run(options: LaunchOptions, key: str, *, mouse: bool) -> int:
    """Start the program, and the local service when none is named."""
    if options.slow_line:
        os.environ.setdefault("TEXTUAL_FPS", "15")
        os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    from redraft.tui.app import RedraftApp  # Textual reads the environment when it is imported
    from redraft.tui.transport import local_server

    dependencies = options.dependencies
    server = local_server.LocalServer(
        _folder("data") / "local",
        environment=lambda: language_model.completed(options.environment),
    )
    local = _to_local(server, dependencies)

    def dial(address: str, given: str) -> Connect:
        return _to(address, given, dependencies)

    connect = dial(options.server, key) if options.server else local
    options = replace(options, connect=connect)
    if options.reach != "service":  # who comes from elsewhere does not choose what is called
        options = replace(options, dial=dial, local=local)
    if options.reach == "machine":
        options = replace(options, restart=_to_restarted(server, dependencies))
    app = RedraftApp(options)
    try:
        return draw(app, mouse=mouse)
    finally:
        if server.is_used:
            # Edits under way go on, also after a hang-up; the next terminal joins the service.
            server.close(stop=not app.main.session.store.jobs)


def tutor(given: Sequence[str]) -> int:
    """Runs `redraft tutor` and returns the exit code."""
    argparse.ArgumentParser(
        prog="redraft tutor", description="Learn redraft in ten steps on a sample contract."
    ).parse_args(given)
    configuration, fault = _configuration()
    if fault:
        sys.stderr.write(f"redraft: {fault}\n")
        return NO_TERMINAL
    options = replace(configured(configuration, os.environ), demo=_sample())
    return _run_plain(options, "")


def _run_plain(options: LaunchOptions, key: str) -> int:
    """Runs the program of lines; with a sample, the steps on it."""
    from redraft.tui.line_program import LineProgram
    from redraft.tui.transport import local_server
    from redraft.tui.tutor import Tutor

    server = local_server.LocalServer(
        _folder("data") / "local",
        environment=lambda: language_model.completed(options.environment),
    )
    connect = _to_local(server, options.dependencies)
    if options.server:
        connect = _to(options.server, key, options.dependencies)
    try:
        options = replace(options, connect=connect)
        program = LineProgram(options, sys.stdin, sys.stdout)
        if options.demo is not None:
            program = Tutor(options, sys.stdin, sys.stdout, options.demo)
        return asyncio.run(program.run())
    finally:
        if server.is_used:
            server.close()


def draw(app: RedraftApp, *, mouse: bool = True) -> int:
    """Run the program until it ends and return its exit code."""
    try:
        app.run(mouse=mouse)
    finally:
        if app.main.drafts.not_kept:
            with contextlib.suppress(OSError):  # the terminal may be gone
                sys.stderr.write(f"redraft: drafts are not kept: {app.main.drafts.not_kept}\n")
        for stream in (sys.stdout, sys.stderr):
            let_go(stream)
    return app.return_code or 0


def let_go(stream: TextIO) -> None:
    """Drop what a stream still holds for a terminal that is gone.

    The interpreter would try to write it when it ends, and change the exit code to 120.
    """
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _to(server: str, key: str, dependencies: Dependencies) -> Connect:
    async def connect() -> Client:
        from redraft.tui.transport.client import Client

        return Client(server, key, dependencies.clock)

    return connect


def _to_local(local: LocalServer, dependencies: Dependencies) -> Connect:
    async def connect() -> Client:
        from redraft.tui.transport.client import Client

        address = await local.open()
        return Client(address.url, address.key, dependencies.clock)

    return connect


def _to_restarted(local: LocalServer, dependencies: Dependencies) -> Connect:
    async def connect() -> Client:
        from redraft.tui.transport.client import Client

        address = await local.restart()
        return Client(address.url, address.key, dependencies.clock)

    return connect


async def _nowhere() -> Client:
    message = "no service was chosen"
    raise ConnectionError(message)


def refusal_of(environment: Mapping[str, str], *, is_terminal: bool) -> str:
    """Return why the program cannot run here, or nothing."""
    if not is_terminal:
        return "there is no terminal; use `redraft read|edit|changes FILE`, or `ssh -t`"
    if environment.get("TERM", "") in ("", "dumb"):
        return "this terminal (TERM=dumb) cannot be drawn on; use `redraft read|edit|changes FILE`"
    return ""


def misuse_of(files: Sequence[Path], server: str, reach: Reach) -> str:
    """Return what is wrong with how the program was called, or nothing."""
    if reach == "service" and (files or not server):
        return "--reach service needs --server, and takes no files"
    missing = next((path for path in files if not path.is_file()), None)
    return "" if missing is None else f"there is no file {missing}"


def fitting_theme(environment: Mapping[str, str]) -> config.ThemeName:
    """Return the colours that fit the terminal."""
    if environment.get("NO_COLOR"):
        return "mono"
    term = environment.get("TERM", "")
    has_colours = "256" in term or environment.get("COLORTERM") in ("truecolor", "24bit")
    if has_colours or term in ("xterm-kitty", "alacritty", "foot", "xterm-ghostty"):
        return "light" if _is_light(environment) else "dark"
    return "mono" if COLOURLESS.fullmatch(term) else "ansi"


def needs_ascii(environment: Mapping[str, str], *, is_coerced: bool) -> bool:
    """Whether the terminal has no signs outside ASCII, by its name or by its locale.

    Where no locale is set nothing is known, and a terminal of today is taken for granted.

    Args:
        environment: Where TERM and the locale are.
        is_coerced: Whether Python itself put an LC_CTYPE in place of the locale C (PEP 538).
    """
    if SIGNLESS.fullmatch(environment.get("TERM", "")):
        return True
    names = ("LC_ALL", "LANG") if is_coerced else ("LC_ALL", "LC_CTYPE", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    return bool(locale) and "utf8" not in locale.lower().replace("-", "")


def _is_light(environment: Mapping[str, str]) -> bool:
    """Whether the terminal says (as rxvt and Konsole do) that its background is light."""
    return environment.get("COLORFGBG", "").rsplit(";", 1)[-1] in ("7", "15")


def _folder(kind: str) -> Path:
    folders = {
        "state": platformdirs.user_state_dir,
        "data": platformdirs.user_data_dir,
    }
    return Path(folders[kind]("redraft", appauthor=False))


def _sample() -> Path:
    """Return the sample contract, which is a file beside the code."""
    return Path(str(resources.files("redraft.tui") / "sample" / SAMPLE))
