"""The tests of the security list each fail when their measure is taken out.

Each line names a row of the list, the measure that `tests.interface.measures` takes out of a
service, and the test that must then fail.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from json import JSONDecodeError
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest

from redraft.api.auth.api_keys import Authenticator
from redraft.api.errors import UnauthenticatedError
from redraft.api.files.local import LocalFiles
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.sandbox import landlock
from redraft.api.sandbox import workers as api_workers
from redraft.api.sandbox.workers import WorkerProcesses
from tests.api import (
    test_api_keys,
    test_landlock,
    test_requirements,
    test_system_calls,
    test_workers,
)
from tests.api.builders import HeldClock
from tests.api.fake_engine import docx
from tests.interface import (
    test_hostile_files,
    test_hostile_models,
    test_http,
    test_security,
    test_starting_and_stopping,
)
from tests.interface.measures import TAKEN_OUT, unconfined
from tests.interface.requests import Gate
from tests.interface.server_process import OTHER_KEY, ServerProcess, upload, wait_for
from tests.interface.situations import SECURITY_ROWS
from tests.model_server import ModelServer

pytestmark = pytest.mark.process

ModelCheck: TypeAlias = Callable[[httpx.Client, test_hostile_models.Obedient], None]
FAILURES = (AssertionError, httpx.HTTPError, TimeoutError, KeyError, JSONDecodeError)
SOON = 3.0
"""Seconds to wait for what does not come."""
IN_THE_SERVICE: dict[str, Any] = {"workers": 0, "inspect_seconds": 120}
"""Files are opened in the process of the service, where the measure is out."""


@dataclass
class Stage:
    """What a test may ask for, without one measure."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    without: str
    started: list[ServerProcess] = field(default_factory=list[ServerProcess])

    def close(self) -> None:
        for opened in ("client", "other_client", "real_client"):
            if opened in vars(self):
                vars(self)[opened].close()
        for server in self.started:
            server.close()

    def launch(self, folder: str = "own", **settings: Any) -> ServerProcess:
        (self.folder / folder).mkdir(exist_ok=True)
        server = ServerProcess(self.folder / folder, staged=True, without=self.without, **settings)
        self.started.append(server)
        return server.start()

    @functools.cached_property
    def server(self) -> ServerProcess:
        return self.launch()

    @functools.cached_property
    def client(self) -> httpx.Client:
        return self.server.client()

    @functools.cached_property
    def other_client(self) -> httpx.Client:
        return self.server.client(OTHER_KEY)

    @functools.cached_property
    def real(self) -> ServerProcess:
        return self.launch(real_engine=True, **IN_THE_SERVICE)

    @functools.cached_property
    def real_client(self) -> httpx.Client:
        return self.real.client()

    @property
    def document(self) -> str:
        return upload(self.client, docx("hello world"))["docId"]

    def soon(self, module: Any) -> None:
        """Let a test give up sooner on what never comes."""
        self.monkeypatch.setattr(module, "wait_for", functools.partial(wait_for, seconds=SOON))


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: Line) -> Generator[Stage]:
    made = Stage(tmp_path, monkeypatch, line.without)
    yield made
    made.close()


def bomb(name: str) -> Callable[[Stage], None]:
    def check(stage: Stage) -> None:
        test = test_hostile_files.test_an_archive_that_is_a_bomb_or_ambiguous_is_refused
        test(stage.real, stage.real_client, name)

    return check


def doctype(stage: Stage) -> None:
    test = test_hostile_files.test_a_part_with_a_document_type_is_refused_and_no_entity_is_read
    test(stage.real, stage.real_client, stage.folder, "external entity", test_hostile_files.MAIN)


def member_name(stage: Stage) -> None:
    test = test_hostile_files.test_the_name_of_a_member_is_never_a_path
    test(stage.real, stage.real_client, "../outside.xml", 0)


def file_name(stage: Stage) -> None:
    test = test_http.test_file_names_are_kept_for_people_and_made_harmless
    test(stage.client, "../../etc/passwd.docx", "passwd.docx")


def macros(stage: Stage) -> None:
    test = test_hostile_files.test_a_file_is_what_its_content_says
    test(stage.real, stage.real_client, "a.docx", test_hostile_files.macros, "macro")


def externals(stage: Stage) -> None:
    test_hostile_files.test_no_target_outside_a_document_is_ever_fetched(stage.real_client)


