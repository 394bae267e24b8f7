// Turns a link or file that the operating system asks the app to open into a command. Pure.
import { isAbsolute } from 'node:path'
import type { DesktopCommand } from './bridge.ts'

export const LINK_SCHEME = 'tenantry'
/** File extension of a fixture folder packed into one file. */
export const FIXTURE_EXTENSION = 'tenantry-fixture'
/** File extension of a bundle, which "tenantry bundle" makes. */
export const BUNDLE_EXTENSION = 'tenantry'

/**
 * Accepts `tenantry://view/<path>`, `tenantry://fixture?path=…`, `tenantry://workspace?folder=…` and the path of a packed fixture or a bundle.
 * Returns `undefined` for any other text. Any web page can send a link, so the app confirms commands that change data.
 */
export function commandOf(target: string): DesktopCommand | undefined {
  if (target.toLowerCase().startsWith(`${LINK_SCHEME}:`)) return commandOfLink(target)
  if (target.endsWith(`.${FIXTURE_EXTENSION}`) && isAbsolute(target))
    return { kind: 'open_fixture', path: target }
  if (BUNDLE_FILE.test(target) && isAbsolute(target)) return { kind: 'open_bundle', path: target }
  return undefined
}

// The usual data directory is called `.tenantry`, which is not a bundle.
const BUNDLE_FILE = new RegExp(`[^/\\\\]\\.${BUNDLE_EXTENSION}$`)

/** Returns the command of the first argument that names one. The other arguments are for Electron. */
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
