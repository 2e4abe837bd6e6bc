from __future__ import annotations

from pathlib import Path

import pytest

from redraft.api.admin.commands import shown
from redraft.api.settings import NAMES, SettingError, load, located, variable


def test_flags_win_over_variables_and_variables_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "redraft.toml"
    file.write_text('port = 1\nhost = "::1"\nworkers = 3\napi_keys = ["a", "b"]\n')
    settings = load({"REDRAFT_PORT": "2", "REDRAFT_HOST": "localhost"}, {"port": "3"}, file)
    assert (settings.port, settings.host, settings.workers) == (3, "localhost", 3)
    assert settings.api_keys == ("a", "b")


def test_lists_are_written_with_commas() -> None:
    settings = load({"REDRAFT_API_KEYS": " one, two ,,"}, {})
    assert settings.api_keys == ("one", "two")


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"REDRAFT_PORT": "many"}, "REDRAFT_PORT"),
        ({"REDRAFT_PORT": "70000"}, "REDRAFT_PORT"),
        ({"REDRAFT_WORKERS": "-1"}, "REDRAFT_WORKERS"),
        ({"REDRAFT_DURABILITY": "perhaps"}, "REDRAFT_DURABILITY"),
        ({"REDRAFT_DATA_DIR": ""}, "REDRAFT_DATA_DIR"),
        ({"REDRAFT_CORS_ORIGINS": "https://a.example,*"}, "REDRAFT_CORS_ORIGINS"),
        ({"REDRAFT_INPUT_PRICE": "cheap"}, "REDRAFT_INPUT_PRICE"),
        ({"REDRAFT_INPUT_PRICE": "0.4,model=-1"}, "REDRAFT_INPUT_PRICE"),
        ({"REDRAFT_OUTPUT_PRICE": "nan"}, "REDRAFT_OUTPUT_PRICE"),
        ({"REDRAFT_CACHED_PRICE": "0.1,=,"}, "REDRAFT_CACHED_PRICE"),
    ],
)
def test_a_wrong_value_names_its_variable(variables: dict[str, str], named: str) -> None:
    with pytest.raises(SettingError, match=named):
        load(variables, {})


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "many", "REDRAFT_PORT is wrong: it must be a whole number"),
        ("PORT", "", "REDRAFT_PORT is wrong: it must be a whole number"),
        ("QUEUE_LIMIT", "1.5", "REDRAFT_QUEUE_LIMIT is wrong: it must be a whole number"),
        ("EDIT_SECONDS", "soon", "REDRAFT_EDIT_SECONDS is wrong: it must be a number"),
        ("DURABILITY", "perhaps", "REDRAFT_DURABILITY is wrong: it must be one of full, normal"),
        ("LOG_FORMAT", "xml", "REDRAFT_LOG_FORMAT is wrong: it must be one of console, json"),
        ("HOST", "", "REDRAFT_HOST must be an address, such as 127.0.0.1"),
        ("HOST", " ", "REDRAFT_HOST must be an address, such as 127.0.0.1"),
        ("WORKERS", "100000", "REDRAFT_WORKERS must be from 0 to 256"),
        ("WORKER_MEMORY_MB", "1", "REDRAFT_WORKER_MEMORY_MB must be at least 256, or 0 for no"),
        ("PUBLIC_URL", "docs.example", "REDRAFT_PUBLIC_URL must be an address that begins with"),
        ("PUBLIC_URL", "ftp://a.example", "REDRAFT_PUBLIC_URL must be an address that begins with"),
        ("PUBLIC_URL", "https://", "REDRAFT_PUBLIC_URL must be an address that begins with"),
        ("PUBLIC_URL", "http://[::1", "REDRAFT_PUBLIC_URL must be an address that begins with"),
        ("CORS_ORIGINS", "a.example", "REDRAFT_CORS_ORIGINS must be origins such as https://"),
        ("CORS_ORIGINS", "https://a.example/x", "REDRAFT_CORS_ORIGINS must be origins such as"),
        ("INSPECT_SECONDS", "0", "REDRAFT_INSPECT_SECONDS must be a number of seconds above 0"),
        ("READ_SECONDS", "nan", "REDRAFT_READ_SECONDS must be a number of seconds above 0"),
        ("EDIT_SECONDS", "inf", "REDRAFT_EDIT_SECONDS must be a number of seconds above 0"),
        ("BODY_SECONDS", "-1", "REDRAFT_BODY_SECONDS must be a number of seconds above 0"),
        ("SWEEP_SECONDS", "0", "REDRAFT_SWEEP_SECONDS must be a number of seconds above 0"),
        ("DRAIN_SECONDS", "inf", "REDRAFT_DRAIN_SECONDS must be a number of seconds, or 0"),
        ("DRAIN_SECONDS", "nan", "REDRAFT_DRAIN_SECONDS must be a number of seconds, or 0"),
        ("PROTECTED", "maybe", "REDRAFT_PROTECTED must be edit or refuse"),
        ("SIGNED", "yes", "REDRAFT_SIGNED must be edit or refuse"),
        ("PROT", "1", "there is no setting REDRAFT_PROT; did you mean REDRAFT_PORT?"),
        ("API_KEY", "secret", "there is no setting REDRAFT_API_KEY; did you mean REDRAFT_API_KEYS"),
    ],
)
def test_a_wrong_value_is_told_with_what_would_be_right(
    name: str, value: str, sentence: str
) -> None:
    with pytest.raises(SettingError) as raised:
        load({f"REDRAFT_{name}": value}, {})
    assert str(raised.value).startswith(sentence)
    assert "secret" not in str(raised.value)


