// The style sheet of the consent page and the error page: light and dark, for narrow and wide screens.
import { createHash } from 'node:crypto'

/** The CSS is embedded in the pages, because they load nothing from other servers. */
export const CONSENT_STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f2f1ec, #121412);
  --card: light-dark(#ffffff, #1b1e1b);
  --inset: light-dark(#f8f7f3, #222622);
  --line: light-dark(#e0ded5, #343a35);
  --edge: light-dark(#8a897f, #7b847d);
  --text: light-dark(#20211d, #eceee9);
  --soft: light-dark(#5c5c56, #a9b0aa);
  --accent: light-dark(#1f5c4a, #7fd1b2);
  --on-accent: light-dark(#ffffff, #0c1f18);
  --tint: light-dark(#e7f1ec, #1d3029);
  --alarm: light-dark(#a3262a, #ff9b96);
  --shadow: light-dark(rgb(32 33 29 / 8%), rgb(0 0 0 / 40%));
}
* { box-sizing: border-box; margin: 0; }
html { font: 16px/1.5 system-ui, sans-serif; background: var(--page); color: var(--text); -webkit-text-size-adjust: 100%; }
body { display: grid; place-items: center; min-height: 100vh; min-height: 100dvh; padding: 1rem; }
main { display: grid; gap: 1.75rem; width: 100%; max-width: 27rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 1.25rem; box-shadow: 0 1rem 3rem -1rem var(--shadow); }
h1 { margin-top: 1rem; font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 0.875rem; font-weight: 600; color: var(--soft); }
bdi, .address { overflow-wrap: anywhere; }
.mark { display: flex; align-items: center; gap: 0.625rem; font-size: 0.875rem; color: var(--soft); }
.mark svg { width: 2.25rem; height: 2.25rem; flex: none; color: var(--accent); }
.lead { margin-top: 0.5rem; font-size: 1.0625rem; overflow-wrap: anywhere; }
.soft { margin-top: 0.375rem; font-size: 0.875rem; color: var(--soft); }
.choices { display: grid; gap: 1.5rem; align-content: start; min-width: 0; }
ul { list-style: none; padding: 0; margin-top: 0.625rem; border: 1px solid var(--line); border-radius: 0.875rem; overflow: hidden; }
li + li { border-top: 1px solid var(--line); }
button { font: inherit; color: inherit; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.account { display: flex; align-items: center; gap: 0.875rem; width: 100%; min-height: 4rem; padding: 0.625rem 0.875rem; text-align: start; background: none; border: 0; transition: background-color 120ms; }
.account:hover { background: var(--tint); }
.account:focus-visible { outline-offset: -3px; border-radius: 0.875rem; }
.account img { width: 2.5rem; height: 2.5rem; border-radius: 50%; flex: none; }
.who { display: grid; flex: 1; min-width: 0; line-height: 1.35; }
.who bdi:first-child { font-weight: 550; }
.who bdi + bdi { font-size: 0.875rem; color: var(--soft); }
.badge { flex: none; padding: 0.125rem 0.5rem; font-size: 0.75rem; color: var(--accent); background: var(--tint); border-radius: 1rem; }
.account:hover .badge { background: var(--card); }
.account::after { content: ""; flex: none; width: 0.5rem; height: 0.5rem; margin-inline-end: 0.125rem; border: solid var(--edge); border-width: 2px 2px 0 0; rotate: 45deg; transition: translate 120ms; }
.account:hover::after { border-color: var(--accent); translate: 0.1875rem; }
.fields { display: grid; gap: 0.75rem; margin-top: 0.625rem; padding: 1rem; background: var(--inset); border: 1px solid var(--line); border-radius: 0.875rem; }
.field { display: grid; gap: 0.25rem; font-size: 0.875rem; min-width: 0; }
.field input { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; font-size: 1rem; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: 0.5rem; }
.field input[aria-invalid] { border-color: var(--alarm); }
.problem { color: var(--alarm); }
.check { display: flex; gap: 0.625rem; align-items: start; font-size: 0.875rem; color: var(--soft); }
.check input { width: 1.125rem; height: 1.125rem; margin: 0.125rem 0 0; flex: none; accent-color: var(--accent); }
.primary { min-height: 2.75rem; padding: 0.5rem 1rem; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: 0.5rem; transition: filter 120ms; }
.primary:hover { filter: brightness(1.12); }
.others { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.625rem; }
.others button { flex: 1; min-height: 2.75rem; padding: 0.5rem 1rem; white-space: nowrap; background: none; border: 1px solid var(--edge); border-radius: 0.5rem; transition: background-color 120ms; }
.others button:hover { background: var(--card); }
.alarm { color: var(--alarm); }
footer .soft { margin-top: 0.875rem; font-size: 0.8125rem; }
code { font: 0.875em ui-monospace, monospace; }
@media (max-width: 23rem) {
  body { padding: 0.5rem; }
  main { padding: 1.25rem 1rem; }
  .account { gap: 0.625rem; padding-inline: 0.625rem; }
}
@media (min-width: 52rem) {
  body { padding: 2rem; }
  main.wide { max-width: 60rem; padding: 0; gap: 0; overflow: hidden; grid-template: "head choices" 1fr "foot choices" auto / 5fr 7fr; }
  .wide::before { content: ""; grid-area: 1 / 1 / 3 / 2; background: linear-gradient(160deg, var(--tint), var(--inset) 55%); border-inline-end: 1px solid var(--line); }
  .wide header { grid-area: head; padding: 2.5rem 2.25rem 2rem; }
  .wide footer { grid-area: foot; padding: 0 2.25rem 2.5rem; }
  .wide h1 { margin-top: 1.75rem; font-size: 2.25rem; }
  .wide .choices { grid-area: choices; padding: 2.5rem 2.25rem; }
  .wide .others button { flex: none; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) { .primary { border: 1px solid; } .account img { forced-color-adjust: none; } }
`

/** The source for `style-src` that allows only this style sheet, by its hash. */
export const CONSENT_STYLE_SOURCE: string = `'sha256-${createHash('sha256').update(CONSENT_STYLE).digest('base64')}'`
