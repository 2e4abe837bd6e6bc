"""The tables of what the service promises, and by which tests each row is proven.

`python -m tests.interface.situations` writes them to `docs/situations.md`; a test compares. Rows
are named after the situation; a test that is renamed or lost makes its row fail.
"""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "situations.md"
OPERATIONS, SITUATIONS = "interface/test_edit_operations", "interface/test_situations"
HTTP, SECURITY = "interface/test_http", "interface/test_security"
STOPPING = "interface/test_starting_and_stopping"
HOSTILE, MODELS = "interface/test_hostile_files", "interface/test_hostile_models"
AUTH, PARTS, WORKERS = "api/test_api_keys", "api/test_context", "api/test_workers"
CONNECTION, LANDLOCK = "interface/test_connection", "api/test_landlock"
SYSTEM_CALLS = "api/test_system_calls"
EXPIRY, SERVICE = "api/test_expiry", "api/test_service"
DEPLOY, REQUIREMENTS = "api/test_deploy", "api/test_requirements"
Rows = dict[str, tuple[str, ...]]


def rows(module: str, *tests: str) -> tuple[str, ...]:
    return tuple(f"{module}.py::test_{test}" for test in tests)


OPERATION_ROWS: Rows = {
    "edit succeeds": rows(
        OPERATIONS,
        "an_edit_that_succeeds_answers_the_five_fields_and_makes_a_version",
        "a_successful_edit_refreshes_the_ttl",
    ),
    "the model decides that nothing must change": rows(
        OPERATIONS, "an_edit_that_changes_nothing_says_why_and_leaves_the_ttl"
    ),
    "target text not found": rows(
        OPERATIONS, "a_text_that_is_not_found_is_the_500_of_the_contract_and_final"
    ),
    "edit fails half-way: worker dies, model out of reach, disk full, invalid plan": (
        *rows(OPERATIONS, "an_edit_that_fails_by_accident_is_not_final"),
        *rows(SITUATIONS, "an_edit_that_fails_half_way_leaves_no_file_and_may_be_tried_again"),
        *rows(SECURITY, "a_full_disk_is_507_and_harms_no_document"),
    ),
    "300 s since receipt, still queued": rows(
        OPERATIONS, "300_seconds_in_the_queue_is_408_and_the_edit_never_runs"
    ),
    "300 s since receipt, running": (
        *rows(
            OPERATIONS,
            "300_seconds_while_running_is_408_and_stops_the_worker",
            "a_read_of_300_seconds_is_the_408_of_the_contract",
        ),
        *rows(STOPPING, "300_seconds_since_receipt_count_across_a_restart"),
    ),
    "result ready in the instant of the deadline": rows(
        SITUATIONS, "a_result_in_the_instant_of_the_deadline_is_one_of_the_two_and_never_both"
    ),
    "client disconnects while its operation runs": rows(
        OPERATIONS, "a_client_that_hangs_up_changes_nothing"
    ),
    "client disconnects while its operation waits": rows(
        SITUATIONS, "a_client_that_hangs_up_while_it_waits_in_the_queue_changes_nothing"
    ),
    "replay: same uid, same body, finished": rows(
        OPERATIONS,
        "a_replay_of_a_finished_edit_answers_the_same_and_does_nothing",
        "a_replay_of_an_edit_that_changed_nothing_answers_the_same",
        "a_replay_takes_no_place_in_the_queue",
    ),
    "replay: same uid, same body, queued or running": rows(
        OPERATIONS, "a_replay_of_a_running_edit_joins_it"
    ),
    "replay: same uid, same body, outcome not final": (
        *rows(OPERATIONS, "a_408_may_be_tried_again_with_the_same_uid"),
        *rows(
            SITUATIONS,
            "what_is_tried_again_runs_at_the_end_of_the_queue_and_both_tries_are_in_the_history",
        ),
    ),
    "same uid, other body": rows(OPERATIONS, "the_same_uid_with_another_body_is_422"),
    "same uid on another document, or of another kind": rows(
        OPERATIONS, "a_uid_is_told_apart_by_document_and_kind"
    ),
    "replay of a read": (
        *rows(OPERATIONS, "a_repeated_read_reads_again_and_shows_later_edits"),
        *rows(
            SITUATIONS,
            "a_read_in_flight_is_joined",
            "the_markdown_of_a_version_is_kept_beside_its_file_and_shared_by_its_reads",
        ),
    ),
    "replay after expiry or deletion": rows(
        OPERATIONS, "after_its_end_a_document_is_404_everywhere_and_its_replays_too"
    ),
    "time runs out while an operation runs": rows(
        OPERATIONS, "a_document_lives_until_the_edit_that_runs_on_it_ends"
    ),
    "time runs out while an operation waits": (
        *rows(
            OPERATIONS,
            "a_document_ends_when_the_edit_that_outlived_it_fails_and_the_queue_gets_404",
        ),
        *rows(SITUATIONS, "what_waits_when_its_document_expires_is_404_and_never_runs"),
    ),
    "request after the document's time is over, nothing running": (
        *rows(SITUATIONS, "a_document_is_404_from_the_moment_it_expires_without_any_sweep"),
        *rows(OPERATIONS, "expired_files_and_rows_are_gone_after_a_sweep"),
    ),
    "kill -9 or power cut in mid-edit": rows(
        STOPPING,
        "after_kill_9_the_running_edit_is_run_again_and_a_replay_joins_it",
        "an_acknowledged_edit_survives_kill_9_and_is_applied_once",
        "work_that_kills_the_service_is_given_up_after_two_attempts",
    ),
    "orderly stop (SIGTERM)": rows(
        STOPPING,
        "an_orderly_stop_lets_the_running_edit_end_and_keeps_the_queue",
        "an_edit_that_outlasts_the_drain_is_put_back_and_run_at_the_next_start",
    ),
    "two server processes on one data folder": rows(
        STOPPING, "a_second_process_on_the_same_folder_refuses_to_start"
    ),
    "order of operations on one document": (
        *rows(OPERATIONS, "operations_of_one_document_run_in_the_order_received"),
        *rows(SITUATIONS, "the_history_is_in_the_order_received"),
    ),
    "queue of a document is full": rows(
        OPERATIONS, "a_queue_longer_than_64_is_429_with_retry_after"
    ),
    "operations of a key over the limit": rows(HTTP, "quotas_per_key_are_429"),
    "clock jumps back": (
        *rows(OPERATIONS, "a_clock_that_jumps_back_revives_nothing"),
        *rows(SITUATIONS, "a_clock_that_jumps_back_over_a_restart_revives_nothing"),
    ),
    "clock jumps forward": rows(
        SITUATIONS, "a_clock_that_jumps_forward_expires_early_and_is_logged"
    ),
    "upload interrupted": rows(
        SITUATIONS,
        "an_upload_that_is_cut_in_mid_body_leaves_nothing",
        "an_upload_that_is_under_way_when_the_service_is_killed_leaves_nothing",
    ),
    "upload refused": rows(SITUATIONS, "an_upload_that_is_refused_leaves_nothing"),
    "upload, disk full": rows(SECURITY, "a_full_disk_is_507_and_harms_no_document"),
    "upload repeated": rows(OPERATIONS, "an_upload_that_is_repeated_is_a_new_document"),
    "delete": rows(OPERATIONS, "deleting_waits_its_turn_and_is_404_afterwards"),
    "presigned URL of a document that is gone": rows(
        SECURITY, "a_link_to_a_document_that_is_gone_is_404"
    ),
    "presigned URL that has expired or was forged": rows(
        SECURITY,
        "a_link_works_without_a_key_until_it_expires",
        "a_link_that_was_tampered_with_is_403",
    ),
    "expiresIn longer than the document's remaining time": rows(
        SECURITY, "a_link_to_a_document_that_is_gone_is_404"
    ),
    "HEAD, Range, ETag and caching of both downloads": rows(
        HTTP,
        "head_answers_like_get_without_a_body",
        "ranges_of_a_download",
        "the_etag_changes_with_the_content",
        "answers_are_not_kept_by_caches",
    ),
    "a worker dies while it has nothing to do": rows(
        WORKERS, "workers_that_die_while_nothing_runs_are_followed_by_others"
    ),
    "a sweep fails": rows(EXPIRY, "a_sweep_that_fails_is_followed_by_others"),
    "time of work and time in the queue": rows(
        OPERATIONS, "time_in_the_queue_is_told_apart_from_time_of_work"
    ),
}
HTTP_ROWS: Rows = {
    "success codes": rows(HTTP, "everything_that_succeeds_is_200"),
    "error body": (
        *rows(HTTP, "every_error_body_is_detail_and_only_that"),
        *rows(
            CONNECTION,
            "what_is_not_http_is_400_in_the_form_of_every_error",
            "one_connection_too_many_is_503_in_the_form_of_every_error",
        ),
    ),
    "body that is no JSON object, or no form": rows(
        HTTP,
        "a_body_that_is_no_json_object_is_told_so",
        "an_upload_that_is_no_form_is_told_so",
        "the_type_a_body_is_said_to_have_does_not_matter",
    ),
    "disk that cannot be written": rows(
        SERVICE,
        "an_upload_that_cannot_be_kept_says_why",
        "an_upload_stands_although_its_markdown_cannot_be_kept",
        "a_copy_that_cannot_be_kept_is_the_500_of_the_contract",
        "changes_that_cannot_be_listed_say_why",
    ),
    "body validation": rows(
        HTTP,
        "a_field_that_is_missing_or_wrong_is_422_and_named",
        "a_form_field_that_is_wrong_is_422_and_named",
    ),
    "malformed id": rows(HTTP, "a_malformed_or_unknown_id_is_the_endpoints_own_404"),
    "no file part": rows(HTTP, "a_missing_file_part_is_422"),
    "10MB": rows(
        HTTP,
        "a_file_of_exactly_10_mebibytes_is_accepted_and_one_byte_more_is_413",
        "a_chunked_upload_is_cut_off_at_the_same_size",
    ),
    "many parts": rows(HTTP, "a_form_of_many_parts_is_refused"),
    "key before body": rows(
        HTTP,
        "every_endpoint_without_a_right_key_is_401",
        "the_401_comes_before_the_body_has_been_sent",
    ),
    "HEAD": rows(HTTP, "head_answers_like_get_without_a_body"),
    "Range": rows(HTTP, "ranges_of_a_download", "a_range_of_another_version_gets_the_whole"),
    "file name out": rows(
        HTTP,
        "a_download_names_the_file_in_both_forms",
        "a_file_name_that_would_be_more_stays_one_header_with_one_name",
    ),
    "file name in": rows(HTTP, "file_names_are_kept_for_people_and_made_harmless"),
    "500": rows(SITUATIONS, "an_edit_that_fails_half_way_leaves_no_file_and_may_be_tried_again"),
    "client hangs up": rows(OPERATIONS, "a_client_that_hangs_up_changes_nothing"),
    "CORS": rows(HTTP, "cors_is_off_unless_origins_are_set"),
    "request id": rows(HTTP, "a_request_id_is_taken_over_or_made"),
    "rate limit": rows(HTTP, "the_rate_limit_counts_per_key_and_says_where_it_stands"),
}
SECURITY_ROWS: Rows = {
    "zip bomb": rows(
        HOSTILE,
        "an_archive_that_is_a_bomb_or_ambiguous_is_refused",
        "an_archive_within_an_archive_is_never_opened",
    ),
    "entities": rows(HOSTILE, "a_part_with_a_document_type_is_refused_and_no_entity_is_read"),
    "path traversal": (
        *rows(HOSTILE, "the_name_of_a_member_is_never_a_path"),
        *rows(HTTP, "file_names_are_kept_for_people_and_made_harmless"),
    ),
    "type confusion": rows(HOSTILE, "a_file_is_what_its_content_says"),
    "external relationships": rows(HOSTILE, "no_target_outside_a_document_is_ever_fetched"),
    "fields and chunks from a model": rows(
        MODELS, "what_a_plan_has_no_word_for_is_refused_and_the_document_stays"
    ),
    "active content of a PDF": rows(
        HOSTILE,
        "a_pdf_that_cannot_be_accepted_is_refused",
        "what_a_pdf_wants_to_run_is_never_run",
    ),
    "prompt injection": rows(
        MODELS,
        "an_author_or_date_in_a_plan_is_not_the_one_of_the_change",
        "a_link_in_a_plan_that_runs_something_makes_no_relationship",
        "what_the_document_asks_for_and_the_person_does_not_is_not_done",
        "a_model_sees_neither_keys_nor_other_documents",
    ),
    "address of the model": rows(MODELS, "a_model_host_that_sends_us_elsewhere_is_not_followed"),
    "header injection": rows(HTTP, "a_file_name_that_would_be_more_stays_one_header_with_one_name"),
    "keys": rows(
        SECURITY,
        "no_secret_of_a_key_is_in_the_data_folder",
        "keys_are_created_listed_rotated_and_revoked_while_the_service_runs",
    )
    + rows(AUTH, "a_wrong_secret_is_as_much_work_as_an_unknown_key"),
    "signing keys": rows(SECURITY, "a_rotated_signing_key_still_verifies_what_it_signed_for_a_day"),
    "403 or 404": rows(
        SECURITY,
        "another_keys_document_looks_unknown_but_for_the_presigned_url",
    )
    + rows(PARTS, "another_keys_document_is_as_much_work_as_an_unknown_one"),
    "logs": rows(SECURITY, "nothing_of_a_document_or_a_key_is_in_the_log_or_the_metrics"),
    "body before key": rows(HTTP, "the_401_comes_before_the_body_has_been_sent"),
    "slow clients": (
        *rows(SECURITY, "slow_connections_do_not_hold_up_the_others"),
        *rows(HTTP, "a_body_that_does_not_arrive_is_408"),
        *rows(DEPLOY, "the_proxy_cuts_off_slow_headers_and_waits_for_edits"),
    ),
    "workers": rows(
        SECURITY,
        "a_worker_sees_no_secret_and_has_limits",
        "a_worker_that_dies_fails_only_its_call",
        "a_call_that_spins_is_stopped_at_its_limit",
    )
    + rows(WORKERS, "a_worker_reaches_no_network", "a_worker_gets_into_no_other_process")
    + rows(
        LANDLOCK,
        "a_worker_reads_its_document_writes_its_result_and_no_other_file",
        "where_there_is_no_such_room_workers_work_and_the_log_says_so",
    )
    + rows(SYSTEM_CALLS, "what_holds_keys_shows_its_environment_to_no_process_of_its_user"),
    "disk full": rows(SECURITY, "a_full_disk_is_507_and_harms_no_document"),
    "quotas": rows(
        HTTP, "quotas_per_key_are_429", "the_rate_limit_counts_per_key_and_says_where_it_stands"
    ),
    "text after expiry": rows(SECURITY, "expired_text_is_gone_from_every_byte_of_the_data_folder"),
    "default binding": rows(
        STOPPING,
        "a_wrong_set_up_is_refused_with_a_sentence_and_exit_code_2",
        "the_first_start_makes_a_key_in_a_file_that_only_its_owner_reads",
    ),
    "supply chain": rows(
        REQUIREMENTS,
        "every_package_is_locked_to_a_version_and_to_its_files",
        "the_lock_names_no_place_to_fetch_from",
    ),
}
TABLES: dict[str, Rows] = {
    "Operations": OPERATION_ROWS,
    "HTTP": HTTP_ROWS,
    "Security": SECURITY_ROWS,
}


def page() -> str:
    """The tables as Markdown; a test is told by its sentence, with the file it stands in."""
    lines = [
        "# What happens when",
        "",
        "Written by `python -m tests.interface.situations`. Each situation is proven by the tests"
        " beside it, nearly all",
        "against a real server process whose clock the test moves; a row whose test is missing"
        " fails the build.",
    ]
    for title, content in TABLES.items():
        lines += ["", f"## {title}", "", "| situation | what is tested |", "| --- | --- |"]
        lines += [f"| {row} | {'<br>'.join(map(_told, tests))} |" for row, tests in content.items()]
    return "\n".join(lines) + "\n"


def _told(test: str) -> str:
    file, _, name = test.partition("::")
    sentence = name.removeprefix("test_").replace("_", " ")
    return f"{sentence} (`{file}`)"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
