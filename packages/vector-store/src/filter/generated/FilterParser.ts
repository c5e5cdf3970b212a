// Generated from Filter.g4 by tools/generate.mjs. Do not edit.
import * as antlr from "antlr4ng";
import { Token } from "antlr4ng";



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
    public static readonly RULE_conjunction = 2;
    public static readonly RULE_negation = 3;
    public static readonly RULE_legacyFilter = 4;
    public static readonly RULE_legacyExpression = 5;
    public static readonly RULE_predicate = 6;
    public static readonly RULE_value = 7;
    public static readonly RULE_list = 8;

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
        "filter", "expression", "conjunction", "negation", "legacyFilter", 
        "legacyExpression", "predicate", "value", "list",
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
            this.state = 18;
            localContext._content = this.expression();
            this.state = 19;
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
    public expression(): ExpressionContext {
        let localContext = new ExpressionContext(this.context, this.state);
        this.enterRule(localContext, 2, FilterParser.RULE_expression);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 21;
            localContext._conjunction = this.conjunction();
            localContext._operands.push(localContext._conjunction!);
            this.state = 26;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 2) {
                {
                {
                this.state = 22;
                this.match(FilterParser.OR);
                this.state = 23;
                localContext._conjunction = this.conjunction();
                localContext._operands.push(localContext._conjunction!);
                }
                }
                this.state = 28;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
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
    public conjunction(): ConjunctionContext {
        let localContext = new ConjunctionContext(this.context, this.state);
        this.enterRule(localContext, 4, FilterParser.RULE_conjunction);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 29;
            localContext._negation = this.negation();
            localContext._operands.push(localContext._negation!);
            this.state = 34;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 1) {
                {
                {
                this.state = 30;
                this.match(FilterParser.AND);
                this.state = 31;
                localContext._negation = this.negation();
                localContext._operands.push(localContext._negation!);
                }
                }
                this.state = 36;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
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
    public negation(): NegationContext {
        let localContext = new NegationContext(this.context, this.state);
        this.enterRule(localContext, 6, FilterParser.RULE_negation);
        try {
            this.state = 44;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.NOT:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 37;
                this.match(FilterParser.NOT);
                this.state = 38;
                localContext._operand = this.negation();
                }
                break;
            case FilterParser.LEFT_PARENTHESIS:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 39;
                this.match(FilterParser.LEFT_PARENTHESIS);
                this.state = 40;
                localContext._content = this.expression();
                this.state = 41;
                this.match(FilterParser.RIGHT_PARENTHESIS);
                }
                break;
            case FilterParser.NAME:
            case FilterParser.STRING:
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 43;
                localContext._leaf = this.predicate();
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
    public legacyFilter(): LegacyFilterContext {
        let localContext = new LegacyFilterContext(this.context, this.state);
        this.enterRule(localContext, 8, FilterParser.RULE_legacyFilter);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 46;
            localContext._content = this.legacyExpression(0);
            this.state = 47;
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
        let _startState = 10;
        this.enterRecursionRule(localContext, 10, FilterParser.RULE_legacyExpression, _p);
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 57;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.NOT:
                {
                this.state = 50;
                this.match(FilterParser.NOT);
                this.state = 51;
                localContext._operand = this.legacyExpression(3);
                }
                break;
            case FilterParser.LEFT_PARENTHESIS:
                {
                this.state = 52;
                this.match(FilterParser.LEFT_PARENTHESIS);
                this.state = 53;
                localContext._content = this.legacyExpression(0);
                this.state = 54;
                this.match(FilterParser.RIGHT_PARENTHESIS);
                }
                break;
            case FilterParser.NAME:
            case FilterParser.STRING:
                {
                this.state = 56;
                localContext._leaf = this.predicate();
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 67;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 5, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 65;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 4, this.context) ) {
                    case 1:
                        {
                        localContext = new LegacyExpressionContext(parentContext, parentState);
                        localContext._left = previousContext;
                        this.pushNewRecursionContext(localContext, _startState, FilterParser.RULE_legacyExpression);
                        this.state = 59;
                        if (!(this.precpred(this.context, 5))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 5)");
                        }
                        this.state = 60;
                        localContext._operator = this.match(FilterParser.AND);
                        this.state = 61;
                        localContext._right = this.legacyExpression(6);
                        }
                        break;
                    case 2:
                        {
                        localContext = new LegacyExpressionContext(parentContext, parentState);
                        localContext._left = previousContext;
                        this.pushNewRecursionContext(localContext, _startState, FilterParser.RULE_legacyExpression);
                        this.state = 62;
                        if (!(this.precpred(this.context, 4))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 4)");
                        }
                        this.state = 63;
                        localContext._operator = this.match(FilterParser.OR);
                        this.state = 64;
                        localContext._right = this.legacyExpression(5);
                        }
                        break;
                    }
                    }
                }
                this.state = 69;
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
        this.enterRule(localContext, 12, FilterParser.RULE_predicate);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 70;
            localContext._left = this.tokenStream.LT(1);
            _la = this.tokenStream.LA(1);
            if(!(_la === 24 || _la === 25)) {
                localContext._left = this.errorHandler.recoverInline(this);
            }
            else {
                this.errorHandler.reportMatch(this);
                this.consume();
            }
            this.state = 85;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.EQ:
            case FilterParser.NE:
            case FilterParser.GTE:
            case FilterParser.GT:
            case FilterParser.LTE:
            case FilterParser.LT:
                {
                this.state = 71;
                localContext._operator = this.tokenStream.LT(1);
                _la = this.tokenStream.LA(1);
                if(!((((_la) & ~0x1F) === 0 && ((1 << _la) & 64512) !== 0))) {
                    localContext._operator = this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 72;
                localContext._right = this.value();
                }
                break;
            case FilterParser.NOT:
            case FilterParser.IN:
            case FilterParser.NIN:
                {
                this.state = 77;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case FilterParser.IN:
                    {
                    this.state = 73;
                    this.match(FilterParser.IN);
                    }
                    break;
                case FilterParser.NIN:
                    {
                    this.state = 74;
                    localContext._negated = this.match(FilterParser.NIN);
                    }
                    break;
                case FilterParser.NOT:
                    {
                    this.state = 75;
                    localContext._negated = this.match(FilterParser.NOT);
                    this.state = 76;
                    this.match(FilterParser.IN);
                    }
                    break;
                default:
                    throw new antlr.NoViableAltException(this);
                }
                this.state = 79;
                localContext._members = this.list();
                }
                break;
            case FilterParser.IS:
                {
                this.state = 80;
                this.match(FilterParser.IS);
                this.state = 82;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 3) {
                    {
                    this.state = 81;
                    localContext._negated = this.match(FilterParser.NOT);
                    }
                }

                this.state = 84;
                this.match(FilterParser.NULL);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
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
        this.enterRule(localContext, 14, FilterParser.RULE_value);
        let _la: number;
        try {
            this.state = 96;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.PLACEHOLDER:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 87;
                this.match(FilterParser.PLACEHOLDER);
                }
                break;
            case FilterParser.STRING:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 88;
                this.match(FilterParser.STRING);
                }
                break;
            case FilterParser.PLUS:
            case FilterParser.MINUS:
            case FilterParser.NUMBER:
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 90;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 16 || _la === 17) {
                    {
                    this.state = 89;
                    _la = this.tokenStream.LA(1);
                    if(!(_la === 16 || _la === 17)) {
                    this.errorHandler.recoverInline(this);
                    }
                    else {
                        this.errorHandler.reportMatch(this);
                        this.consume();
                    }
                    }
                }

                this.state = 92;
                localContext._digits = this.match(FilterParser.NUMBER);
                }
                break;
            case FilterParser.TRUE:
                this.enterOuterAlt(localContext, 4);
                {
                this.state = 93;
                this.match(FilterParser.TRUE);
                }
                break;
            case FilterParser.FALSE:
                this.enterOuterAlt(localContext, 5);
                {
                this.state = 94;
                this.match(FilterParser.FALSE);
                }
                break;
            case FilterParser.NULL:
                this.enterOuterAlt(localContext, 6);
                {
                this.state = 95;
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
        this.enterRule(localContext, 16, FilterParser.RULE_list);
        let _la: number;
        try {
            this.state = 111;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case FilterParser.PLACEHOLDER:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 98;
                this.match(FilterParser.PLACEHOLDER);
                }
                break;
            case FilterParser.LEFT_BRACKET:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 99;
                this.match(FilterParser.LEFT_BRACKET);
                this.state = 108;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 176358272) !== 0)) {
                    {
                    this.state = 100;
                    localContext._value = this.value();
                    localContext._items.push(localContext._value!);
                    this.state = 105;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 22) {
                        {
                        {
                        this.state = 101;
                        this.match(FilterParser.COMMA);
                        this.state = 102;
                        localContext._value = this.value();
                        localContext._items.push(localContext._value!);
                        }
                        }
                        this.state = 107;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    }
                }

                this.state = 110;
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
        case 5:
            return this.legacyExpression_sempred(localContext as LegacyExpressionContext, predIndex);
        }
        return true;
    }
    private legacyExpression_sempred(localContext: LegacyExpressionContext | null, predIndex: number): boolean {
        switch (predIndex) {
        case 0:
            return this.precpred(this.context, 5);
        case 1:
            return this.precpred(this.context, 4);
        }
        return true;
    }

    public static readonly _serializedATN: number[] = [
        4,1,29,114,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,1,0,1,0,1,0,1,1,1,1,1,1,5,1,25,8,1,10,1,12,1,28,
        9,1,1,2,1,2,1,2,5,2,33,8,2,10,2,12,2,36,9,2,1,3,1,3,1,3,1,3,1,3,
        1,3,1,3,3,3,45,8,3,1,4,1,4,1,4,1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,5,3,
        5,58,8,5,1,5,1,5,1,5,1,5,1,5,1,5,5,5,66,8,5,10,5,12,5,69,9,5,1,6,
        1,6,1,6,1,6,1,6,1,6,1,6,3,6,78,8,6,1,6,1,6,1,6,3,6,83,8,6,1,6,3,
        6,86,8,6,1,7,1,7,1,7,3,7,91,8,7,1,7,1,7,1,7,1,7,3,7,97,8,7,1,8,1,
        8,1,8,1,8,1,8,5,8,104,8,8,10,8,12,8,107,9,8,3,8,109,8,8,1,8,3,8,
        112,8,8,1,8,0,1,10,9,0,2,4,6,8,10,12,14,16,0,3,1,0,24,25,1,0,10,
        15,1,0,16,17,126,0,18,1,0,0,0,2,21,1,0,0,0,4,29,1,0,0,0,6,44,1,0,
        0,0,8,46,1,0,0,0,10,57,1,0,0,0,12,70,1,0,0,0,14,96,1,0,0,0,16,111,
        1,0,0,0,18,19,3,2,1,0,19,20,5,0,0,1,20,1,1,0,0,0,21,26,3,4,2,0,22,
        23,5,2,0,0,23,25,3,4,2,0,24,22,1,0,0,0,25,28,1,0,0,0,26,24,1,0,0,
        0,26,27,1,0,0,0,27,3,1,0,0,0,28,26,1,0,0,0,29,34,3,6,3,0,30,31,5,
        1,0,0,31,33,3,6,3,0,32,30,1,0,0,0,33,36,1,0,0,0,34,32,1,0,0,0,34,
        35,1,0,0,0,35,5,1,0,0,0,36,34,1,0,0,0,37,38,5,3,0,0,38,45,3,6,3,
        0,39,40,5,18,0,0,40,41,3,2,1,0,41,42,5,19,0,0,42,45,1,0,0,0,43,45,
        3,12,6,0,44,37,1,0,0,0,44,39,1,0,0,0,44,43,1,0,0,0,45,7,1,0,0,0,
        46,47,3,10,5,0,47,48,5,0,0,1,48,9,1,0,0,0,49,50,6,5,-1,0,50,51,5,
        3,0,0,51,58,3,10,5,3,52,53,5,18,0,0,53,54,3,10,5,0,54,55,5,19,0,
        0,55,58,1,0,0,0,56,58,3,12,6,0,57,49,1,0,0,0,57,52,1,0,0,0,57,56,
        1,0,0,0,58,67,1,0,0,0,59,60,10,5,0,0,60,61,5,1,0,0,61,66,3,10,5,
        6,62,63,10,4,0,0,63,64,5,2,0,0,64,66,3,10,5,5,65,59,1,0,0,0,65,62,
        1,0,0,0,66,69,1,0,0,0,67,65,1,0,0,0,67,68,1,0,0,0,68,11,1,0,0,0,
        69,67,1,0,0,0,70,85,7,0,0,0,71,72,7,1,0,0,72,86,3,14,7,0,73,78,5,
        4,0,0,74,78,5,5,0,0,75,76,5,3,0,0,76,78,5,4,0,0,77,73,1,0,0,0,77,
        74,1,0,0,0,77,75,1,0,0,0,78,79,1,0,0,0,79,86,3,16,8,0,80,82,5,6,
        0,0,81,83,5,3,0,0,82,81,1,0,0,0,82,83,1,0,0,0,83,84,1,0,0,0,84,86,
        5,7,0,0,85,71,1,0,0,0,85,77,1,0,0,0,85,80,1,0,0,0,86,13,1,0,0,0,
        87,97,5,27,0,0,88,97,5,25,0,0,89,91,7,2,0,0,90,89,1,0,0,0,90,91,
        1,0,0,0,91,92,1,0,0,0,92,97,5,23,0,0,93,97,5,8,0,0,94,97,5,9,0,0,
        95,97,5,7,0,0,96,87,1,0,0,0,96,88,1,0,0,0,96,90,1,0,0,0,96,93,1,
        0,0,0,96,94,1,0,0,0,96,95,1,0,0,0,97,15,1,0,0,0,98,112,5,27,0,0,
        99,108,5,20,0,0,100,105,3,14,7,0,101,102,5,22,0,0,102,104,3,14,7,
        0,103,101,1,0,0,0,104,107,1,0,0,0,105,103,1,0,0,0,105,106,1,0,0,
        0,106,109,1,0,0,0,107,105,1,0,0,0,108,100,1,0,0,0,108,109,1,0,0,
        0,109,110,1,0,0,0,110,112,5,21,0,0,111,98,1,0,0,0,111,99,1,0,0,0,
        112,17,1,0,0,0,14,26,34,44,57,65,67,77,82,85,90,96,105,108,111
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
    declare public _content?: ExpressionContext;
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_filter;
    }
}


