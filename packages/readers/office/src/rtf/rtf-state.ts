/** What becomes of the text of a group. */
export type Destination =
  | 'text'
  | 'skip'
  | 'fonts'
  | 'styles'
  | 'instruction'
  | 'marker'
  | 'info'
  | 'property'
  | 'time';

/** What holds inside a group; a group inside it begins with the same and changes a copy. */
export interface RtfState {
  destination: Destination;
  /** Of the property of the file, where the destination is one. */
  property: string;
  /** `\*` stood here: a word that is not known makes a group that is left out. */
  isOptional: boolean;
  /** Characters that stand for one in Unicode. */
  fallback: number;
  font: number;
  isHidden: boolean;
  isDeleted: boolean;
  isInTable: boolean;
  style: number;
  outline: number | undefined;
  listLevel: number;
  /** What is done when the group ends. */
  end: 'note' | 'box' | 'link' | undefined;
  isEndnote: boolean;
}

export function firstState(): RtfState {
  return {
    destination: 'text',
    property: '',
    isOptional: false,
    fallback: 1,
    font: -1,
    isHidden: false,
    isDeleted: false,
    isInTable: false,
    style: 0,
    outline: undefined,
    listLevel: 0,
    end: undefined,
    isEndnote: false,
  };
}

/** Groups that are no text of the page. */
export const LEFT_OUT: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'colortbl pict object objdata header headerl headerr headerf footer footerl footerr footerf listtable listoverridetable ' +
    'revtbl annotation atnid atnauthor atntime atndate atnref atnicn bkmkstart bkmkend xe tc tcn rxe nonshppict shppict shprslt sp filetbl ' +
    'themedata colorschememapping datastore latentstyles xmlnstbl rsidtbl generator pgptbl nesttableprops nonesttables fchars lchars pnseclvl pn ' +
    'mmathPr ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn template userprops docvar private'
  ).split(' '),
);

/** Groups with `\*` that hold text all the same. */
export const KNOWN_OPTIONAL: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'shpinst shptxt moMath moMathPara footnote listtext pntext fldinst'.split(' '),
);

/** Properties of the file. */
export const PROPERTIES: Readonly<Record<string, string>> = {
  ...{ title: 'document_title', author: 'author', subject: 'subject', keywords: 'keywords', doccomm: 'description' },
};
export const TIMES: Readonly<Record<string, string>> = { creatim: 'created', revtim: 'modified' };

/** Words that stand for a character. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  ...{
    tab: '\t',
    line: '\n',
    lbr: '\n',
    emdash: '—',
    endash: '–',
    bullet: '•',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
  },
  ...{ rdblquote: '”', emspace: ' ', enspace: ' ', qmspace: ' ', '~': ' ', _: '-' },
};