def bad_pdf(data: Callable[[], bytes], word: str) -> Callable[[Stage], None]:
    def check(stage: Stage) -> None:
        test = test_hostile_files.test_a_pdf_that_cannot_be_accepted_is_refused
        test(stage.real, stage.real_client, data, word)

    return check


def active_pdf(stage: Stage) -> None:
    test_hostile_files.test_what_a_pdf_wants_to_run_is_never_run(stage.real, stage.real_client)


def modelled(check: ModelCheck) -> Callable[[Stage], None]:
    def with_model(stage: Stage) -> None:
        model = test_hostile_models.Obedient()
        with ModelServer(model) as host:
            variables = {
                "OPENAI_BASE_URL": host.address,
                "OPENAI_API_KEY": test_hostile_models.MODEL_KEY,
                "REDRAFT_MODEL": "obedient",
            }
            server = stage.launch(real_engine=True, variables=variables, **IN_THE_SERVICE)
            with server.client() as client:
                check(client, model)

    return with_model


def no_word(client: httpx.Client, model: test_hostile_models.Obedient) -> None:
    operation: dict[str, object] = {
        "op": "insert_field",
        "block": "p1",
        "code": "INCLUDETEXT /etc/passwd",
    }
    test = test_hostile_models.test_what_a_plan_has_no_word_for_is_refused_and_the_document_stays
    test(client, model, operation)


def author(client: httpx.Client, model: test_hostile_models.Obedient) -> None:
    test = test_hostile_models.test_an_author_or_date_in_a_plan_is_not_the_one_of_the_change
    test(client, model)


def everything_deleted(client: httpx.Client, model: test_hostile_models.Obedient) -> None:
    operation: dict[str, object] = {"op": "delete_blocks", "first": "p1", "last": "p12"}
    test = test_hostile_models.test_what_the_document_asks_for_and_the_person_does_not_is_not_done
    test(client, model, operation, "delete 12 of")


def running_link(client: httpx.Client, model: test_hostile_models.Obedient) -> None:
    address = "javascript:alert(1)"
    operation: dict[str, object] = {
        "op": "set_link",
        "block": "p1",
        "find": "forty",
        "url": address,
    }
    test = test_hostile_models.test_what_the_document_asks_for_and_the_person_does_not_is_not_done
    test(client, model, operation, "http, https, mailto or a #bookmark")


def secrets(client: httpx.Client, model: test_hostile_models.Obedient) -> None:
    test_hostile_models.test_a_model_sees_neither_keys_nor_other_documents(client, model)


def redirected(stage: Stage) -> None:
    def started(folder: Path, address: str) -> ServerProcess:
        del folder
        variables = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "k", "REDRAFT_MODEL": "m"}
        return stage.launch(real_engine=True, variables=variables, **IN_THE_SERVICE)

    stage.monkeypatch.setattr(test_hostile_models, "started", started)
    test = test_hostile_models.test_a_model_host_that_sends_us_elsewhere_is_not_followed
    test(stage.folder, 307)


def one_header(stage: Stage) -> None:
    test = test_http.test_a_file_name_that_would_be_more_stays_one_header_with_one_name
    test(stage.server, b"a\nX-Evil: 1.docx")


def hashed_keys(stage: Stage) -> None:
    test_security.test_no_secret_of_a_key_is_in_the_data_folder(stage.launch)


def ended_keys(stage: Stage) -> None:
    test = test_security.test_keys_are_created_listed_rotated_and_revoked_while_the_service_runs
    test(stage.launch)


def same_work(stage: Stage) -> None:
    whole = Authenticator._from_database  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    async def hasty(self: Authenticator, text: str, digest: str) -> object:
        if text.startswith("rd_000000000000_"):
            raise UnauthenticatedError
        return await whole(self, text, digest)

    stage.monkeypatch.setattr(Authenticator, "_from_database", hasty)

    async def check() -> None:
        metadata = await SqliteMetadata.open(stage.folder / "test.sqlite")
        try:
            test = test_api_keys.test_a_wrong_secret_is_as_much_work_as_an_unknown_key
            await test(metadata, HeldClock(), stage.monkeypatch, "0")
        finally:
            await metadata.close()

    asyncio.run(check())


def rotation(stage: Stage) -> None:
    test = test_security.test_a_rotated_signing_key_still_verifies_what_it_signed_for_a_day
    test(stage.launch)


def tampering(stage: Stage) -> None:
    test_security.test_a_link_that_was_tampered_with_is_403(
        stage.client, stage.document, "later exp", None
    )


