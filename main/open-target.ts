// What the system hands over to be opened: a link, a fixture bundle or a data directory → a command. Pure.
import { isAbsolute } from 'node:path'
import type { DesktopCommand } from './bridge.ts'

export const LINK_SCHEME = 'tenantry'
/** A fixture folder as one file. */
export const BUNDLE_EXTENSION = 'tenantry-fixture'

/**
 * `tenantry://view/<path>`, `tenantry://fixture?path=…`, `tenantry://workspace?folder=…`, or the path of a bundle. Anything
 * else is nothing. A link comes from any web page: it can show something, and what changes data is asked about first.
 */
export function commandOf(target: string): DesktopCommand | undefined {
  if (target.toLowerCase().startsWith(`${LINK_SCHEME}:`)) return commandOfLink(target)
  if (target.endsWith(`.${BUNDLE_EXTENSION}`) && isAbsolute(target))
    return { kind: 'open_fixture', path: target }
  return undefined
}

/** The first argument that means something; the others are Electron's. */
export function commandOfArguments(argv: readonly string[]): DesktopCommand | undefined {
  return argv.map(commandOf).find((command) => command !== undefined)
}

function commandOfLink(link: string): DesktopCommand | undefined {
  const url = URL.parse(link)
  switch (url?.hostname) {
    case 'view':
      return isPlainPath(url.pathname)
        ? { kind: 'show_view', path: `${url.pathname}${url.search}` }
        : undefined
    case 'fixture':
      return withPath(url.searchParams.get('path'), (path) => ({ kind: 'open_fixture', path }))
    case 'workspace':
      return withPath(url.searchParams.get('folder'), (folder) => ({
        kind: 'open_workspace',
        folder,
      }))
    default:
      return undefined
  }
}

function isPlainPath(path: string): boolean {
  return /^\/[\w\-/.~%@]*$/.test(path) && !path.includes('//') && !path.includes('..')
}

function withPath(
  path: string | null,
  command: (path: string) => DesktopCommand,
): DesktopCommand | undefined {
  return path !== null && isAbsolute(path) ? command(path) : undefined
}
