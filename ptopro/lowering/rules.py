"""The rules of the interpreter by syntax node.  What is not listed among the expressions is evaluated at compile time
by the front end (comprehensions, dicts, f-strings, lambdas); what is not listed among the statements is not supported.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ptopro.lowering import (
    assignment,
    attributes,
    branches,
    calls,
    comparisons,
    expressions,
    loops,
    nested,
    register_lists,
    subscripts,
)
from ptopro.lowering.context import ExpressionRule, StatementRule

EXPRESSION_RULES: Mapping[type[ast.expr], ExpressionRule] = {
    ast.Constant: expressions.constant,
    ast.Name: expressions.name,
    ast.BinOp: expressions.binary,
    ast.UnaryOp: expressions.unary,
    ast.BoolOp: expressions.boolean,
    ast.Compare: comparisons.compare,
    ast.IfExp: expressions.conditional,
    ast.Tuple: expressions.sequence,
    ast.List: expressions.sequence,
    ast.NamedExpr: expressions.walrus,
    ast.Attribute: attributes.attribute,
    ast.Subscript: subscripts.subscript,
    ast.Call: calls.call,
    ast.ListComp: register_lists.comprehension,
    ast.GeneratorExp: register_lists.comprehension,
}
STATEMENT_RULES: Mapping[type[ast.stmt], StatementRule] = {
    ast.Assign: assignment.assign,
    ast.AnnAssign: assignment.annotated,
    ast.AugAssign: assignment.augmented,
    ast.Expr: assignment.expression_statement,
    ast.Assert: branches.assertion,
    ast.If: branches.branch,
    ast.With: branches.section,
    ast.Return: branches.return_,
    ast.Pass: branches.pass_,
    ast.For: loops.for_loop,
    ast.While: loops.while_loop,
    ast.Break: loops.break_,
    ast.Continue: loops.continue_,
    ast.FunctionDef: nested.function,
}
