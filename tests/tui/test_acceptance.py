"""The twenty-five acceptance checks of the terminal program, and the tests that decide each."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHECKS: dict[int, tuple[str, tuple[str, ...]]] = {
    1: (
        "every action is reached by its key and the palette, and docs/keys.md says so",
        (
            "test_keys::test_every_key_calls_its_action",
            "test_keys::test_every_action_has_a_method_where_its_key_is_bound",
            "test_keys::test_the_written_table_of_keys_is_what_the_program_does",
            "test_flows::test_the_palette_finds_an_action_by_letters",
            "test_keys::test_every_action_is_in_the_palette",
        ),
    ),
    2: (
        "the main screen at every size, too small included, and back with the draft",
        (
            "test_screens::test_the_main_screen",
            "test_flows::test_a_terminal_that_is_too_small_says_so_and_keeps_the_draft",
        ),
    ),
    3: (
        "every state with a frozen clock",
        (
            "test_screens::test_no_server",
            "test_screens::test_the_local_service_does_not_start",
            "test_screens::test_connecting",
            "test_screens::test_key_rejected",
            "test_screens::test_no_documents",
            "test_screens::test_a_bad_file",
            "test_screens::test_uploading",
            "test_screens::test_reading_takes_long",
            "test_screens::test_an_edit_waits_behind_others",
            "test_screens::test_edits_running_and_waiting",
            "test_screens::test_an_edit_running_late",
            "test_screens::test_an_edit_applied",
            "test_screens::test_nothing_to_change",
            "test_screens::test_an_edit_failed",
            "test_screens::test_an_edit_timed_out",
            "test_screens::test_the_last_minute",
            "test_screens::test_expired",
            "test_screens::test_offline",
            "test_screens::test_back_online",
            "test_screens::test_the_service_fails_to_list",
            "test_screens::test_a_fault_of_the_program",
            "test_launch::test_without_a_terminal_it_ends_with_2_and_one_line",
        ),
    ),
    4: (
        "every theme, and ASCII alone where that is asked for",
        (
            "test_screens::test_a_theme",
            "test_screens::test_ascii_only",
            "test_terminal::test_with_ascii_nothing_else_is_drawn",
        ),
    ),
    5: (
        "upload by picker, pasted path and argument; bad files are refused without a request",
        (
            "test_flows::test_a_file_is_found_by_letters_of_its_name_and_uploaded",
            "test_flows::test_a_pasted_path_opens_the_upload",
            "test_flows::test_a_file_given_at_the_start_is_uploaded",
            "test_flows::test_a_bad_file_is_refused_without_a_request",
        ),
    ),
    6: (
        "two edits run in order, and the waiting one is cancelled alone",
        ("test_flows::test_two_edits_wait_for_one_another_and_the_waiting_one_is_cancelled_alone",),
    ),
    7: (
        "failure, timeout and nothing to change have their own words",
        (
            "test_flows::test_a_failed_edit_shows_the_services_words_whole_and_gives_the_instruction_back",
            "test_flows::test_a_timeout_says_that_the_document_is_as_it_was",
            "test_flows::test_nothing_to_change_has_its_own_wording",
        ),
    ),
    8: (
        "time left by the service's clock, and few repaints",
        (
            "test_flows::test_the_time_left_is_told_by_the_services_clock",
            "test_idle::test_idling_for_a_minute_repaints_next_to_nothing",
        ),
    ),
    9: (
        "expiry keeps draft and preview, and an upload offers the draft again",
        (
            "test_flows::test_an_expired_document_stays_readable_and_keeps_the_draft",
            "test_states::test_a_document_uploaded_again_gets_the_draft_of_the_expired_one",
        ),
    ),
    10: (
        "a line lost during an edit applies it once",
        ("test_flows::test_a_lost_answer_is_asked_for_again_and_the_edit_is_made_once",),
    ),
    11: ("hostile text does nothing but stand there", ("test_hostile::*",)),
    12: (
        "two hundred pages in counted work and memory, the same block on top",
        (
            "test_speed::test_the_work_for_a_document_grows_with_its_pages_and_no_faster",
            "test_speed::test_after_an_edit_one_block_of_two_hundred_pages_is_read_and_wrapped_again",
            "test_speed::test_only_the_lines_of_the_screen_are_drawn_however_long_the_document_is",
            "test_speed::test_two_hundred_pages_take_little_memory",
            "test_speed::test_after_an_edit_of_a_long_document_the_same_block_is_on_top",
        ),
    ),
    13: (
        "a thousand and ten thousand changes",
        (
            "test_speed::test_the_work_for_a_list_of_changes_grows_with_its_length_and_no_faster",
            "test_speed::test_going_to_the_next_change_costs_the_same_however_many_there_are",
        ),
    ),
    14: (
        "the loop has its turn while a long document is read and a large one uploaded",
        (
            "test_speed::test_a_long_document_is_read_beside_the_loop_which_stays_free_for_keys",
            "test_speed::test_an_upload_goes_out_in_pieces_and_the_loop_has_a_turn_after_each",
            "test_speed::test_ten_megabytes_are_uploaded_without_holding_the_loop",
        ),
    ),
    15: (
        "search finds, counts and goes round; n belongs to changes again afterwards",
        (
            "test_flows::test_search_counts_hits_and_walks_round",
            "test_text_search::*",
            "test_pattern::*",
        ),
    ),
    16: (
        "the change view shows what the service lists, four ways",
        (
            "test_golden::test_the_document_has_every_kind_of_change",
            "test_golden::test_every_change_says_who_when_where_what_and_by_which_edit",
            "test_golden::test_every_change_is_called_by_its_kind",
            "test_golden::test_every_change_shows_its_words_as_the_mode_wants_them",
            "test_golden::test_the_golden_changes",
            "test_golden::test_the_preview_reads_as_the_mode_says",
            "test_changes::*",
            "test_screens::test_a_way_of_showing_changes",
            "test_change_locations::*",
        ),
    ),
    17: (
        "help at once and light; the first frame without a service",
        (
            "test_speed::test_help_loads_few_modules",
            "test_speed::test_the_first_frame_is_there_before_the_service_says_anything",
            "../test_imports::test_help_loads_nothing_heavy",
        ),
    ),
    18: (
        "bytes on a slow line",
        (
            "test_terminal::test_few_bytes_are_sent_on_a_slow_line",
            "test_terminal::test_idling_sends_next_to_nothing",
        ),
    ),
    19: (
        "a slow reader",
        ("test_terminal::test_a_slow_line_is_quiet_soon_after_the_last_key_and_shows_the_end",),
    ),
    20: (
        "signals and faults leave a usable terminal and the draft",
        (
            "test_terminal::test_a_signal_leaves_a_usable_terminal_and_keeps_the_draft",
            "test_terminal::test_an_interrupt_does_not_end_it_and_leaves_the_text",
            "test_terminal::test_a_crash_leaves_a_usable_terminal_and_keeps_the_draft",
            "test_terminal::test_a_terminal_that_goes_away_ends_it_and_keeps_the_draft",
            "test_flows::test_the_session_is_kept_and_restored",
        ),
    ),
    21: (
        "tmux: detach and attach, odd bytes, ctrl+z and fg, the expected text",
        (
            "test_tmux::test_the_screen_in_tmux_is_what_the_program_draws",
            "test_tmux::test_after_detaching_and_attaching_everything_is_there_again",
            "test_tmux::test_a_mouse_report_of_an_old_terminal_does_not_end_it",
            "test_tmux::test_random_bytes_do_not_end_it",
            "test_tmux::test_ctrl_z_goes_to_the_shell_and_fg_comes_back",
        ),
    ),
    22: (
        "copying through tmux, and what to do where it does not pass",
        ("test_tmux::test_what_is_copied_passes_tmux_where_that_is_allowed",),
    ),
    23: (
        "ssh: drawn, resized, edited, left; refused without a terminal",
        (
            "test_ssh::test_it_is_drawn_resized_and_left_over_ssh",
            "test_ssh::test_without_a_terminal_that_can_be_drawn_on_it_ends_with_one_line",
            "test_ssh::test_an_edit_goes_round_over_ssh_and_outlives_a_killed_client",
        ),
    ),
    24: (
        "a killed ssh client; colours by what the terminal has",
        (
            "test_ssh::test_an_edit_goes_round_over_ssh_and_outlives_a_killed_client",
            "test_ssh::test_a_running_edit_outlives_a_killed_client_and_is_shown_at_the_next_login",
            "test_ssh::test_colours_are_those_that_the_far_terminal_has",
        ),
    ),
    25: (
        "ssh-serve: people apart, limits, nothing left behind; web: no token, no foreign page",
        (
            "../remote/test_openssh::test_five_people_work_beside_each_other_and_a_crash_is_one_persons",
            "../remote/test_openssh::test_a_stranger_is_refused",
            "../remote/test_sessions::test_no_more_than_so_many_come_in_and_one_that_left_makes_room",
            "../remote/test_sessions::test_only_those_who_did_nothing_for_so_long_are_ended",
            "../remote/test_openssh::test_sigterm_tells_people_keeps_their_drafts_and_leaves_nothing_running",
            "../remote/test_ssh_connection::test_a_crash_in_one_session_leaves_the_others",
            "../remote/test_ssh_connection::test_a_line_that_drops_hangs_the_program_up",
            "../remote/test_web_server::test_without_the_token_there_is_nothing",
            "../remote/test_web_server::test_a_web_socket_from_elsewhere_is_refused",
        ),
    ),
}


def names_in(module: str) -> set[str]:
    tree = ast.parse((HERE / f"{module}.py").read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    names = {node.name for node in tree.body if isinstance(node, kinds)}
    return {name for name in names if name.startswith("test_")}


def test_all_twenty_five_are_there() -> None:
    assert list(CHECKS) == list(range(1, 26))


@pytest.mark.parametrize("number", CHECKS)
def test_every_check_has_its_tests(number: int) -> None:
    words, tests = CHECKS[number]
    assert words
    assert tests
    for test in tests:
        module, _, name = test.partition("::")
        names = names_in(module)
        assert names
        assert name == "*" or name in names, test
