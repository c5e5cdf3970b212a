/** In a string of its own: nothing that is judged gets into it. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#5a626d;--line:#d5dae1;--pass:#1a7f37;--fail:#b42318;--open:#8a6100;--broken:#6b7280;--score:#2457c5}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ee;--paper:#14171b;--soft:#9aa4b2;--line:#343b45;--pass:#4ac26b;--fail:#ff8378;--open:#e0b040;--broken:#8b95a3;--score:#7aa7ff}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:72rem;margin:2rem auto;padding:0 1rem}
h1,h2{line-height:1.2}p,caption{color:var(--soft)}caption{text-align:start;padding:.5rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:1rem 0}
th,td{border-bottom:1px solid var(--line);padding:.4rem .6rem;text-align:start;vertical-align:top}
td.number,th.number{text-align:end;font-variant-numeric:tabular-nums}
td.text{white-space:pre-wrap;overflow-wrap:anywhere;min-width:12rem}
rect.pass,circle.pass{fill:var(--pass)}rect.fail,circle.fail{fill:var(--fail)}rect.open,circle.open{fill:var(--open)}rect.broken{fill:var(--broken)}rect.score{fill:var(--score)}
.axis{stroke:var(--soft)}.whisker{stroke-width:2}.whisker.pass{stroke:var(--pass)}.whisker.fail{stroke:var(--fail)}.whisker.open{stroke:var(--open)}
svg text{fill:var(--ink);font-size:12px}svg{max-width:100%;height:auto}
.verdict-pass{color:var(--pass)}.verdict-fail{color:var(--fail)}.verdict-inconclusive,.error{color:var(--open)}
`;
