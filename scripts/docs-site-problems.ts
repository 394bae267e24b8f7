// What is wrong with the pages of the documentation site. Pure: check-docs-site.ts reads the files.
import { posix } from 'node:path'

const TAGS = /<(\w+)\b([^>]*)>/g
const LOADED = new Set(['script', 'link', 'img', 'source', 'iframe'])

/**
 * Returns one line for each dead link, each file that comes from another host and each inline script.
 * @param pages the HTML by the page's path in the site's folder
 * @param files the paths of all files of the site
 */
export function findSiteProblems(
  pages: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
): readonly string[] {
  const anchors = new Map([...pages].map(([path, html]) => [path, anchorsOf(html)]))
  return [...pages].flatMap(([path, html]) => {
    const problems = [...html.matchAll(TAGS)].flatMap(([, tag = '', attributes = '']) => {
      const problem = problemOf(tag, attributes, path, { anchors, files })
      return problem === undefined ? [] : [`${path}: ${problem}`]
    })
    return [...new Set(problems)]
  })
}

interface Site {
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>
  readonly files: ReadonlySet<string>
}

function problemOf(tag: string, attributes: string, page: string, site: Site): string | undefined {
  const [, address] = /\b(?:href|src)="([^"]*)"/.exec(attributes) ?? []
  if (address === undefined)
    return tag === 'script' ? 'a script is in the page, not in a file' : undefined
  if (/^(?:[a-z]+:|\/\/)/i.test(address))
    return LOADED.has(tag) && !address.startsWith('data:')
      ? `loads ${address} from elsewhere`
      : undefined
  const [way = '', anchor = ''] = address.replaceAll('&amp;', '&').split('#', 2)
  const file =
    way === '' ? page : posix.join(posix.dirname(page), decodeURI(way).split('?')[0] ?? '')
  if (!site.files.has(file)) return `links to ${address}, which does not exist`
  if (anchor === '' || site.anchors.get(file)?.has(decodeURIComponent(anchor)) !== false)
    return undefined
  return `links to ${address}, but that page has no such anchor`
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, name = '']) => name))
}
