// Generated from Filter.g4 by tools/generate.mjs. Do not edit.
import * as antlr from "antlr4ng";
import { Token } from "antlr4ng";

import type { FilterVisitor } from "./FilterVisitor.js";



export class FilterParser extends antlr.Parser {
    public static readonly AND = 1;
    public static readonly OR = 2;
    public static readonly NOT = 3;
    public static readonly IN = 4;
    public static readonly NIN = 5;
    public static readonly IS = 6;
    public static readonly NULL = 7;
    public static readonly TRUE = 8;
    public static readonly FALSE = 9;
    public static readonly EQ = 10;
    public static readonly NE = 11;
    public static readonly GTE = 12;
    public static readonly GT = 13;
    public static readonly LTE = 14;
    public static readonly LT = 15;
    public static readonly PLUS = 16;
    public static readonly MINUS = 17;
    public static readonly LEFT_PARENTHESIS = 18;
    public static readonly RIGHT_PARENTHESIS = 19;
    public static readonly LEFT_BRACKET = 20;
    public static readonly RIGHT_BRACKET = 21;
    public static readonly COMMA = 22;
    public static readonly NUMBER = 23;
    public static readonly NAME = 24;
    public static readonly STRING = 25;
    public static readonly SPACE = 26;
    public static readonly PLACEHOLDER = 27;
    public static readonly UNTERMINATED = 28;
    public static readonly UNEXPECTED = 29;
    public static readonly RULE_filter = 0;
    public static readonly RULE_expression = 1;
    public static readonly RULE_legacyFilter = 2;
    public static readonly RULE_legacyExpression = 3;
    public static readonly RULE_predicate = 4;
    public static readonly RULE_key = 5;
    public static readonly RULE_value = 6;
    public static readonly RULE_list = 7;

    public static readonly literalNames: (string | null)[] = [
        null, null, null, null, null, null, null, null, null, null, "'=='", 
        "'!='", "'>='", "'>'", "'<='", "'<'", "'+'", "'-'", "'('", "')'", 
        "'['", "']'", "','"
    ];

    public static readonly symbolicNames: (string | null)[] = [
        null, "AND", "OR", "NOT", "IN", "NIN", "IS", "NULL", "TRUE", "FALSE", 
        "EQ", "NE", "GTE", "GT", "LTE", "LT", "PLUS", "MINUS", "LEFT_PARENTHESIS", 
        "RIGHT_PARENTHESIS", "LEFT_BRACKET", "RIGHT_BRACKET", "COMMA", "NUMBER", 
        "NAME", "STRING", "SPACE", "PLACEHOLDER", "UNTERMINATED", "UNEXPECTED"
    ];
    public static readonly ruleNames: string[] = [
        "filter", "expression", "legacyFilter", "legacyExpression", "predicate", 
        "key", "value", "list",
    ];

    public get grammarFileName(): string { return "Filter.g4"; }
    public get literalNames(): (string | null)[] { return FilterParser.literalNames; }
    public get symbolicNames(): (string | null)[] { return FilterParser.symbolicNames; }
    public get ruleNames(): string[] { return FilterParser.ruleNames; }
    public get serializedATN(): number[] { return FilterParser._serializedATN; }

    protected createFailedPredicateException(predicate?: string, message?: string): antlr.FailedPredicateException {
        return new antlr.FailedPredicateException(this, predicate, message);
    }

    public constructor(input: antlr.TokenStream) {
        super(input);
        this.interpreter = new antlr.ParserATNSimulator(this, FilterParser._ATN, FilterParser.decisionsToDFA, new antlr.PredictionContextCache());
    }
    public filter(): FilterContext {
        let localContext = new FilterContext(this.context, this.state);
        this.enterRule(localContext, 0, FilterParser.RULE_filter);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 16;
            this.expression(0);
            this.state = 17;
            this.match(FilterParser.EOF);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }

