"""Which locks each statement of a function needs: operand texts, pipes, and what must be given a name first.

In: the accesses of every specialisation ("copy") that shares the function's text.  Out: a `StatementPlan` for each
statement that touches locked tiles.

* An operation locks each id once: of operands that share ids, one is locked that holds them all; operands whose ids are
  known to differ are locked one by one; where only the running program knows, the ids are locked by number.
* Element reads (`getval`, `t[i, j]`) lock on S: around a plain statement, else the value is read into a temporary.
* An operand that must not be evaluated twice (`a.next()`) is named first: `_pl_tile_0 = a.next()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ptopro.diagnostics import Sink, make
from ptopro.expand.mutex_accesses import FunctionAccesses, Touch, Visit
from ptopro.expand.mutex_relations import Relation, Relations, combine
from ptopro.expand.names import Names
from ptopro.expand.source_text import SourceText
from ptopro.expand.syntax_index import SyntaxIndex
from ptopro.language.enums import PipeType
from ptopro.lowering.errors import InternalError


@dataclass(frozen=True, slots=True)
class Use:
    """A touch in one copy: copy and visit say which circumstances it belongs to; single: the only visit there."""

    copy: int
    visit: int
    single: bool
    touch: Touch


@dataclass(frozen=True, slots=True, eq=False)
class LockItem:
    """One thing to lock: the ids of the tile that `text` names, or (number given) one id.

    verbs: what the operation does with the operands it stands for; names: what their texts mention.
    """

    pipe: PipeType
    text: str
    uses: tuple[Use, ...]
    verbs: tuple[tuple[str, str], ...]
    operation: str
    names: frozenset[str] = frozenset()
    number: int | None = None
    simple: bool = True  # a plain name: nothing but an assignment to it changes what it means

    @property
    def key(self) -> tuple[str, str]:
        return self.pipe.name, self.text

    @property
    def argument(self) -> str:
        return f"tile={self.text}" if self.number is None else f"mutex_id={self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Hoist:
    """A value read before the statement, under locks on S: `name = <text of node>`; prefix goes before the text."""

    node: ast.expr
    name: str
    items: tuple[LockItem, ...]
    prefix: str = ""
    replaces: bool = True


@dataclass(slots=True, eq=False)
class StatementPlan:
    """Everything to be written around one statement."""

    statement: ast.stmt
    named: list[tuple[ast.expr, str]] = field(default_factory=list)
    hoists: list[Hoist] = field(default_factory=list)
    items: list[LockItem] = field(default_factory=list)
    fence: bool = False
    anchor: ast.stmt | None = None  # where hoisted lines go, when not before the statement (elif)


class FunctionPlanner:
    """Plans of one function's statements, for all its copies at once."""

    def __init__(
        self,
        copies: Sequence[FunctionAccesses],
        source: SourceText,
        index: SyntaxIndex,
        relations: Relations,
        names: Names,
        sink: Sink,
    ) -> None:
        self.copies = copies
        self.source = source
        self.index = index
        self.relations = relations
        self.names = names
        self.sink = sink
        self._tests: dict[ast.expr, str] = {}  # tests of ifs that are evaluated early

    def plans(self) -> dict[ast.stmt, StatementPlan]:
        """The plans, in source order; statements that touch nothing locked have one when they are fences."""
        places = {place: None for copy in self.copies for place in copy.visits}
        found: dict[ast.stmt, StatementPlan] = {}
        for place in sorted(places):
            visits = [copy.visits.get(place, []) for copy in self.copies]
            first = next(v for visit in visits for v in visit)
            statement = self.index.statement(first.span)
            if statement is None:
                if any(self._locked(use) for use in _uses(visits)):
                    self.sink.add(make("PTO1510", first.span, what="this expression"))
                continue
            plan = StatementPlan(statement, fence=any(v.fence for visit in visits for v in visit))
            self._plan(plan, visits)
            if plan.fence or plan.items or plan.hoists:
                found[statement] = plan
        return found

    # ----------------------------------------------------------------------------------------------------------------

    def _locked(self, use: Use) -> bool:
        return self.relations.needs_lock(use.touch, self.copies[use.copy].core)

    def _plan(self, plan: StatementPlan, visits: Sequence[Sequence[Visit]]) -> None:
        uses = list(_uses(visits))
        locked_places = {_site(u.touch) for u in uses if self._locked(u)}
        uses = [u for u in uses if _site(u.touch) in locked_places]
        if not uses:
            return
        calls_helpers = any(v.calls for visit in visits for v in visit)
        main = [u for u in uses if not u.touch.element]
        reads = [u for u in uses if u.touch.element]
        if not self._one_pipe(plan.statement, main):
            return
        compound = isinstance(plan.statement, ast.If | ast.For | ast.While | ast.With)
        around = not (compound or calls_helpers or isinstance(plan.statement, ast.Return)) and all(
            u.touch.pipe is PipeType.S for u in main
        )
        if around:
            main, reads = uses, []
        self._name_operands(plan, visits, main, reads)
        if reads:
            self._hoist(plan, reads, whole=not calls_helpers)
        if main:
            plan.items = self.items(main, plan)

    def _one_pipe(self, statement: ast.stmt, uses: Sequence[Use]) -> bool:
        """All operations of a statement must run on one pipe in every copy, for one text to be right for all."""
        pipes = sorted({u.touch.pipe.name for u in uses})
        if len(pipes) < 2:
            return True
        code = "PTO1507" if len({u.touch.call for u in uses}) > 1 else "PTO1508"
        self.sink.add(make(code, uses[0].touch.call or self.index.span(statement), pipes=" and ".join(pipes)))
        return False

    # ----------------------------------------------------------------------------------------------------------------
    # Operand texts

    def _name_operands(
        self,
        plan: StatementPlan,
        visits: Sequence[Sequence[Visit]],
        main: Sequence[Use],
        reads: Sequence[Use],
    ) -> None:
        """Name the operands whose text cannot be evaluated again, and every cursor read that they would overtake."""
        once: list[tuple[int, int]] = []
        nodes: dict[ast.expr, None] = {}
        for touch in (t for visit in visits for v in visit for t in v.touches):
            node = self._node(touch)
            if node is None or isinstance(self.index.parents.get(node), ast.Starred):
                continue
            single = not touch.pure or touch.chosen or not _is_pure(node)
            if single:
                once.append((node.lineno, node.col_offset))
            if single or _calls(node):
                nodes[node] = None
        last = max(once, default=(-1, -1))
        if not any(self._node(use.touch) in nodes for use in (*main, *reads)):
            return
        for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset)):
            if (node.lineno, node.col_offset) <= last:
                plan.named.append((node, self.names.fresh("tile")))

    def _node(self, touch: Touch) -> ast.expr | None:
        """The expression whose value is locked: the operand, without the view taken of it."""
        if touch.span is None:
            return None
        node = self.index.expression(touch.span)
        while isinstance(node, ast.Subscript) and _has_slice(node.slice):
            node = node.value
        return node

    def text_of(self, touch: Touch, plan: StatementPlan) -> tuple[str, ast.expr | None]:
        """The text that names the touched tile before and after the statement."""
        node = self._node(touch)
        if node is None:
            if not touch.text:
                self.sink.add(make("PTO1514", touch.call, operand=touch.operand, operation=touch.operation))
            return touch.text, None
        if isinstance(self.index.parents.get(node), ast.Starred):
            if not isinstance(node, ast.Name | ast.Attribute):
                self.sink.add(make("PTO1514", touch.call, operand=touch.operand, operation=touch.operation))
            return f"{self.source.slice(self.index.span(node))}[{touch.member}]", node
        for named, name in plan.named:
            if named is node:
                return name, None
        if node.lineno == node.end_lineno:
            return self.source.slice(self.index.span(node)), node
        return ast.unparse(node), node

    # ----------------------------------------------------------------------------------------------------------------
    # Lock items

    def items(self, uses: Sequence[Use], plan: StatementPlan) -> list[LockItem]:
        """What to lock for these accesses of one statement, each id once."""
        groups: dict[str, list[Use]] = {}
        nodes: dict[str, ast.expr | None] = {}
        for use in uses:
            text, node = self.text_of(use.touch, plan)
            groups.setdefault(text, []).append(use)
            nodes.setdefault(text, node)
        texts = list(groups)
        covered: dict[str, list[str]] = {text: [text] for text in texts}
        clash: dict[str, set[str]] = {text: set() for text in texts}
        for a, b in combinations(texts, 2):
            if a not in covered or b not in covered:
                continue
            relation = self.relation(groups[a], groups[b])
            if relation is Relation.COVERS:
                covered[a] += covered.pop(b)
            elif relation is Relation.COVERED:
                covered[b] += covered.pop(a)
            elif relation is Relation.UNKNOWN:
                clash[a].add(b)
                clash[b].add(a)
        by_number = {
            text
            for text in covered
            if clash[text] & covered.keys()
            or any(use.touch.numbered for member in covered[text] for use in groups[member])
        }
        while True:  # ids locked by number must not come back with a tile locked by name
            numbers = self._numbers(use for text in by_number for use in groups[text])
            more = {t for t in covered if t not in by_number and self._may_carry(groups[t]) & numbers}
            if not more:
                break
            by_number |= more
        result: list[LockItem] = []
        for text, members in covered.items():
            if text not in by_number:
                result.append(self._item(text, nodes[text], [(m, groups[m]) for m in members]))
        if by_number:
            stands_for = [(m, groups[m]) for text in covered if text in by_number for m in covered[text]]
            for number in sorted(numbers):
                item = self._item(str(number), None, stands_for)
                result.append(LockItem(item.pipe, item.text, item.uses, item.verbs, item.operation, number=number))
        return result

    def _item(self, text: str, node: ast.expr | None, members: list[tuple[str, list[Use]]]) -> LockItem:
        verbs: list[tuple[str, str]] = []
        for member, uses in members:
            reads = any(not u.touch.writes or u.touch.role.name == "INOUT" for u in uses)
            writes = any(u.touch.writes for u in uses)
            verbs.append(("reads and writes" if reads and writes else "writes" if writes else "reads", member))
        served = tuple(use for _, group in members for use in group)
        names = (
            frozenset((text,)) if node is None else frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))
        )
        return LockItem(
            served[0].touch.pipe,
            text,
            served,
            tuple(verbs),
            served[0].touch.operation,
            names,
            simple=node is None or isinstance(node, ast.Name),
        )

    def relation(self, a: Sequence[Use], b: Sequence[Use], one_statement: bool = True) -> Relation:
        """How the ids of two groups of accesses relate, over all copies that hold both."""
        return combine(
            self.relations.of(x.touch, y.touch, moment=(one_statement or (x.single and y.single)))
            for x in a
            for y in b
            if x.copy == y.copy and (not one_statement or x.visit == y.visit)
        )

    def _numbers(self, uses: Iterable[Use]) -> set[int]:
        """The contended ids that these accesses may need."""
        table = self.relations.table
        return {
            number
            for use in uses
            for number in self.relations.ids(use.touch)
            if table.contended(self.copies[use.copy].core, number, use.touch.memory)
        }

    def _may_carry(self, uses: Iterable[Use]) -> set[int]:
        return {number for use in uses for number in self.relations.ids(use.touch)}

    # ----------------------------------------------------------------------------------------------------------------
    # Values read before the statement

    def _hoist(self, plan: StatementPlan, reads: Sequence[Use], whole: bool) -> None:
        statement = plan.statement
        nodes: dict[ast.expr, list[Use]] = {}
        for use in reads:
            node = self.index.expression(use.touch.call) if use.touch.call else None
            if node is None:
                raise InternalError(f"no expression for an element read at {use.touch.call}")
            target = self._hoistable(statement, node, whole)
            if target is None:
                self.sink.add(make("PTO1510", use.touch.call, what="an element read"))
                return
            nodes.setdefault(target, []).append(use)
        if isinstance(statement, ast.If):
            self._hoist_test(plan, nodes)
            return
        if isinstance(statement, ast.While) and statement.orelse:
            self.sink.add(make("PTO1510", reads[0].touch.call, what="an element read in the test of while ... else"))
            return
        outer = [n for n in nodes if not any(o is not n and _inside(n, o, self.index) for o in nodes)]
        for node in sorted(outer, key=lambda n: (n.lineno, n.col_offset)):
            uses = [u for n, group in nodes.items() if n is node or _inside(n, node, self.index) for u in group]
            plan.hoists.append(Hoist(node, self.names.fresh("value"), tuple(self.items(uses, plan))))

    def _hoistable(self, statement: ast.stmt, node: ast.expr, whole: bool) -> ast.expr | None:
        """The expression to evaluate early so that `node` is read exactly when it was; None: there is none."""
        if whole and isinstance(statement, ast.If | ast.While):
            return statement.test
        if whole and isinstance(statement, ast.Return):
            return statement.value
        target = node
        child: ast.AST = node
        for parent in self.index.enclosing(node):
            if parent is statement:
                break
            if isinstance(parent, ast.comprehension | ast.Lambda | ast.GeneratorExp | ast.ListComp):
                return None
            conditional = (isinstance(parent, ast.BoolOp) and child is not parent.values[0]) or (
                isinstance(parent, ast.IfExp) and child is not parent.test
            )
            if conditional and isinstance(parent, ast.expr):
                if not whole:
                    return None
                target = parent
            child = parent
        return None if isinstance(statement, ast.While) else target

    def _hoist_test(self, plan: StatementPlan, nodes: dict[ast.expr, list[Use]]) -> None:
        """An `if` reads elements in its test; of an `elif`, the tests before it decide whether it is evaluated."""
        statement = plan.statement
        assert isinstance(statement, ast.If)
        head, tests = self._chain(statement)
        plan.anchor = head if head is not statement else None
        prefix = "".join(f"not {self._test_text(test)} and " for test in tests)
        if any(not _is_pure(test) and test not in self._tests for test in tests):
            self.sink.add(make("PTO1510", self.index.span(statement.test), what="an element read behind this test"))
            return
        for node, uses in sorted(nodes.items(), key=lambda entry: (entry[0].lineno, entry[0].col_offset)):
            if prefix and node is not statement.test:
                self.sink.add(make("PTO1510", self.index.span(node), what="an element read in this elif"))
                return
            name = self.names.fresh("value")
            if node is statement.test:
                self._tests[node] = name
            plan.hoists.append(Hoist(node, name, tuple(self.items(uses, plan)), prefix))

    def _test_text(self, test: ast.expr) -> str:
        return self._tests.get(test) or f"({self.source.slice(self.index.span(test))})"

    def _chain(self, statement: ast.If) -> tuple[ast.If, list[ast.expr]]:
        """The first `if` of an elif chain and the tests between it and `statement`."""
        tests: list[ast.expr] = []
        head = statement
        while True:
            start = self.source.range(self.index.span(head))[0]
            owner = self.index.parents.get(head)
            if not self.source.text.startswith("elif", start) or not isinstance(owner, ast.If):
                return head, tests[::-1]
            head = owner
            tests.append(head.test)