def other_owner(stage: Stage) -> None:
    test = test_security.test_another_keys_document_looks_unknown_but_for_the_presigned_url
    test(stage.client, stage.other_client, stage.document)


def logs(stage: Stage) -> None:
    test = test_security.test_nothing_of_a_document_or_a_key_is_in_the_log_or_the_metrics
    test(stage.launch, "json")


def key_first(stage: Stage) -> None:
    stage.monkeypatch.setattr(test_http, "raw", functools.partial(test_http.raw, seconds=SOON))
    test_http.test_the_401_comes_before_the_body_has_been_sent(stage.server)


def slow_body(stage: Stage) -> None:
    stage.monkeypatch.setattr(test_http, "raw", functools.partial(test_http.raw, seconds=SOON))
    test_http.test_a_body_that_does_not_arrive_is_408(stage.launch)


def half_open(stage: Stage) -> None:
    def launch(**settings: Any) -> ServerProcess:
        return stage.launch(connection_limit=50, **settings)

    test_security.test_slow_connections_do_not_hold_up_the_others(launch)


def confined(stage: Stage) -> None:
    test_security.test_a_worker_sees_no_secret_and_has_limits(stage.launch)


def apart(stage: Stage) -> None:
    def launch(**settings: Any) -> ServerProcess:
        settings["workers"] = 0
        return stage.launch(**settings)

    test_security.test_a_worker_that_dies_fails_only_its_call(launch)


def spinning(stage: Stage) -> None:
    stage.monkeypatch.setattr(test_security, "SPINNING", 2)
    test_security.test_a_call_that_spins_is_stopped_at_its_limit(stage.launch)


def network(stage: Stage) -> None:
    if not test_workers.is_filtered():
        pytest.skip("the numbers of this processor are not known")
    stage.monkeypatch.setattr(api_workers, "confine", unconfined)
    asyncio.run(test_workers.test_a_worker_reaches_no_network())


def neighbours(stage: Stage) -> None:
    if landlock.landlock_version() < 1:
        pytest.skip("this kernel has no landlock")
    stage.monkeypatch.setattr(api_workers, "confine", unconfined)
    asyncio.run(test_workers.test_a_worker_gets_into_no_other_process())


async def _seeing(folder: Path) -> None:
    files = LocalFiles(folder / "data")
    files.prepare()
    pool = WorkerProcesses(1, 0, files.worker_folders)
    await pool.start()
    try:
        await test_landlock.test_a_worker_reads_its_document_writes_its_result_and_no_other_file(
            files, pool, folder
        )
    finally:
        await pool.stop()


def other_files(stage: Stage) -> None:
    if landlock.landlock_version() < 1:
        pytest.skip("this kernel has no landlock")
    stage.monkeypatch.setattr(api_workers, "confine", unconfined)
    asyncio.run(_seeing(stage.folder))


def hidden(stage: Stage) -> None:
    shown = [part.replace(test_system_calls.HIDDEN, "pass") for part in test_system_calls.WAITING]
    test = test_system_calls.test_what_holds_keys_shows_its_environment_to_no_process_of_its_user
    test(shown, stage.folder)


def full_disk(stage: Stage) -> None:
    test_security.test_a_full_disk_is_507_and_harms_no_document(stage.launch, stage.folder)


def quotas(stage: Stage) -> None:
    test_http.test_quotas_per_key_are_429(stage.launch, Gate(stage.folder / "gate"))


def rate(stage: Stage) -> None:
    test = test_http.test_the_rate_limit_counts_per_key_and_says_where_it_stands
    test(stage.launch)


def text_after_expiry(stage: Stage) -> None:
    stage.soon(test_security)
    test_security.test_expired_text_is_gone_from_every_byte_of_the_data_folder(stage.launch)


def open_without_key(stage: Stage) -> None:
    # It would serve the whole network: it ends where it would begin to.
    command = (
        "import sys; import redraft.api.serve; from redraft.api.admin.commands import serve; "
        "from tests.interface.measures import take_out; take_out('anybody may be let in'); "
        "redraft.api.serve.running = lambda *_: sys.exit(0); sys.exit(serve(sys.argv[1:]))"
    )
    stage.monkeypatch.setattr(test_starting_and_stopping, "COMMAND", command)
    test = test_starting_and_stopping.test_a_wrong_set_up_is_refused_with_a_sentence_and_exit_code_2
    everywhere = ["--host", test_starting_and_stopping.EVERYWHERE, "--port", "0"]
    test(stage.folder, everywhere, {}, "there is no API key, and 0.0.0.0 is reachable")