def test_the_address_of_a_model_that_is_none_is_told() -> None:
    with pytest.raises(SettingError, match="OPENAI_BASE_URL must be an address that begins with"):
        load({"OPENAI_BASE_URL": "localhost:8000/v1"}, {})


@pytest.mark.parametrize(
    "variables",
    [
        {"REDRAFT_DRAIN_SECONDS": "0"},
        {"REDRAFT_PUBLIC_URL": "https://docs.example:8443/redraft"},
        {"REDRAFT_PUBLIC_URL": ""},
        {"REDRAFT_CORS_ORIGINS": "http://localhost:3000, https://a.example"},
        {"REDRAFT_PROTECTED": "refuse", "REDRAFT_SIGNED": "edit", "OPENAI_BASE_URL": ""},
        {"OPENAI_BASE_URL": "http://127.0.0.1:8000/v1"},
        {"REDRAFT_KEY": "k", "REDRAFT_KEY_BOB": "k", "REDRAFT_MODEL": "m", "REDRAFT_CORPUS": "/c"},
    ],
)
def test_a_right_value_is_taken(variables: dict[str, str]) -> None:
    assert load(variables, {}).port == 8765


def test_an_unknown_name_in_the_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "redraft.toml"
    file.write_text("prot = 1\n")
    with pytest.raises(SettingError, match="prot"):
        load({}, {}, file)


def test_shown_settings_say_where_they_come_from_and_leave_out_the_keys(tmp_path: Path) -> None:
    file = tmp_path / "redraft.toml"
    file.write_text('workers = 3\nport = 1\ncors_origins = ["https://a.example"]\n')
    variables = {"REDRAFT_API_KEYS": "secret-one,secret-two", "REDRAFT_PORT": "2"}
    lines = shown(*located(variables, {"port": "3", "host": None}, file)).splitlines()
    assert "secret" not in "".join(lines)
    assert {
        "REDRAFT_API_KEYS=(2 keys, not shown)\tREDRAFT_API_KEYS",
        "REDRAFT_PORT=3\t--port",
        f"REDRAFT_WORKERS=3\t{file}",
        f"REDRAFT_CORS_ORIGINS=https://a.example\t{file}",
        "REDRAFT_HOST=127.0.0.1\tdefault",
    } <= set(lines)
    assert [line.split("=")[0] for line in lines] == [variable(name) for name in NAMES]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_loopback_is_told_apart(host: str) -> None:
    assert load({"REDRAFT_HOST": host}, {}).is_loopback
    assert not load({"REDRAFT_HOST": "192.0.2.1"}, {}).is_loopback