    public expression(): ExpressionContext;
    public expression(_p: number): ExpressionContext;
    public expression(_p?: number): ExpressionContext {
        if (_p === undefined) {
            _p = 0;
        }

        let parentContext = this.context;
        let parentState = this.state;
        let localContext = new ExpressionContext(this.context, parentState);
        let previousContext = localContext;
        let _startState = 2;
        this.enterRecursionRule(localContext, 2, FilterParser.RULE_expression, _p);
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 27;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.NOT:
                {
                localContext = new NotContext(localContext);
                this.context = localContext;
                previousContext = localContext;

                this.state = 20;
                this.match(FilterParser.NOT);
                this.state = 21;
                (localContext as NotContext)._operand = this.expression(5);
                }
                break;
            case FilterParser.LEFT_PARENTHESIS:
                {
                localContext = new GroupContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 22;
                this.match(FilterParser.LEFT_PARENTHESIS);
                this.state = 23;
                (localContext as GroupContext)._content = this.expression(0);
                this.state = 24;
                this.match(FilterParser.RIGHT_PARENTHESIS);
                }
                break;
            case FilterParser.NAME:
            case FilterParser.STRING:
                {
                localContext = new LeafContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 26;
                this.predicate();
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 37;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 2, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 35;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 1, this.context) ) {
                    case 1:
                        {
                        localContext = new AndContext(new ExpressionContext(parentContext, parentState));
                        (localContext as AndContext)._left = previousContext;
                        this.pushNewRecursionContext(localContext, _startState, FilterParser.RULE_expression);
                        this.state = 29;
                        if (!(this.precpred(this.context, 4))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 4)");
                        }
                        this.state = 30;
                        this.match(FilterParser.AND);
                        this.state = 31;
                        (localContext as AndContext)._right = this.expression(5);
                        }
                        break;
                    case 2:
                        {
                        localContext = new OrContext(new ExpressionContext(parentContext, parentState));
                        (localContext as OrContext)._left = previousContext;
                        this.pushNewRecursionContext(localContext, _startState, FilterParser.RULE_expression);
                        this.state = 32;
                        if (!(this.precpred(this.context, 3))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 3)");
                        }
                        this.state = 33;
                        this.match(FilterParser.OR);
                        this.state = 34;
                        (localContext as OrContext)._right = this.expression(4);
                        }
                        break;
                    }
                    }
                }
                this.state = 39;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 2, this.context);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.unrollRecursionContexts(parentContext);
        }
        return localContext;
    }
    public legacyFilter(): LegacyFilterContext {
        let localContext = new LegacyFilterContext(this.context, this.state);
        this.enterRule(localContext, 4, FilterParser.RULE_legacyFilter);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 40;
            this.legacyExpression(0);
            this.state = 41;
            this.match(FilterParser.EOF);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }

    public legacyExpression(): LegacyExpressionContext;
    public legacyExpression(_p: number): LegacyExpressionContext;
    public legacyExpression(_p?: number): LegacyExpressionContext {
        if (_p === undefined) {
            _p = 0;
        }

        let parentContext = this.context;
        let parentState = this.state;
        let localContext = new LegacyExpressionContext(this.context, parentState);
        let previousContext = localContext;
        let _startState = 6;
        this.enterRecursionRule(localContext, 6, FilterParser.RULE_legacyExpression, _p);
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 51;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.NOT:
                {
                localContext = new LegacyNotContext(localContext);
                this.context = localContext;
                previousContext = localContext;

                this.state = 44;
                this.match(FilterParser.NOT);
                this.state = 45;
                (localContext as LegacyNotContext)._operand = this.legacyExpression(3);
                }
                break;
            case FilterParser.LEFT_PARENTHESIS:
                {
                localContext = new LegacyGroupContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 46;
                this.match(FilterParser.LEFT_PARENTHESIS);
                this.state = 47;
                (localContext as LegacyGroupContext)._content = this.legacyExpression(0);
                this.state = 48;
                this.match(FilterParser.RIGHT_PARENTHESIS);
                }
                break;
            case FilterParser.NAME:
            case FilterParser.STRING:
                {
                localContext = new LegacyLeafContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 50;
                this.predicate();
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 61;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 5, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 59;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 4, this.context) ) {
                    case 1:
                        {
                        localContext = new LegacyAndContext(new LegacyExpressionContext(parentContext, parentState));
                        (localContext as LegacyAndContext)._left = previousContext;
                        this.pushNewRecursionContext(localContext, _startState, FilterParser.RULE_legacyExpression);
                        this.state = 53;
                        if (!(this.precpred(this.context, 5))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 5)");
                        }
                        this.state = 54;
                        this.match(FilterParser.AND);
                        this.state = 55;
                        (localContext as LegacyAndContext)._right = this.legacyExpression(6);
                        }
                        break;
                    case 2:
                        {
                        localContext = new LegacyOrContext(new LegacyExpressionContext(parentContext, parentState));
                        (localContext as LegacyOrContext)._left = previousContext;
                        this.pushNewRecursionContext(localContext, _startState, FilterParser.RULE_legacyExpression);
                        this.state = 56;
                        if (!(this.precpred(this.context, 4))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 4)");
                        }
                        this.state = 57;
                        this.match(FilterParser.OR);
                        this.state = 58;
                        (localContext as LegacyOrContext)._right = this.legacyExpression(5);
                        }
                        break;
                    }
                    }
                }
                this.state = 63;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 5, this.context);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.unrollRecursionContexts(parentContext);
        }
        return localContext;
    }
    public predicate(): PredicateContext {
        let localContext = new PredicateContext(this.context, this.state);
        this.enterRule(localContext, 8, FilterParser.RULE_predicate);
        let _la: number;
        try {
            this.state = 84;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 8, this.context) ) {
            case 1:
                localContext = new ComparisonContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 64;
                this.key();
                this.state = 65;
                (localContext as ComparisonContext)._operator = this.tokenStream.LT(1);
                _la = this.tokenStream.LA(1);
                if(!((((_la) & ~0x1F) === 0 && ((1 << _la) & 64512) !== 0))) {
                    (localContext as ComparisonContext)._operator = this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 66;
                this.value();
                }
                break;
            case 2:
                localContext = new MembershipContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 68;
                this.key();
                this.state = 73;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case FilterParser.IN:
                    {
                    this.state = 69;
                    this.match(FilterParser.IN);
                    }
                    break;
                case FilterParser.NIN:
                    {
                    this.state = 70;
                    this.match(FilterParser.NIN);
                    }
                    break;
                case FilterParser.NOT:
                    {
                    this.state = 71;
                    this.match(FilterParser.NOT);
                    this.state = 72;
                    this.match(FilterParser.IN);
                    }
                    break;
                default:
                    throw new antlr.NoViableAltException(this);
                }
                this.state = 75;
                this.list();
                }
                break;
            case 3:
                localContext = new NullTestContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 77;
                this.key();
                this.state = 78;
                this.match(FilterParser.IS);
                this.state = 80;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 3) {
                    {
                    this.state = 79;
                    this.match(FilterParser.NOT);
                    }
                }

                this.state = 82;
                this.match(FilterParser.NULL);
                }
                break;
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public key(): KeyContext {
        let localContext = new KeyContext(this.context, this.state);
        this.enterRule(localContext, 10, FilterParser.RULE_key);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 86;
            _la = this.tokenStream.LA(1);
            if(!(_la === 24 || _la === 25)) {
            this.errorHandler.recoverInline(this);
            }
            else {
                this.errorHandler.reportMatch(this);
                this.consume();
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public value(): ValueContext {
        let localContext = new ValueContext(this.context, this.state);
        this.enterRule(localContext, 12, FilterParser.RULE_value);
        let _la: number;
        try {
            this.state = 97;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.PLACEHOLDER:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 88;
                this.match(FilterParser.PLACEHOLDER);
                }
                break;
            case FilterParser.STRING:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 89;
                this.match(FilterParser.STRING);
                }
                break;
            case FilterParser.PLUS:
            case FilterParser.MINUS:
            case FilterParser.NUMBER:
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 91;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 16 || _la === 17) {
                    {
                    this.state = 90;
                    localContext._sign = this.tokenStream.LT(1);
                    _la = this.tokenStream.LA(1);
                    if(!(_la === 16 || _la === 17)) {
                        localContext._sign = this.errorHandler.recoverInline(this);
                    }
                    else {
                        this.errorHandler.reportMatch(this);
                        this.consume();
                    }
                    }
                }

                this.state = 93;
                this.match(FilterParser.NUMBER);
                }
                break;
            case FilterParser.TRUE:
                this.enterOuterAlt(localContext, 4);
                {
                this.state = 94;
                this.match(FilterParser.TRUE);
                }
                break;
            case FilterParser.FALSE:
                this.enterOuterAlt(localContext, 5);
                {
                this.state = 95;
                this.match(FilterParser.FALSE);
                }
                break;
            case FilterParser.NULL:
                this.enterOuterAlt(localContext, 6);
                {
                this.state = 96;
                this.match(FilterParser.NULL);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public list(): ListContext {
        let localContext = new ListContext(this.context, this.state);
        this.enterRule(localContext, 14, FilterParser.RULE_list);
        let _la: number;
        try {
            this.state = 112;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.PLACEHOLDER:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 99;
                this.match(FilterParser.PLACEHOLDER);
                }
                break;
            case FilterParser.LEFT_BRACKET:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 100;
                this.match(FilterParser.LEFT_BRACKET);
                this.state = 109;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 176358272) !== 0)) {
                    {
                    this.state = 101;
                    this.value();
                    this.state = 106;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 22) {
                        {
                        {
                        this.state = 102;
                        this.match(FilterParser.COMMA);
                        this.state = 103;
                        this.value();
                        }
                        }
                        this.state = 108;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    }
                }

                this.state = 111;
                this.match(FilterParser.RIGHT_BRACKET);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }

    public override sempred(localContext: antlr.ParserRuleContext | null, ruleIndex: number, predIndex: number): boolean {
        switch (ruleIndex) {
        case 1:
            return this.expression_sempred(localContext as ExpressionContext, predIndex);
        case 3:
            return this.legacyExpression_sempred(localContext as LegacyExpressionContext, predIndex);
        }
        return true;
    }
    private expression_sempred(localContext: ExpressionContext | null, predIndex: number): boolean {
        switch (predIndex) {
        case 0:
            return this.precpred(this.context, 4);
        case 1:
            return this.precpred(this.context, 3);
        }
        return true;
    }
    private legacyExpression_sempred(localContext: LegacyExpressionContext | null, predIndex: number): boolean {
        switch (predIndex) {
        case 2:
            return this.precpred(this.context, 5);
        case 3:
            return this.precpred(this.context, 4);
        }
        return true;
    }

    public static readonly _serializedATN: number[] = [
        4,1,29,115,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,1,0,1,0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1,28,8,1,
        1,1,1,1,1,1,1,1,1,1,1,1,5,1,36,8,1,10,1,12,1,39,9,1,1,2,1,2,1,2,
        1,3,1,3,1,3,1,3,1,3,1,3,1,3,1,3,3,3,52,8,3,1,3,1,3,1,3,1,3,1,3,1,
        3,5,3,60,8,3,10,3,12,3,63,9,3,1,4,1,4,1,4,1,4,1,4,1,4,1,4,1,4,1,
        4,3,4,74,8,4,1,4,1,4,1,4,1,4,1,4,3,4,81,8,4,1,4,1,4,3,4,85,8,4,1,
        5,1,5,1,6,1,6,1,6,3,6,92,8,6,1,6,1,6,1,6,1,6,3,6,98,8,6,1,7,1,7,
        1,7,1,7,1,7,5,7,105,8,7,10,7,12,7,108,9,7,3,7,110,8,7,1,7,3,7,113,
        8,7,1,7,0,2,2,6,8,0,2,4,6,8,10,12,14,0,3,1,0,10,15,1,0,24,25,1,0,
        16,17,128,0,16,1,0,0,0,2,27,1,0,0,0,4,40,1,0,0,0,6,51,1,0,0,0,8,
        84,1,0,0,0,10,86,1,0,0,0,12,97,1,0,0,0,14,112,1,0,0,0,16,17,3,2,
        1,0,17,18,5,0,0,1,18,1,1,0,0,0,19,20,6,1,-1,0,20,21,5,3,0,0,21,28,
        3,2,1,5,22,23,5,18,0,0,23,24,3,2,1,0,24,25,5,19,0,0,25,28,1,0,0,
        0,26,28,3,8,4,0,27,19,1,0,0,0,27,22,1,0,0,0,27,26,1,0,0,0,28,37,
        1,0,0,0,29,30,10,4,0,0,30,31,5,1,0,0,31,36,3,2,1,5,32,33,10,3,0,
        0,33,34,5,2,0,0,34,36,3,2,1,4,35,29,1,0,0,0,35,32,1,0,0,0,36,39,
        1,0,0,0,37,35,1,0,0,0,37,38,1,0,0,0,38,3,1,0,0,0,39,37,1,0,0,0,40,
        41,3,6,3,0,41,42,5,0,0,1,42,5,1,0,0,0,43,44,6,3,-1,0,44,45,5,3,0,
        0,45,52,3,6,3,3,46,47,5,18,0,0,47,48,3,6,3,0,48,49,5,19,0,0,49,52,
        1,0,0,0,50,52,3,8,4,0,51,43,1,0,0,0,51,46,1,0,0,0,51,50,1,0,0,0,
        52,61,1,0,0,0,53,54,10,5,0,0,54,55,5,1,0,0,55,60,3,6,3,6,56,57,10,
        4,0,0,57,58,5,2,0,0,58,60,3,6,3,5,59,53,1,0,0,0,59,56,1,0,0,0,60,
        63,1,0,0,0,61,59,1,0,0,0,61,62,1,0,0,0,62,7,1,0,0,0,63,61,1,0,0,
        0,64,65,3,10,5,0,65,66,7,0,0,0,66,67,3,12,6,0,67,85,1,0,0,0,68,73,
        3,10,5,0,69,74,5,4,0,0,70,74,5,5,0,0,71,72,5,3,0,0,72,74,5,4,0,0,
        73,69,1,0,0,0,73,70,1,0,0,0,73,71,1,0,0,0,74,75,1,0,0,0,75,76,3,
        14,7,0,76,85,1,0,0,0,77,78,3,10,5,0,78,80,5,6,0,0,79,81,5,3,0,0,
        80,79,1,0,0,0,80,81,1,0,0,0,81,82,1,0,0,0,82,83,5,7,0,0,83,85,1,
        0,0,0,84,64,1,0,0,0,84,68,1,0,0,0,84,77,1,0,0,0,85,9,1,0,0,0,86,
        87,7,1,0,0,87,11,1,0,0,0,88,98,5,27,0,0,89,98,5,25,0,0,90,92,7,2,
        0,0,91,90,1,0,0,0,91,92,1,0,0,0,92,93,1,0,0,0,93,98,5,23,0,0,94,
        98,5,8,0,0,95,98,5,9,0,0,96,98,5,7,0,0,97,88,1,0,0,0,97,89,1,0,0,
        0,97,91,1,0,0,0,97,94,1,0,0,0,97,95,1,0,0,0,97,96,1,0,0,0,98,13,
        1,0,0,0,99,113,5,27,0,0,100,109,5,20,0,0,101,106,3,12,6,0,102,103,
        5,22,0,0,103,105,3,12,6,0,104,102,1,0,0,0,105,108,1,0,0,0,106,104,
        1,0,0,0,106,107,1,0,0,0,107,110,1,0,0,0,108,106,1,0,0,0,109,101,
        1,0,0,0,109,110,1,0,0,0,110,111,1,0,0,0,111,113,5,21,0,0,112,99,
        1,0,0,0,112,100,1,0,0,0,113,15,1,0,0,0,14,27,35,37,51,59,61,73,80,
        84,91,97,106,109,112
    ];

    private static __ATN: antlr.ATN;
    public static get _ATN(): antlr.ATN {
        if (!FilterParser.__ATN) {
            FilterParser.__ATN = new antlr.ATNDeserializer().deserialize(FilterParser._serializedATN);
        }

        return FilterParser.__ATN;
    }


    private static readonly vocabulary = new antlr.Vocabulary(FilterParser.literalNames, FilterParser.symbolicNames, []);

    public override get vocabulary(): antlr.Vocabulary {
        return FilterParser.vocabulary;
    }

    private static __decisionsToDFA: antlr.DFA[] | undefined;
    private static get decisionsToDFA(): antlr.DFA[] {
        return this.__decisionsToDFA ??= FilterParser._ATN.decisionToState.map( (ds: antlr.DecisionState, index: number) => new antlr.DFA(ds, index) );
    }
}

