"""`redraft completion bash|zsh|fish`: prints what a shell needs to complete the command line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence

from redraft.command_line import COMMANDS, FILE_COMMANDS, HELP
from redraft.file_arguments import document_parser

BASH = """\
# redraft completion bash > ~/.local/share/bash-completion/completions/redraft
_redraft() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} flags
    case ${{COMP_WORDS[1]}} in
{cases}
        *) flags="{flags}" ;;
    esac
    COMPREPLY=()
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$flags" -- "$word"))
        return
    fi
    if (( COMP_CWORD == 1 )); then
        COMPREPLY=($(compgen -W "{commands}" -- "$word"))
    fi
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -d -- "$word") $(compgen -f -X '!*.@(docx|pdf|DOCX|PDF)' -- "$word"))
}}
shopt -s extglob
complete -o filenames -F _redraft redraft
"""
ZSH = """\
#compdef redraft
# redraft completion zsh > a folder of $fpath, as _redraft
_redraft() {{
    local -a commands flags
    commands=({commands})
    case $words[2] in
{cases}
        *) flags=({flags}) ;;
    esac
    if [[ $PREFIX == -* ]]; then
        compadd -- $flags
        return
    fi
    (( CURRENT == 2 )) && compadd -- $commands
    _files -g '*.(docx|pdf|DOCX|PDF)'
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _redraft "$@"
else
    compdef _redraft redraft
fi
"""
FISH_HEAD = """\
# redraft completion fish > ~/.config/fish/completions/redraft.fish
complete -c redraft -f
complete -c redraft -a '(__fish_complete_suffix .docx; __fish_complete_suffix .pdf)'
"""


def completion(given: Sequence[str]) -> int:
    """Runs `redraft completion` and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="redraft completion",
        description="Print what a shell needs to complete commands, flags and the files that "
        "redraft opens; its first lines say where to put it.",
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    shell = parser.parse_args(given).shell
    sys.stdout.write(script(shell, flags_by_command()))
    return 0


def flags_by_command() -> dict[str, tuple[str, ...]]:
    """Returns the flags of each command, and under "" those of the terminal program."""
    flags: dict[str, tuple[str, ...]] = dict.fromkeys(COMMANDS, ())
    for name in FILE_COMMANDS:
        flags[name] = _flags_in(document_parser(name, []).format_help())
    return {**flags, "": _flags_in(HELP.partition("options:")[2])}


def _flags_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"(?<!\S)--[a-z][a-z-]+", text)))


def script(shell: str, flags: Mapping[str, Sequence[str]]) -> str:
    """Returns the script of a shell for the flags of each command, "" being none."""
    commands = [name for name in flags if name]
    if shell == "fish":
        return FISH_HEAD + "".join(_fish_lines(flags))
    template = BASH if shell == "bash" else ZSH
    opening, closing = ('"', '"') if shell == "bash" else ("(", ")")
    cases = "\n".join(
        f"        {name}) flags={opening}{' '.join(flags[name])}{closing} ;;" for name in commands
    )
    return template.format(cases=cases, flags=" ".join(flags[""]), commands=" ".join(commands))


def _fish_lines(flags: Mapping[str, Sequence[str]]) -> Sequence[str]:
    lines: list[str] = []
    for name, own in flags.items():
        when = f"__fish_seen_subcommand_from {name}" if name else "__fish_use_subcommand"
        if name:
            lines.append(f"complete -c redraft -n __fish_use_subcommand -a {name}\n")
        lines.extend(
            f"complete -c redraft -n '{when}' -l {flag.removeprefix('--')}\n"
            for flag in own
            if flag.startswith("--")
        )
    return lines
