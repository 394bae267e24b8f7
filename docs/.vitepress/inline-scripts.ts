// Moves the scripts that VitePress writes into each page into one file, because the emulator's security policy allows no scripts
// in pages (docs/decisions.md).

import { createHash } from 'node:crypto'

/**
 * Runs before a page shows, so that the page does not change its colours while it loads. States where the site's folder is, the
 * theme, which is the system's until the reader chooses another one, and whether shortcuts are those of macOS. The inspector's
 * colours need the attribute `data-theme`.
 */
export const BEFORE_PAGE_SCRIPT = `{
window.__VP_SITE_ROOT__ = new URL('..', document.currentScript.src).href
const root = document.documentElement
const chosen = localStorage.getItem('vitepress-theme-appearance') || 'auto'
const isDark = chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
root.classList.toggle('dark', isDark)
root.classList.toggle('mac', /Mac|iPhone|iPod|iPad/i.test(navigator.platform))
const followTheme = () => {
  root.dataset.theme = root.classList.contains('dark') ? 'dark' : 'light'
}
followTheme()
new MutationObserver(followTheme).observe(root, { attributeFilter: ['class'] })
}
`

/** The file, in the folder of the built site. Browsers keep files of this folder, so the name changes with the content. */
export const BEFORE_PAGE: string = `assets/before-page.${createHash('sha256').update(BEFORE_PAGE_SCRIPT).digest('hex').slice(0, 8)}.js`

/**
 * Returns the page with the file instead of its inline scripts, and with the site's icon.
 * @throws {Error} when a script is left, for example because a newer VitePress writes another one
 */
export function withoutInlineScripts(html: string): string {
  const [, way] = /__VP_SITE_ROOT__=new URL\("([^"]*)"/.exec(html) ?? []
  if (way === undefined) throw new Error('VitePress wrote a page without its site root.')
  const head = `<script src="${way}${BEFORE_PAGE}"></script>\n    <link rel="icon" type="image/svg+xml" href="${way}icon.svg">`
  const page = html
    .replace(/<script>window\.__VP_SITE_ROOT__[^<]*<\/script>/, head)
    .replace(/<script id="check-(?:dark-mode|mac-os)">.*?<\/script>/gs, '')
  const [left] = /<script(?![^>]* src=)[^>]*>.{0,80}/s.exec(page) ?? []
  if (left !== undefined) throw new Error(`VitePress wrote a script into a page: ${left}`)
  return page
}
