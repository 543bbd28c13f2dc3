"""What the event graph finds in small pipelines, in the kernel's words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plans import PlanText, chain

from ptopro.diagnostics import Diagnostic
from ptopro.expand.pipeline_model import Channel, PipelinePlan
from ptopro.expand.sync_graph import beat_numbers, prove
from ptopro.language.enums import PipeType


def errors(plan: PipelinePlan) -> list[str]:
    return [d.code for d in prove(plan).problems]


def only_error(plan: PipelinePlan) -> Diagnostic:
    (found,) = prove(plan).problems
    return found


def hand_over(slots: int = 2, **options: bool) -> PlanText:
    """One stage per core and a buffer between them."""
    given = {"fwd": True, "bwd": True, **options}
    text = PlanText(2).buffer("acc", 2, "Acc").buffer("x", slots, **given).buffer("y", 2, "Work")
    return text.stage("make", "cube", "M acc=", "FIX x=acc").stage("take", "vector", "V y=x", "MTE3 =y")


# --------------------------------------------------------------------------------------------------------------------
# Flash attention: how many slots a buffer without bwd_ids needs


@pytest.mark.parametrize("preload", [1, 2, 3, 4])
def test_a_buffer_without_credits_needs_preload_plus_one_slots(preload: int) -> None:
    for slots in range(1, preload + 3):
        found = errors(chain(preload, p_slots=slots).plan())
        assert found == ([] if slots > preload else ["PTO1482"]), slots


def test_an_unprotected_overwrite_names_both_remedies() -> None:
    found = only_error(chain(2, p_slots=2).plan())
    assert found.message == (
        "nothing keeps compute_p (task 2) from overwriting p before compute_pv (task 0) has read it"
    )
    assert found.help == "declare bwd_ids for p, or give p 3 slots"


def test_serial_flash_attention_needs_no_credits_at_all() -> None:
    """Every producer has waited for a later result of its consumer."""
    result = prove(chain(0, p_slots=1).plan())
    assert result.problems == ()
    assert {(c.buffer, c.direction) for c in result.redundant} == {(6, "bwd"), (8, "bwd")}


def test_flash_attention_with_preload_two_keeps_its_flags_but_for_the_credits_of_p() -> None:
    plan = chain(2, p_slots=3, p_bwd=True).plan()
    result = prove(plan)
    assert (result.problems, result.notes) == ((), ())
    assert [(plan.buffers[c.buffer].name, c.direction) for c in result.redundant] == [("p", "bwd")]


# --------------------------------------------------------------------------------------------------------------------
# Memory that two stages of one core share


def test_a_ring_with_too_few_slots_is_refused_with_the_number_it_needs() -> None:
    found = only_error(chain(3, p_slots=4, ring=3).plan())
    assert found.code == "PTO1481"
    assert found.message == ("compute_gu reads correction 3 tasks after compute_p wrote it: 4 slots needed, 3 declared")
    assert "give correction 4 slots" in found.help


def test_a_ring_that_is_not_turned_is_refused_however_many_slots_it_has() -> None:
    text = PlanText(2).buffer("x", 2, fwd=True, bwd=True).buffer("p", 2, "Mat", fwd=True, bwd=True)
    text.buffer("pv", 2, fwd=True, bwd=True).buffer("ring", 4, "Work")
    text.stage("s0", "cube", "FIX x=").stage("s1", "vector", "V ring@1=x", "MTE3 p=ring@1")
    text.stage("s2", "cube", "MTE1 =p", "FIX pv=").stage("s3", "vector", "V =ring@1,pv")
    found = only_error(text.plan())
    assert found.code == "PTO1481"
    assert "3 slots needed, 1 declared" in found.message
    assert "choose one by a task counter" in found.help


def local(preload: int, *operations: str, slots: int = 1, locks: tuple[int, ...] | None = None) -> PlanText:
    """s1 and s3 on the vector core with a buffer `w` between them; `operations` are those of s1, then of s3."""
    text = PlanText(preload).buffer("x", 2, fwd=True, bwd=True).buffer("p", 4, "Mat", fwd=True, bwd=True)
    text.buffer("pv", 2, fwd=True, bwd=True).buffer("w", slots, "Work", locks=locks)
    first, second = operations
    text.stage("s0", "cube", "FIX x=").stage("s1", "vector", "V =x", *first.split("; "), "MTE3 p=")
    return text.stage("s2", "cube", "MTE1 =p", "FIX pv=").stage("s3", "vector", "V =pv", *second.split("; "))


def test_bytes_that_each_stage_fills_before_it_reads_them_may_be_shared() -> None:
    assert errors(local(2, "V w@0=; MTE3 =w@0", "MTE2 w@0=; V =w@0").plan()) == []


def test_bytes_filled_under_the_condition_of_their_read_may_be_shared() -> None:
    assert errors(local(2, "?V w@0=; ?MTE3 =w@0", "V w@0=; V =w@0").plan()) == []


def test_bytes_filled_under_another_condition_than_their_read_may_not() -> None:
    assert "PTO1481" in errors(local(2, "V w@0=; ?V w@0=; V =w@0", "?V w@0=; !V =w@0").plan())


def test_a_part_of_a_tile_does_not_hide_what_was_there() -> None:
    assert errors(local(2, "V w@0=; V =w@0", "V w@0=; V =w@0").plan()) == []
    assert errors(local(2, "V w@0=", "V w@0~=; V =w@0").plan()) != []


def test_windows_that_do_not_meet_do_not_conflict() -> None:
    assert errors(local(2, "V w@0[0:512]=", "V =w@0[512:1024]").plan()) == []
    assert errors(local(2, "V w@0[0:512]=", "V =w@0[256:1024]").plan()) == ["PTO1481"]


def test_a_stage_cannot_use_what_a_delayed_stage_makes_of_the_task_before() -> None:
    found = only_error(local(1, "V =w@0", "V w@0=").plan())
    assert found.code == "PTO1483"
    assert errors(local(0, "V =w@0", "V w@0=").plan()) == []


def test_a_cursor_that_another_stage_moves_means_another_slot_in_a_delayed_stage() -> None:
    found = prove(local(2, "V w=", "V =w@.", slots=4).plan()).problems
    assert found[0].code == "PTO1485"
    assert "select the slot by a number that travels with the task" in found[0].help


def test_stages_that_both_turn_a_group_may_share_it_inside_one_run() -> None:
    assert errors(local(2, "V w=; V =w", "V w=; V =w", slots=3).plan()) == []


def test_a_slot_that_is_not_known_is_a_warning_that_names_the_pair() -> None:
    result = prove(local(2, "V w@?=", "V =w@?", slots=3).plan())
    assert result.problems == ()
    (found,) = [d for d in result.notes if d.code == "PTO1490"]
    assert "s3 and s1" in found.message or "s1 and s3" in found.message
    assert "which slot is not known" in found.message


def test_a_tensor_that_one_stage_stores_and_another_loads_is_a_warning() -> None:
    text = PlanText(2).buffer("t", 1, "DDR").buffer("x", 2, fwd=True, bwd=True)
    text.stage("s0", "cube", "FIX t@0=", "FIX x=").stage("s1", "vector", "MTE2 =t@0", "V =x")
    result = prove(text.plan())
    assert result.problems == ()
    assert [d.code for d in result.notes] == ["PTO1490"]
    assert "the regions of a tensor are not compared" in result.notes[0].message


def test_pipes_of_one_core_without_locks_are_a_warning() -> None:
    result = prove(local(2, "MTE2 w@t=", "V =w@t", slots=3, locks=()).plan())
    assert result.problems == ()
    assert [d.code for d in result.notes] == ["PTO1490"]
    assert "no lock orders their pipes" in result.notes[0].message


# --------------------------------------------------------------------------------------------------------------------
# Slots and conditions that follow an outer loop


def test_a_slot_picked_per_round_lasts_for_the_delay_if_every_round_holds_a_task() -> None:
    assert "PTO1481" in errors(local(2, "1MTE2 w@o=", "V =w@o", slots=2).plan())
    result = prove(local(2, "1MTE2 w@o=", "V =w@o", slots=3).plan())
    assert result.problems == ()
    (found,) = [d for d in result.notes if d.code == "PTO1491"]
    assert "its 3 slots while s3 still reads them" in found.message


def test_a_slot_that_is_filled_for_every_task_needs_more_than_a_slot_per_round() -> None:
    assert errors(local(2, "MTE2 w@o=", "V =w@o", slots=3).plan()) == ["PTO1481"]


def test_filling_a_slot_of_the_round_under_an_unknown_condition_is_a_warning() -> None:
    result = prove(local(2, "?MTE2 w@o=", "V =w@o", slots=3).plan())
    assert result.problems == ()
    assert "PTO1490" in {d.code for d in result.notes}


def test_draining_every_round_makes_one_slot_enough() -> None:
    plan = local(2, "1MTE2 w@0=", "V =w@0").plan()
    assert errors(plan) == ["PTO1481"]
    assert errors(replace(plan, drains=True)) == []


# --------------------------------------------------------------------------------------------------------------------
# Cross-core buffers


def test_one_stage_per_core_runs_ahead_by_its_slots() -> None:
    assert errors(hand_over(1).plan()) == []
    assert errors(hand_over(4, shared=True).plan()) == []


def test_without_fwd_ids_nothing_makes_the_consumer_wait() -> None:
    found = only_error(hand_over(fwd=False).plan())
    assert found.code == "PTO1483"
    assert found.help == "declare fwd_ids for x"


def test_without_bwd_ids_nothing_holds_the_producer_back() -> None:
    assert errors(hand_over(bwd=False).plan()) == ["PTO1482"]


def test_a_consumer_may_write_in_place() -> None:
    text = PlanText(1).buffer("x", 2, fwd=True, bwd=True)
    text.stage("make", "cube", "FIX x=").stage("take", "vector", "V x=x", "MTE3 =x")
    assert errors(text.plan()) == []


def test_a_second_pipe_must_be_joined_to_the_flag_where_no_lock_does_it() -> None:
    text = PlanText(0).buffer("x", 2, fwd=True, bwd=True, locks=())
    text.stage("make", "cube", "FIX x=").stage("take", "vector", "V =x", "MTE3 =x")
    plan = text.plan()
    assert errors(plan) == []
    bare = replace(plan, channels=tuple(replace(c, set_chain=(), wait_chain=()) for c in plan.channels))
    assert set(errors(bare)) == {"PTO1482", "PTO1483"}


def test_two_buffers_over_the_same_bytes_need_an_order_of_their_own() -> None:
    text = PlanText(1).buffer("a", 2, fwd=True, bwd=True, at=0).buffer("b", 2, fwd=True, bwd=True, at=0)
    text.buffer("p", 2, "Mat", fwd=True, bwd=True)
    text.stage("s0", "cube", "FIX a=").stage("s1", "vector", "V =a", "MTE3 p=")
    text.stage("s2", "cube", "MTE1 =p", "FIX b=").stage("s3", "vector", "V =b")
    plan = text.plan()
    found = [d for d in prove(plan).problems if "b" in d.message and d.code == "PTO1482"]
    assert found
    assert "bytes of their own" in found[0].help


def test_the_unit_flag_orders_matrix_unit_and_fixpipe() -> None:
    # The same accumulator for two stages of a core: with phases no lock is needed, without either there is no order.
    def plan(guard: str, locks: tuple[int, ...] | None) -> PipelinePlan:
        text = PlanText(1).buffer("acc", 1, "Acc", locks=locks).buffer("x", 2, fwd=True, bwd=True)
        text.buffer("p", 2, "Mat", fwd=True, bwd=True).buffer("y", 2, fwd=True, bwd=True)
        text.stage("s0", "cube", f"{guard}M acc@0=", f"{guard}FIX x=acc@0").stage("s1", "vector", "V =x", "MTE3 p=")
        text.stage("s2", "cube", "MTE1 =p", f"{guard}M acc@0=", f"{guard}FIX y=acc@0").stage("s3", "vector", "V =y")
        return text.plan()

    assert prove(plan("u", ())).notes == ()
    assert {d.code for d in prove(plan("", ())).notes} == {"PTO1490"}
    assert prove(plan("", None)).notes == ()


# --------------------------------------------------------------------------------------------------------------------
# Deadlocks and counters


def test_a_circle_is_told_stage_by_stage_with_slot_counts_that_remove_it() -> None:
    text = chain(4, p_slots=1, p_bwd=True, score_slots=1, ring=5, l0_slots=1)
    found = only_error(text.plan())
    assert found.code == "PTO1480"
    assert found.notes == (
        "compute_qk (task 3) waits until compute_p (task 2) has freed a slot of scores",
        "compute_p (task 2) comes after compute_p (task 1) on the vector core",
        "compute_p (task 1) waits until compute_pv (task 0) has freed a slot of p",
        "compute_pv (task 0) comes after compute_qk (task 4) on the cube core",
        "compute_qk (task 4) comes after compute_qk (task 3) on the cube core",
    )
    assert found.help == "p needs 2 slots (1 declared) or acc needs 3 slots (1 declared), or lower preload"
    assert errors(chain(4, p_slots=2, p_bwd=True, score_slots=1, ring=5, l0_slots=1).plan()) == []


def test_sets_without_waits_are_counted() -> None:
    plan = hand_over().plan()
    lost = Channel(1, "bwd", 1, 9, "vector", PipeType.V, "cube", PipeType.FIX, (8,), 1, 0)  # no stage waits
    found = only_error(replace(plan, channels=(*plan.channels, lost)))
    assert found.code == "PTO1486"
    assert found.message == "event id 8 of the cube core is set 7 times but waited for 0 times for 7 tasks"


def test_credits_that_come_on_other_ids_than_they_are_awaited_block() -> None:
    plan = hand_over().plan()
    odd = replace(plan.channels[1], ids=(8, 9, 10), slots=3)  # two credits, but three ids in turn
    assert errors(replace(plan, channels=(plan.channels[0], odd))) == ["PTO1480"]


def test_more_than_fifteen_pending_sets_are_refused() -> None:
    assert errors(hand_over(15, shared=True).plan()) == []
    found = prove(hand_over(16, shared=True).plan()).problems
    assert [d.code for d in found] == ["PTO1487", "PTO1487"]
    assert "up to 16 sets of event id" in found[0].message


def test_one_id_on_two_pipes_that_nothing_orders_is_refused() -> None:
    text = PlanText(1).buffer("a", 1, fwd=True, bwd=True).buffer("b", 1, fwd=True, bwd=True)
    text.stage("make", "cube", "FIX a=", "MTE1 b=").stage("take", "vector", "V =a", "MTE3 =b")
    plan = text.plan()
    assert errors(plan) == []
    shared = tuple(replace(c, ids=plan.channels[0].ids) if c.direction == "fwd" else c for c in plan.channels)
    found = {d.code: d for d in prove(replace(plan, channels=shared)).problems}
    assert "PTO1488" in found
    assert "FIX and MTE1" in found["PTO1488"].message


# --------------------------------------------------------------------------------------------------------------------
# Notes and savings


def test_fewer_slots_than_beats_are_a_note() -> None:
    result = prove(chain(2, p_slots=3, score_slots=1).plan())
    assert result.problems == ()
    assert [d.code for d in result.notes] == ["PTO1489", "PTO1489"]
    assert result.notes[0].message == (
        "scores has 1 slot, but compute_p runs 1 beat behind compute_qk: correct, but the cores wait for each other"
    )
    assert result.notes[0].help == "2 slots let the cores overlap fully"


@pytest.mark.parametrize(("preload", "beats"), [(1, [0, 1, 1, 2]), (2, [0, 1, 2, 3]), (3, [0, 1, 3, 4])])
def test_beats_are_counted_across_the_cores(preload: int, beats: list[int]) -> None:
    assert beat_numbers(chain(preload).plan()) == beats


def test_of_two_buffers_between_the_same_pipes_one_flag_is_enough() -> None:
    text = PlanText(1).buffer("a", 2, fwd=True, bwd=True).buffer("b", 2, fwd=True, bwd=True)
    text.stage("make", "cube", "FIX a=", "FIX b=").stage("take", "vector", "V =a", "V =b")
    result = prove(text.plan())
    assert result.problems == ()
    assert sorted(c.direction for c in result.redundant) == ["bwd", "fwd"]


def test_the_flag_of_a_lone_buffer_is_never_redundant() -> None:
    assert prove(hand_over().plan()).redundant == ()


def test_a_flag_that_only_a_conditional_operation_implies_is_kept() -> None:
    # b's data follow a's through the lock of w only if the guarded operation runs.
    text = PlanText(0).buffer("w", 1, "Acc").buffer("a", 2, fwd=True, bwd=True).buffer("b", 2, fwd=True, bwd=True)
    text.stage("make", "cube", "MTE1 a=", "MTE1 w=", "?FIX =w", "FIX b=").stage("take", "vector", "V =a", "V =b")
    kept = prove(text.plan()).redundant
    assert not any(c.direction == "fwd" for c in kept)


def test_two_stages_that_turn_a_group_do_not_find_their_own_last_slot_again() -> None:
    # s3 adds to what it left two of its runs ago; while the stages drain, s1 no longer turns the group between its runs.
    result = prove(local(4, "V w=", "MTE2 w=w", slots=4).plan())
    assert "PTO1485" in {d.code for d in result.problems}


def attention(*softmax: str) -> PlanText:
    """Four stages in which the slots of p are handed on without credits."""
    text = (
        PlanText(2)
        .buffer("x", 2, fwd=True, bwd=True)
        .buffer("p", 3, "Mat", fwd=True)
        .buffer("o", 2, fwd=True, bwd=True)
    )
    text.buffer("u", 2, "UB").buffer("w", 2, "UB").buffer("l", 2, "Left").buffer("a", 2, "Acc")
    text.stage("qk", "cube", "FIX x=").stage("softmax", "vector", *softmax, "MTE3 p=u@.")
    return text.stage("pv", "cube", "MTE1 l=p", "M a=l@.", "FIX o=a@.").stage("update", "vector", "V =o")


def test_a_branch_whose_arms_end_with_the_same_slot_carries_order() -> None:
    # Whichever arm runs, its operation on V comes behind what the stage before did there, and MTE3 waits for it.
    assert not prove(attention("yV u=x", "nV u=x@.").plan()).problems
    assert not prove(attention("yMTE2 w=", "yV u=x", "nV u=x@.,w@0").plan()).problems


def test_a_branch_carries_order_on_slots_of_both_arms_only() -> None:
    assert {d.code for d in prove(attention("yV u=x", "nV w=x@.").plan()).problems} == {"PTO1482"}
    assert {d.code for d in prove(attention("yV u=x", "nMTE2 u@.=").plan()).problems} >= {"PTO1482"}
    assert {d.code for d in prove(attention("?V u=x").plan()).problems} == {"PTO1482"}


def test_slots_are_counted_for_each_buffer_although_another_lacks_some_too() -> None:
    text = attention("V u=x")
    text.preload = 3
    text.buffer("r", 3, "UB")
    text.stages = []
    text.stage("qk", "cube", "FIX x=").stage("softmax", "vector", "V u=x", "V r@t=", "MTE3 p=u@.")
    text.stage("pv", "cube", "MTE1 l=p", "M a=l@.", "FIX o=a@.").stage("update", "vector", "V =o,r@t")
    helps = [d.help or "" for d in prove(text.plan()).problems]
    assert any("give p 4 slots" in h for h in helps) and any("give r 4 slots" in h for h in helps), helps
