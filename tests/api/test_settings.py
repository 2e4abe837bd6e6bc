from __future__ import annotations

from pathlib import Path

import pytest

from api.command import shown
from api.settings import NAMES, SettingError, load, located, variable


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