def lock_file(stage: Stage) -> None:
    lax = stage.folder / "requirements.lock"
    lines = test_requirements.LOCK.read_text("utf-8").splitlines(keepends=True)
    # The hashes of the first package go.
    first = [number for number, line in enumerate(lines) if "==" in line][:2]
    lax.write_text("".join(lines[: first[0] + 1] + lines[first[1] :]))
    stage.monkeypatch.setattr(test_requirements, "LOCK", lax)
    test_requirements.test_every_package_is_locked_to_a_version_and_to_its_files()


@dataclass(frozen=True)
class Line:
    """A row of the security list, what is taken out of it, and the test that fails then.

    `hint` tells lines of one measure apart, or says what the check itself takes out.
    """

    row: str
    without: str
    check: Callable[[Stage], None]
    hint: str = ""

    @property
    def name(self) -> str:
        return ", ".join(part for part in (self.row, self.without, self.hint) if part)


LOCKED, LONG = test_hostile_files.locked_pdf, test_hostile_files.long_pdf
LINES = (
    Line("zip bomb", "archives have no limits", bomb("ratio"), "ratio"),
    Line("zip bomb", "archives have no limits", bomb("count"), "count"),
    Line("zip bomb", "a member is as long as it says", bomb("lying header")),
    Line("entities", "document types are read", doctype),
    Line("path traversal", "members are unpacked", member_name),
    Line("path traversal", "names are taken as given", file_name),
    Line("type confusion", "any main part will do", macros),
    Line("external relationships", "targets are fetched", externals),
    Line(
        "fields and chunks from a model",
        "unknown operations are made something of",
        modelled(no_word),
    ),
    Line("active content of a PDF", "any pdf will do", bad_pdf(LOCKED, "password"), "locked"),
    Line("active content of a PDF", "any pdf will do", bad_pdf(LONG, "2,000"), "long"),
    Line("active content of a PDF", "programs are run", active_pdf),
    Line("prompt injection", "a plan names its author", modelled(author)),
    Line("prompt injection", "far reaching plans are carried out", modelled(everything_deleted)),
    Line("prompt injection", "links lead anywhere", modelled(running_link)),
    Line("prompt injection", "the model is told which document", modelled(secrets)),
    Line("address of the model", "redirects are followed", redirected),
    Line("header injection", "names stand in headers as given", one_header),
    Line("keys", "keys are kept as they are", hashed_keys),
    Line("keys", "keys never end", ended_keys),
    Line("keys", "", same_work, "unknown keys are refused at once"),
    Line("signing keys", "only the newest key signs", rotation),
    Line("signing keys", "signatures are not compared", tampering),
    Line("403 or 404", "everybody sees everything", other_owner),
    Line("logs", "the log says what was asked", logs),
    Line("body before key", "bodies are read first", key_first),
    Line("slow clients", "bodies may take for ever", slow_body),
    Line("slow clients", "no connection makes room for another", half_open),
    Line("workers", "workers are not confined", confined),
    Line("workers", "workers inherit the environment", confined),
    Line("workers", "calls may take for ever", spinning),
    Line("workers", "", apart, "in the process of the service"),
    Line("workers", "", network, "with a network"),
    Line("workers", "", neighbours, "with a way into others"),
    Line("workers", "", other_files, "with all files of their user"),
    Line("workers", "", hidden, "beside a service that hides nothing"),
    Line("disk full", "the disk is never full", full_disk),
    Line("quotas", "keys hold what they like", quotas),
    Line("quotas", "requests are not counted", rate),
    Line("text after expiry", "traces are left", text_after_expiry),
    Line("text after expiry", "deleted rows are not overwritten", text_after_expiry),
    Line("default binding", "", open_without_key, "anybody may be let in"),
    Line("supply chain", "", lock_file, "a package without its hash"),
)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.name)
def test_a_test_of_the_security_list_fails_without_its_measure(stage: Stage, line: Line) -> None:
    with pytest.raises(FAILURES) as raised:
        line.check(stage)
    # Not because there was nothing to ask.
    assert "did not start" not in str(raised.value)


def test_every_row_of_the_security_list_is_shown_without_its_measure() -> None:
    assert {line.row for line in LINES} == set(SECURITY_ROWS)


def test_every_measure_that_can_be_taken_out_is() -> None:
    assert {line.without for line in LINES} - {""} == TAKEN_OUT.keys() - {"anybody may be let in"}
