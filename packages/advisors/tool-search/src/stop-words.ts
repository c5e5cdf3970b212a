/** Words of requests that say nothing about what is requested. */
const ENGLISH =
  'a about after all also am an and any are as at be been before being both but by can could did do does each for from had has have he help her here him his how i if in into is it its just let like may me might more most must my need no not now of on only or other our out over own please same shall she should so some such than that the their them then there these they this those to too us use used using very want was we were what when where which while who whom whose why will with would you your tool tools';
/** Pairs of characters, as `toolWords` makes them. */
const CHINESE =
  '一个 一下 一些 一份 一条 一张 一封 一台 这个 那个 这些 那些 什么 怎么 怎样 如何 哪些 哪个 可以 能否 能不 需要 想要 我要 我想 要把 请帮 帮我 给我 帮忙 我的 你的 他的 它的 现在 然后 以及 或者 并且 工具 使用 进行 用于 所有';

export const STOP_WORDS: ReadonlySet<string> = /* @__PURE__ */ new Set(`${ENGLISH} ${CHINESE}`.split(' '));