export class FilterContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public EOF(): antlr.TerminalNode {
        return this.getToken(FilterParser.EOF, 0)!;
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_filter;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitFilter) {
            return visitor.visitFilter(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}


export class ExpressionContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_expression;
    }
    public override copyFrom(ctx: ExpressionContext): void {
        super.copyFrom(ctx);
    }
}
export class NotContext extends ExpressionContext {
    public _operand?: ExpressionContext;
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public NOT(): antlr.TerminalNode {
        return this.getToken(FilterParser.NOT, 0)!;
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitNot) {
            return visitor.visitNot(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class GroupContext extends ExpressionContext {
    public _content?: ExpressionContext;
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public LEFT_PARENTHESIS(): antlr.TerminalNode {
        return this.getToken(FilterParser.LEFT_PARENTHESIS, 0)!;
    }
    public RIGHT_PARENTHESIS(): antlr.TerminalNode {
        return this.getToken(FilterParser.RIGHT_PARENTHESIS, 0)!;
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitGroup) {
            return visitor.visitGroup(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class LeafContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public predicate(): PredicateContext {
        return this.getRuleContext(0, PredicateContext)!;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitLeaf) {
            return visitor.visitLeaf(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class AndContext extends ExpressionContext {
    public _left?: ExpressionContext;
    public _right?: ExpressionContext;
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public AND(): antlr.TerminalNode {
        return this.getToken(FilterParser.AND, 0)!;
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitAnd) {
            return visitor.visitAnd(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class OrContext extends ExpressionContext {
    public _left?: ExpressionContext;
    public _right?: ExpressionContext;
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public OR(): antlr.TerminalNode {
        return this.getToken(FilterParser.OR, 0)!;
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitOr) {
            return visitor.visitOr(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}


export class LegacyFilterContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public legacyExpression(): LegacyExpressionContext {
        return this.getRuleContext(0, LegacyExpressionContext)!;
    }
    public EOF(): antlr.TerminalNode {
        return this.getToken(FilterParser.EOF, 0)!;
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_legacyFilter;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitLegacyFilter) {
            return visitor.visitLegacyFilter(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}


export class LegacyExpressionContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_legacyExpression;
    }
    public override copyFrom(ctx: LegacyExpressionContext): void {
        super.copyFrom(ctx);
    }
}
export class LegacyNotContext extends LegacyExpressionContext {
    public _operand?: LegacyExpressionContext;
    public constructor(ctx: LegacyExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public NOT(): antlr.TerminalNode {
        return this.getToken(FilterParser.NOT, 0)!;
    }
    public legacyExpression(): LegacyExpressionContext {
        return this.getRuleContext(0, LegacyExpressionContext)!;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitLegacyNot) {
            return visitor.visitLegacyNot(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class LegacyGroupContext extends LegacyExpressionContext {
    public _content?: LegacyExpressionContext;
    public constructor(ctx: LegacyExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public LEFT_PARENTHESIS(): antlr.TerminalNode {
        return this.getToken(FilterParser.LEFT_PARENTHESIS, 0)!;
    }
    public RIGHT_PARENTHESIS(): antlr.TerminalNode {
        return this.getToken(FilterParser.RIGHT_PARENTHESIS, 0)!;
    }
    public legacyExpression(): LegacyExpressionContext {
        return this.getRuleContext(0, LegacyExpressionContext)!;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitLegacyGroup) {
            return visitor.visitLegacyGroup(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class LegacyLeafContext extends LegacyExpressionContext {
    public constructor(ctx: LegacyExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public predicate(): PredicateContext {
        return this.getRuleContext(0, PredicateContext)!;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitLegacyLeaf) {
            return visitor.visitLegacyLeaf(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class LegacyAndContext extends LegacyExpressionContext {
    public _left?: LegacyExpressionContext;
    public _right?: LegacyExpressionContext;
    public constructor(ctx: LegacyExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public AND(): antlr.TerminalNode {
        return this.getToken(FilterParser.AND, 0)!;
    }
    public legacyExpression(): LegacyExpressionContext[];
    public legacyExpression(i: number): LegacyExpressionContext | null;
    public legacyExpression(i?: number): LegacyExpressionContext[] | LegacyExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(LegacyExpressionContext);
        }

        return this.getRuleContext(i, LegacyExpressionContext);
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitLegacyAnd) {
            return visitor.visitLegacyAnd(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class LegacyOrContext extends LegacyExpressionContext {
    public _left?: LegacyExpressionContext;
    public _right?: LegacyExpressionContext;
    public constructor(ctx: LegacyExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public OR(): antlr.TerminalNode {
        return this.getToken(FilterParser.OR, 0)!;
    }
    public legacyExpression(): LegacyExpressionContext[];
    public legacyExpression(i: number): LegacyExpressionContext | null;
    public legacyExpression(i?: number): LegacyExpressionContext[] | LegacyExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(LegacyExpressionContext);
        }

        return this.getRuleContext(i, LegacyExpressionContext);
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitLegacyOr) {
            return visitor.visitLegacyOr(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}


export class PredicateContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_predicate;
    }
    public override copyFrom(ctx: PredicateContext): void {
        super.copyFrom(ctx);
    }
}
export class ComparisonContext extends PredicateContext {
    public _operator?: Token | null;
    public constructor(ctx: PredicateContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public key(): KeyContext {
        return this.getRuleContext(0, KeyContext)!;
    }
    public value(): ValueContext {
        return this.getRuleContext(0, ValueContext)!;
    }
    public EQ(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.EQ, 0);
    }
    public NE(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.NE, 0);
    }
    public GT(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.GT, 0);
    }
    public GTE(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.GTE, 0);
    }
    public LT(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.LT, 0);
    }
    public LTE(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.LTE, 0);
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitComparison) {
            return visitor.visitComparison(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class MembershipContext extends PredicateContext {
    public constructor(ctx: PredicateContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public key(): KeyContext {
        return this.getRuleContext(0, KeyContext)!;
    }
    public list(): ListContext {
        return this.getRuleContext(0, ListContext)!;
    }
    public IN(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.IN, 0);
    }
    public NIN(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.NIN, 0);
    }
    public NOT(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.NOT, 0);
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitMembership) {
            return visitor.visitMembership(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
export class NullTestContext extends PredicateContext {
    public constructor(ctx: PredicateContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public key(): KeyContext {
        return this.getRuleContext(0, KeyContext)!;
    }
    public IS(): antlr.TerminalNode {
        return this.getToken(FilterParser.IS, 0)!;
    }
    public NULL(): antlr.TerminalNode {
        return this.getToken(FilterParser.NULL, 0)!;
    }
    public NOT(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.NOT, 0);
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitNullTest) {
            return visitor.visitNullTest(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}


export class KeyContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public NAME(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.NAME, 0);
    }
    public STRING(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.STRING, 0);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_key;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitKey) {
            return visitor.visitKey(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}


export class ValueContext extends antlr.ParserRuleContext {
    public _sign?: Token | null;
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public PLACEHOLDER(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.PLACEHOLDER, 0);
    }
    public STRING(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.STRING, 0);
    }
    public NUMBER(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.NUMBER, 0);
    }
    public PLUS(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.PLUS, 0);
    }
    public MINUS(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.MINUS, 0);
    }
    public TRUE(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.TRUE, 0);
    }
    public FALSE(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.FALSE, 0);
    }
    public NULL(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.NULL, 0);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_value;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitValue) {
            return visitor.visitValue(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}


export class ListContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public PLACEHOLDER(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.PLACEHOLDER, 0);
    }
    public LEFT_BRACKET(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.LEFT_BRACKET, 0);
    }
    public RIGHT_BRACKET(): antlr.TerminalNode | null {
        return this.getToken(FilterParser.RIGHT_BRACKET, 0);
    }
    public value(): ValueContext[];
    public value(i: number): ValueContext | null;
    public value(i?: number): ValueContext[] | ValueContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ValueContext);
        }

        return this.getRuleContext(i, ValueContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(FilterParser.COMMA);
    	} else {
    		return this.getToken(FilterParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_list;
    }
    public override accept<Result>(visitor: FilterVisitor<Result>): Result | null {
        if (visitor.visitList) {
            return visitor.visitList(this);
        } else {
            return visitor.visitChildren(this);
        }
    }
}
