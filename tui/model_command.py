"""`redraft model`: sets the language model up by questions or flags; shows, tries, forgets it."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Sequence

from redraft.tui import config, language_model
from redraft.tui.language_model import PROVIDERS, ModelChoice

DONE, FAILED, WRONG_USE = 0, 1, 2


def model(given: Sequence[str]) -> int:
    """Runs `redraft model` and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="redraft model",
        description="Set up the language model that plans edits; without an action and flags, by "
        "questions. It counts for `redraft` and `redraft edit` of this account; a service that "
        "others use too is set by its environment (docs/settings.md).",
    )
    parser.add_argument("action", nargs="?", choices=("show", "test", "off"))
    parser.add_argument("--address", metavar="URL", help="of a Chat Completions server")
    parser.add_argument("--model", metavar="NAME")
    parser.add_argument("--large-model", metavar="NAME", default="", help="for harder edits")
    parser.add_argument("--key-from", metavar="VARIABLE", help="a variable that holds the key")
    options = parser.parse_args(given)
    try:
        return _run(options)
    except (EOFError, KeyboardInterrupt):
        _say("nothing is set")
        return FAILED
    except config.ConfigurationError as error:
        _say(str(error))
        return WRONG_USE


def _run(options: argparse.Namespace) -> int:
    path = language_model.default_path()
    if options.action == "off":
        _say("forgotten" if language_model.forget(path) else "no language model was set up")
        return DONE
    if options.action is not None:
        return _show(language_model.load(path), is_tried=options.action == "test")
    if options.address or options.model:
        if not (options.address and options.model):
            _say("--address and --model go together")
            return WRONG_USE
        key = os.environ.get(options.key_from, "") if options.key_from else ""
        choice = ModelChoice(
            address=options.address, model=options.model, key=key, large_model=options.large_model
        )
        return _keep(choice)
    if not sys.stdin.isatty():
        _say("there is nobody to ask; use --address, --model and --key-from")
        return WRONG_USE
    return _keep(_asked())


def _show(choice: ModelChoice | None, *, is_tried: bool) -> int:
    if language_model.named_by(os.environ):
        names = ", ".join(name for name in language_model.VARIABLES if os.environ.get(name))
        _say(f"the environment names the model ({names}), and goes before what is set up here")
        if not is_tried:
            return DONE
    if choice is None:
        _say("no language model is set up; `redraft model` does it")
        return FAILED
    key = f"key ends in {choice.key[-4:]}" if choice.key else "no key"
    sys.stdout.write(f"{choice.model} at {choice.address} ({key})\n")
    return _tried(choice) if is_tried else DONE


def _keep(choice: ModelChoice) -> int:
    """Tries a model, and keeps it when it answers."""
    if _tried(choice) != DONE:
        return FAILED
    path = language_model.default_path()
    language_model.save(path, choice)
    _say(f"kept in {path}; a redraft that runs takes it at its next start")
    return DONE


def _tried(choice: ModelChoice) -> int:
    from redraft.tui.model_servers import ModelServerError, try_out

    _say(f"asking {choice.model} ...")
    try:
        asyncio.run(try_out(choice))
    except ModelServerError as error:
        _say(str(error))
        return FAILED
    _say(f"{choice.model} answers")
    return DONE


def _asked() -> ModelChoice:
    """Asks for server, key and model, one after the other."""
    from redraft.tui.model_servers import ModelServerError, local_servers, models_at

    near = asyncio.run(local_servers())
    lines = [f"{one.name} on this machine ({len(one.models)} models)" for one in near]
    lines += [provider.name for provider in PROVIDERS]
    lines.append("another address")
    at = _choice("Whose model?", lines)
    if at < len(near):
        server = near[at]
        chosen = _choice("Which model?", server.models)
        return ModelChoice(address=server.address, model=server.models[chosen])
    if at < len(lines) - 1:
        provider = PROVIDERS[at - len(near)]
        address = provider.address
        _say(f"keys are made at {provider.keys}")
    else:
        address = _line("Address (https://…/v1): ")
    key = getpass.getpass("Key (not shown; empty for none): ", sys.stderr).strip()
    try:
        names = asyncio.run(models_at(address, key))
    except ModelServerError as error:
        _say(str(error))
        names = ()
    if not names:
        return ModelChoice(address=address, key=key, model=_line("Name of the model: "))
    return ModelChoice(address=address, key=key, model=names[_choice("Which model?", names)])


def _choice(question: str, lines: Sequence[str]) -> int:
    for number, line in enumerate(lines, 1):
        sys.stderr.write(f"  {number}. {line}\n")
    while True:
        answer = _line(f"{question} (1-{len(lines)}) ")
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer) <= len(lines):
            return int(answer) - 1


def _line(question: str) -> str:
    """Returns what is typed in answer, which is never empty.

    Raises:
        EOFError: nothing more is typed.
    """
    while True:
        sys.stderr.write(question)
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if line.strip():
            return line.strip()


def _say(text: str) -> None:
    sys.stderr.write(f"redraft: {text}\n")
