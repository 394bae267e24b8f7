// Maps a host and path to a service, and builds the addresses that callers see (docs/wire/platform.md#addresses). Pure.
import type { Addresses } from '../core/request-env.ts'

export type MountName =
  | 'control'
  | 'auth'
  | 'storageToken'
  | 'realtimeToken'
  | 'storage'
  | 'realtime'
  | 'data'
  | 'wellKnown'
  | 'emulator'

/** Target of a host and path. `elsewhere` means that the path belongs to another host of the platform. */
export type Route =
  | { readonly kind: 'mount'; readonly mount: MountName; readonly path: string }
  | { readonly kind: 'elsewhere'; readonly belongsTo: 'auth' | 'storage' }
  | { readonly kind: 'nothing' }

const HOST_LABELS = ['auth', 'api', 'storage', 'realtime'] as const
type HostLabel = (typeof HOST_LABELS)[number]

/**
 * Folders that belong to the management host in every version. The service answers an unknown path below such a folder with its
 * own error. The path `/groups` alone can name a table.
 */
const MANAGEMENT_FOLDERS: readonly (readonly [folder: string, mount: MountName])[] = [
  ['/auth/', 'auth'],
  ['/platform/', 'control'],
  ['/groups/', 'control'],
  ['/st/', 'storageToken'],
  ['/rt/', 'realtimeToken'],
]

const PREFIXES: readonly (readonly [prefix: string, mount: MountName])[] = [
  ['/storage/v1', 'storage'],
  ['/realtime/v1', 'realtime'],
  ['/.well-known', 'wellKnown'],
  ['/_emulator', 'emulator'],
]

/** Routes by the first label of the host name, then by path. Every other host is the single origin of all services. */
export function routeOf(host: string, path: string): Route {
  switch (labelOf(host)) {
    case 'api':
      return routeOnDataHost(path)
    case 'storage':
      return { kind: 'mount', mount: 'storage', path }
    case 'realtime':
      return { kind: 'mount', mount: 'realtime', path }
    case 'auth':
      return routeByPrefix(path) ?? { kind: 'nothing' }
    case undefined:
      return routeByPrefix(path) ?? { kind: 'mount', mount: 'data', path: dataPath(path) }
  }
}

/** Builds the four addresses from the origin the caller used, or from `--public-url`. */
export function addressesOf(origin: string): Addresses {
  const url = new URL(origin)
  const label = labelOf(url.host)
  const socketScheme = url.protocol === 'https:' ? 'wss:' : 'ws:'
  if (label === undefined)
    return {
      authUrl: url.origin,
      dataUrl: url.origin,
      storageUrl: `${url.origin}/storage/v1`,
      realtimeUrl: `${socketScheme}//${url.host}/realtime/v1`,
    }
  const domain = url.host.slice(label.length + 1)
  return {
    authUrl: `${url.protocol}//auth.${domain}`,
    dataUrl: `${url.protocol}//api.${domain}`,
    storageUrl: `${url.protocol}//storage.${domain}`,
    realtimeUrl: `${socketScheme}//realtime.${domain}/socket`,
  }
}

function labelOf(host: string): HostLabel | undefined {
  return HOST_LABELS.find((label) => host.toLowerCase().startsWith(`${label}.`))
}

function routeByPrefix(path: string): Route | undefined {
  const found =
    MANAGEMENT_FOLDERS.find(([folder]) => path.startsWith(folder)) ??
    PREFIXES.find(([prefix]) => isUnder(path, prefix))
  return found && { kind: 'mount', mount: found[1], path }
}

// The data host answers these two paths with an error that names the right host (docs/wire/platform.md#addresses).
function routeOnDataHost(path: string): Route {
  if (isUnder(path, '/auth/v1')) return { kind: 'elsewhere', belongsTo: 'auth' }
  if (isUnder(path, '/storage/v1')) return { kind: 'elsewhere', belongsTo: 'storage' }
  if (MANAGEMENT_FOLDERS.some(([folder]) => path.startsWith(folder))) return { kind: 'nothing' }
  return { kind: 'mount', mount: 'data', path: dataPath(path) }
}

// The data host also accepts `/rest/v1/<table>` and serves it as `/<table>` (docs/wire/platform.md#addresses).
function dataPath(path: string): string {
  if (!isUnder(path, '/rest/v1')) return path
  return path.slice('/rest/v1'.length) || '/'
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}
