// The pages of the documentation site: which Markdown files they are, their addresses, titles and order in the sidebar.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import order from './order.json' with { type: 'json' }

/** The folder of the repository. */
export const ROOT: string = join(import.meta.dirname, '../..')

/** The pages outside docs/. */
export const ROOT_PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'] as const

export interface SidebarGroup {
  readonly text: string
  readonly collapsed: boolean
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

/**
 * The page's path on the site, which still ends in `.md`: `docs/guide/ci.md` is `guide/ci.md`, and `README.md` is `index.md`.
 * @param file path in the repository, with slashes
 */
export function pagePath(file: string): string {
  const path = file.startsWith('docs/') ? file.slice('docs/'.length) : file.toLowerCase()
  return path.replace(/(^|\/)readme\.md$/i, '$1index.md')
}

/** Whether the Markdown file of the repository is a page of the site. */
export function isPage(file: string): boolean {
  return /^docs\/[^.].*\.md$/.test(file) || (ROOT_PAGES as readonly string[]).includes(file)
}

/**
 * The sidebar. `order.json` has its groups and the order of their pages; a page that it does not name follows the named ones of
 * its folder, by title.
 */
export function sidebar(): SidebarGroup[] {
  return order.map(({ title, folder, pages }, index) => {
    const named = pages
      .map((name) => fileOf(folder, name))
      .filter((file) => existsSync(join(ROOT, file)))
    const isLastOfFolder = order.findLastIndex((group) => group.folder === folder) === index
    const others = isLastOfFolder ? unnamedPages(folder) : []
    return {
      text: title,
      collapsed: false,
      items: [...named, ...others].map((file) => ({
        text: file === 'README.md' ? 'Overview' : titleOf(file),
        link: `/${pagePath(file)}`,
      })),
    }
  })
}

/** Names in `order.json` without a page. */
export function missingPages(): readonly string[] {
  return order
    .flatMap(({ folder, pages }) => pages.map((name) => fileOf(folder, name)))
    .filter((file) => !existsSync(join(ROOT, file)))
}

function fileOf(folder: string, name: string): string {
  const file = `${name}.md`
  if (folder !== '') return `docs/${folder}/${file}`
  return (ROOT_PAGES as readonly string[]).includes(file) ? file : `docs/${file}`
}

function unnamedPages(folder: string): readonly string[] {
  const named = new Set(
    order.flatMap((group) => group.pages.map((name) => fileOf(group.folder, name))),
  )
  return globSync('*.md', { cwd: join(ROOT, 'docs', folder) })
    .map((name) => (folder === '' ? `docs/${name}` : `docs/${folder}/${name}`))
    .filter((file) => !named.has(file))
    .toSorted((one, other) => titleOf(one).localeCompare(titleOf(other), 'en'))
}

/** The first heading of a page. @throws {Error} when the page has none */
function titleOf(file: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? []
  if (title === undefined)
    throw new Error(`${file} has no heading "# …", which is its title on the site.`)
  return title.replaceAll('`', '')
}