def _uses(visits: Sequence[Sequence[Visit]]) -> Iterator[Use]:
    for copy, found in enumerate(visits):
        for number, visit in enumerate(found):
            for touch in visit.touches:
                yield Use(copy, number, len(found) == 1, touch)


def _site(touch: Touch) -> tuple[object, ...]:
    """What makes touches of different copies the same access of the text."""
    return touch.call, touch.operand, touch.span, touch.member, touch.element, touch.text


def _calls(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Call) for n in ast.walk(node))


def _is_pure(node: ast.expr) -> bool:
    """Whether evaluating an expression again changes nothing: cursor reads are the only calls allowed."""
    for n in ast.walk(node):
        if isinstance(n, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(n, ast.Call):
            name = n.func.attr if isinstance(n.func, ast.Attribute) else getattr(n.func, "id", "")
            if name not in _REPEATABLE:
                return False
    return True


_CURSOR_READS = frozenset(("current", "previous"))
_SCALARS = frozenset(("getval", "min", "max", "abs", "len", "int", "float", "bool", "const", "constexpr"))
_SYSTEM = frozenset(("get_block_idx", "get_block_num", "get_subblock_idx", "get_subblock_num"))
_REPEATABLE = _CURSOR_READS | _SCALARS | _SYSTEM


def _has_slice(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) or (
        isinstance(node, ast.Tuple) and any(isinstance(element, ast.Slice) for element in node.elts)
    )


def _inside(node: ast.AST, outer: ast.AST, index: SyntaxIndex) -> bool:
    return any(parent is outer for parent in index.enclosing(node))
