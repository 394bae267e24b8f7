// Renders the Markdown as the repository's host does, so that one text serves both: links between files, GitHub's anchors, and
// pictures for the light and the dark theme.
import { existsSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { isPage, pagePath, ROOT } from './pages.ts'

type MarkdownState = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0]
type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** A picture for both themes, as Markdown pages write it. The first source is for the dark theme. */
const PICTURE =
  /<picture>\s*<source\s+media="\(prefers-color-scheme: dark\)"\s+srcset="([^"]+)"\s*\/?>\s*<img\s([^>]*?)src="([^"]+)"([^>]*?)\/?>\s*<\/picture>/g

/** The anchor of a heading, as GitHub derives it from the heading's text. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** Adapts the site's Markdown renderer. `sourceUrl` is where files of the repository can be read, if it is public. */
export function adaptMarkdown(md: MarkdownRenderer, sourceUrl: string | undefined): void {
  md.core.ruler.before('inline', 'pictures-of-themes', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'html_block') token.content = picturesOfThemes(token.content)
  })
  md.core.ruler.after('inline', 'dark-pictures', (state) => {
    for (const token of state.tokens)
      if (token.children) token.children = token.children.flatMap((one) => inBothThemes(one, state))
  })
  md.core.ruler.after('inline', 'links-between-files', ({ tokens, env }) => {
    for (const link of tokens.flatMap(({ children }) => children ?? []))
      if (link.type === 'link_open')
        link.attrSet(
          'href',
          siteLink(link.attrGet('href') ?? '', env.realPath ?? env.path, sourceUrl),
        )
  })
  md.core.ruler.after('inline', 'one-anchor-per-heading', (state) => {
    state.tokens = withoutRepeatedAnchors(state.tokens)
    for (const cell of emptyHeads(state.tokens)) cell.tag = 'td'
  })
  const { text } = md.renderer.rules
  if (text === undefined) throw new Error('The site’s Markdown renderer has no rule for text.')
  // Vue would evaluate braces, and take unknown tags for components.
  md.renderer.rules.text = (...parts) => text(...parts).replaceAll('{{', '&#123;&#123;')
  md.renderer.rules.html_inline = (tokens, index) => knownTags(tokens[index]?.content ?? '')
  md.renderer.rules.html_block = (tokens, index) => knownTags(tokens[index]?.content ?? '')
}

/** The host of the repository hides tags that it does not know, so a page that has one has forgotten to write it as code. */
function knownTags(html: string): string {
  return html.replace(/<(?!\/?(?:a|br|details|img|kbd|p|sub|summary|sup)\b|!--)/gi, '&lt;')
}

/** Cells without text in the heads of tables. Screen readers must not take them for heads of columns. */
function emptyHeads(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((open, index) => {
    const [text, close] = tokens.slice(index + 1, index + 3)
    return open.type === 'th_open' && text?.content === '' && close !== undefined
      ? [open, close]
      : []
  })
}

/** Removes the anchors before headings whose own anchor has the same name. */
function withoutRepeatedAnchors(tokens: readonly Token[]): Token[] {
  const isRepeated = (index: number): boolean => {
    const [open, inline, close, heading, title] = tokens.slice(index, index + 5)
    if (open?.type !== 'paragraph_open' || close?.type !== 'paragraph_close') return false
    const [, name] = /^<a id="([^"]+)"><\/a>$/.exec(inline?.content ?? '') ?? []
    return heading?.type === 'heading_open' && name === slugOf(title?.content ?? '')
  }
  const repeated = new Set(
    tokens.flatMap((_, index) => (isRepeated(index) ? [index, index + 1, index + 2] : [])),
  )
  return tokens.filter((_, index) => !repeated.has(index))
}

/** A picture `x.png` whose folder also has `x-dark.png` becomes two, one for each theme. */
function inBothThemes(token: Token, { env, Token: Made }: MarkdownState): readonly Token[] {
  const source = token.type === 'image' ? (token.attrGet('src') ?? '') : ''
  const darkSource = source.replace(/\.png$/, '-dark.png')
  const folder = dirname(env.realPath ?? env.path)
  if (darkSource === source || !existsSync(join(folder, darkSource))) return [token]
  token.attrSet('class', 'light-only')
  const dark = Object.assign(new Made('image', 'img', 0), token, {
    attrs: token.attrs?.map(([name, value]) => [name, value]) ?? [],
  })
  dark.attrSet('src', darkSource)
  dark.attrSet('class', 'dark-only')
  return [token, dark]
}

function picturesOfThemes(html: string): string {
  return html.replace(
    PICTURE,
    (_, dark: string, before: string, light: string, after: string) =>
      `<img class="light-only" ${before}src="${dotted(light)}"${after}><img class="dark-only" ${before}src="${dotted(dark)}"${after}>`,
  )
}

/** The bundler takes a path for a file of the repository when it begins with a dot. */
function dotted(path: string): string {
  return /^\.|^\w+:/.test(path) ? path : `./${path}`
}

function siteLink(href: string, page: string, sourceUrl: string | undefined): string {
  if (/^([a-z]+:|#)/i.test(href)) return href
  const [path = '', anchor] = href.split('#', 2)
  const from = relative(ROOT, page).replaceAll('\\', '/')
  const target = posix.join(posix.dirname(from), path)
  if (!isPage(target)) {
    if (!existsSync(join(ROOT, target)))
      throw new Error(`${from} links to ${target}, which does not exist.`)
    return sourceUrl === undefined ? href : `${sourceUrl}/blob/main/${target}`
  }
  const way = posix.relative(dirname(pagePath(from)), pagePath(target))
  return `./${way}${anchor === undefined ? '' : `#${anchor}`}`
}