export class ExpressionContext extends antlr.ParserRuleContext {
    declare public _conjunction?: ConjunctionContext;
    public _operands: ConjunctionContext[] = [];
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_expression;
    }
}


export class ConjunctionContext extends antlr.ParserRuleContext {
    declare public _negation?: NegationContext;
    public _operands: NegationContext[] = [];
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_conjunction;
    }
}


export class NegationContext extends antlr.ParserRuleContext {
    declare public _operand?: NegationContext;
    declare public _content?: ExpressionContext;
    declare public _leaf?: PredicateContext;
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_negation;
    }
}


export class LegacyFilterContext extends antlr.ParserRuleContext {
    declare public _content?: LegacyExpressionContext;
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_legacyFilter;
    }
}


export class LegacyExpressionContext extends antlr.ParserRuleContext {
    declare public _left?: LegacyExpressionContext;
    declare public _operand?: LegacyExpressionContext;
    declare public _content?: LegacyExpressionContext;
    declare public _leaf?: PredicateContext;
    declare public _operator?: Token | null;
    declare public _right?: LegacyExpressionContext;
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_legacyExpression;
    }
}


export class PredicateContext extends antlr.ParserRuleContext {
    declare public _left?: Token | null;
    declare public _operator?: Token | null;
    declare public _right?: ValueContext;
    declare public _negated?: Token | null;
    declare public _members?: ListContext;
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_predicate;
    }
}


export class ValueContext extends antlr.ParserRuleContext {
    declare public _digits?: Token | null;
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_value;
    }
}


export class ListContext extends antlr.ParserRuleContext {
    declare public _value?: ValueContext;
    public _items: ValueContext[] = [];
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return FilterParser.RULE_list;
    }
}
