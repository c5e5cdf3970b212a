// The filter language. `pnpm generate` turns this file into src/filter/generated.
//
// Every decision of the parser is made by the next token alone, which is what makes it quick; not so those of the legacy form.
// The lexer is total: whatever belongs to no token becomes UNTERMINATED or UNEXPECTED and is refused with its place before parsing. The
// product has a lexer by hand, which is quicker (filter-scanner.ts); the one that is generated from here is what it is tested against.
// Which letters a bare key may hold is checked there too, by Unicode property: the tables would make the lexer slow to load.
grammar Filter;

filter
  : content = expression EOF
  ;

// NOT binds tighter than AND, AND tighter than OR.
expression
  : operands += conjunction (OR operands += conjunction)*
  ;

conjunction
  : operands += negation (AND operands += negation)*
  ;

negation
  : NOT operand = negation
  | LEFT_PARENTHESIS content = expression RIGHT_PARENTHESIS
  | leaf = predicate
  ;

legacyFilter
  : content = legacyExpression EOF
  ;

// The precedence of Spring AI: NOT is the loosest operator and takes all that follows.
legacyExpression
  : left = legacyExpression operator = AND right = legacyExpression
  | left = legacyExpression operator = OR right = legacyExpression
  | NOT operand = legacyExpression
  | LEFT_PARENTHESIS content = legacyExpression RIGHT_PARENTHESIS
  | leaf = predicate
  ;

predicate
  : left = (NAME | STRING)
    ( operator = (EQ | NE | GT | GTE | LT | LTE) right = value
    | (IN | negated = NIN | negated = NOT IN) members = list
    | IS negated = NOT? NULL
    )
  ;

value
  : PLACEHOLDER
  | STRING
  | (PLUS | MINUS)? digits = NUMBER
  | TRUE
  | FALSE
  | NULL
  ;

list
  : PLACEHOLDER
  | LEFT_BRACKET (items += value (COMMA items += value)*)? RIGHT_BRACKET
  ;

AND : A N D | '&&';
OR : O R | '||';
NOT : N O T;
IN : I N;
NIN : N I N;
IS : I S;
NULL : N U L L;
TRUE : T R U E;
FALSE : F A L S E;

EQ : '==';
NE : '!=';
GTE : '>=';
GT : '>';
LTE : '<=';
LT : '<';
PLUS : '+';
MINUS : '-';
LEFT_PARENTHESIS : '(';
RIGHT_PARENTHESIS : ')';
LEFT_BRACKET : '[';
RIGHT_BRACKET : ']';
COMMA : ',';

// `L` is the suffix of a Java long.
NUMBER : (DIGIT+ ('.' DIGIT*)? | '.' DIGIT+) EXPONENT? | DIGIT+ [lL];
NAME : NAME_START NAME_PART* ('.' NAME_START NAME_PART*)*;
STRING : '\'' (ESCAPE | ~['\\])* '\'' | '"' (ESCAPE | ~["\\])* '"';
SPACE : [ \t\r\n]+ -> skip;

// Stands for a value of the tagged template; refused in ordinary text.
PLACEHOLDER : [\u{100000}-\u{10FFFD}];
UNTERMINATED : '\'' (ESCAPE | ~['\\])* '\\'? | '"' (ESCAPE | ~["\\])* '\\'?;
UNEXPECTED : .;

fragment ESCAPE : '\\' .;
fragment EXPONENT : E [+-]? DIGIT+;
fragment DIGIT : [0-9];
fragment NAME_START : [a-zA-Z_] | [\u0080-\u{FFFFF}];
fragment NAME_PART : NAME_START | DIGIT;
fragment A : [aA];
fragment D : [dD];
fragment E : [eE];
fragment F : [fF];
fragment I : [iI];
fragment L : [lL];
fragment N : [nN];
fragment O : [oO];
fragment R : [rR];
fragment S : [sS];
fragment T : [tT];
fragment U : [uU];
