/** The look of an exported page; both colour schemes, as the reader's system wishes. */
export const conversationStyle = `
:root { color-scheme: light dark; --ground: #fbfaf8; --raised: #fff; --line: #dedad3; --ink: #1d1c1a; --soft: #5d5a54; --good: #22633f; --bad: #9b2c1f; --added: #dff1e4; --removed: #fae3df; --person: #eef2f7; }
@media (prefers-color-scheme: dark) { :root { --ground: #171716; --raised: #1f1f1d; --line: #393833; --ink: #ecebe7; --soft: #aaa79f; --good: #7cc79a; --bad: #f0998c; --added: #1c3526; --removed: #442320; --person: #20262d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; padding-bottom: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: .85rem; color: var(--soft); margin: 0 0 .35rem; font-weight: 600; }
h2 time { font-weight: 400; margin-inline-start: .5rem; }
dl { margin: 0; } dl div { display: flex; gap: .75rem; } dt { color: var(--soft); min-width: 4rem; } dd { margin: 0; }
.remark { color: var(--soft); font-size: .9rem; margin: .75rem 0 0; }
.person { background: var(--person); border-radius: .6rem; padding: .8rem 1rem; margin: 2rem 0 1rem; }
p { white-space: pre-wrap; unicode-bidi: plaintext; }
p { margin: .6rem 0; }
.heading { font-weight: 650; margin-top: 1.2rem; }
.item { padding-inline-start: 1rem; margin: .25rem 0; } .depth1 { padding-inline-start: 2rem; } .depth2 { padding-inline-start: 3rem; } .depth3 { padding-inline-start: 4rem; }
.summary { border-inline-start: 3px solid var(--line); padding-inline-start: 1rem; color: var(--soft); }
.notice { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem; font-size: .9rem; color: var(--soft); } .warning, .error { color: var(--bad); }
.call { background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .75rem; font-size: .9rem; }
.call .call { margin-inline-start: .75rem; }
summary { cursor: pointer; }
.outcome { color: var(--soft); white-space: nowrap; } .good { color: var(--good); } .bad { color: var(--bad); }
code, pre { font-family: ui-monospace, "SF Mono", Consolas, monospace; font-size: .85rem; }
code { unicode-bidi: isolate; }
pre { margin: .6rem 0 .3rem; padding: .7rem; overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem; overflow-wrap: normal; unicode-bidi: plaintext; }
.change > * { display: block; min-height: 1.6em; }
ins { background: var(--added); text-decoration: none; } del { background: var(--removed); text-decoration: none; } .place { color: var(--soft); }
@media print { .call { break-inside: avoid; } body { max-width: none; } }
`;
