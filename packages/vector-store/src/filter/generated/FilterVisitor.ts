// Generated from Filter.g4 by tools/generate.mjs. Do not edit.
import { AbstractParseTreeVisitor } from "antlr4ng";


import type { FilterContext } from "./FilterParser.js";
import type { NotContext } from "./FilterParser.js";
import type { GroupContext } from "./FilterParser.js";
import type { LeafContext } from "./FilterParser.js";
import type { AndContext } from "./FilterParser.js";
import type { OrContext } from "./FilterParser.js";
import type { LegacyFilterContext } from "./FilterParser.js";
import type { LegacyNotContext } from "./FilterParser.js";
import type { LegacyGroupContext } from "./FilterParser.js";
import type { LegacyLeafContext } from "./FilterParser.js";
import type { LegacyAndContext } from "./FilterParser.js";
import type { LegacyOrContext } from "./FilterParser.js";
import type { ComparisonContext } from "./FilterParser.js";
import type { MembershipContext } from "./FilterParser.js";
import type { NullTestContext } from "./FilterParser.js";
import type { KeyContext } from "./FilterParser.js";
import type { ValueContext } from "./FilterParser.js";
import type { ListContext } from "./FilterParser.js";


/**
 * This interface defines a complete generic visitor for a parse tree produced
 * by `FilterParser`.
 *
 * @param <Result> The return type of the visit operation. Use `void` for
 * operations with no return type.
 */
export class FilterVisitor<Result> extends AbstractParseTreeVisitor<Result> {
    /**
     * Visit a parse tree produced by `FilterParser.filter`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitFilter?: (ctx: FilterContext) => Result;
    /**
     * Visit a parse tree produced by the `not`
     * labeled alternative in `FilterParser.expression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitNot?: (ctx: NotContext) => Result;
    /**
     * Visit a parse tree produced by the `group`
     * labeled alternative in `FilterParser.expression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitGroup?: (ctx: GroupContext) => Result;
    /**
     * Visit a parse tree produced by the `leaf`
     * labeled alternative in `FilterParser.expression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitLeaf?: (ctx: LeafContext) => Result;
    /**
     * Visit a parse tree produced by the `and`
     * labeled alternative in `FilterParser.expression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitAnd?: (ctx: AndContext) => Result;
    /**
     * Visit a parse tree produced by the `or`
     * labeled alternative in `FilterParser.expression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitOr?: (ctx: OrContext) => Result;
    /**
     * Visit a parse tree produced by `FilterParser.legacyFilter`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitLegacyFilter?: (ctx: LegacyFilterContext) => Result;
    /**
     * Visit a parse tree produced by the `legacyNot`
     * labeled alternative in `FilterParser.legacyExpression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitLegacyNot?: (ctx: LegacyNotContext) => Result;
    /**
     * Visit a parse tree produced by the `legacyGroup`
     * labeled alternative in `FilterParser.legacyExpression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitLegacyGroup?: (ctx: LegacyGroupContext) => Result;
    /**
     * Visit a parse tree produced by the `legacyLeaf`
     * labeled alternative in `FilterParser.legacyExpression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitLegacyLeaf?: (ctx: LegacyLeafContext) => Result;
    /**
     * Visit a parse tree produced by the `legacyAnd`
     * labeled alternative in `FilterParser.legacyExpression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitLegacyAnd?: (ctx: LegacyAndContext) => Result;
    /**
     * Visit a parse tree produced by the `legacyOr`
     * labeled alternative in `FilterParser.legacyExpression`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitLegacyOr?: (ctx: LegacyOrContext) => Result;
    /**
     * Visit a parse tree produced by the `comparison`
     * labeled alternative in `FilterParser.predicate`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitComparison?: (ctx: ComparisonContext) => Result;
    /**
     * Visit a parse tree produced by the `membership`
     * labeled alternative in `FilterParser.predicate`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitMembership?: (ctx: MembershipContext) => Result;
    /**
     * Visit a parse tree produced by the `nullTest`
     * labeled alternative in `FilterParser.predicate`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitNullTest?: (ctx: NullTestContext) => Result;
    /**
     * Visit a parse tree produced by `FilterParser.key`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitKey?: (ctx: KeyContext) => Result;
    /**
     * Visit a parse tree produced by `FilterParser.value`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitValue?: (ctx: ValueContext) => Result;
    /**
     * Visit a parse tree produced by `FilterParser.list`.
     * @param ctx the parse tree
     * @return the visitor result
     */
    visitList?: (ctx: ListContext) => Result;
}
