// The user's cache folder of Tenantry: the engine's machine code, and the list of running emulators.
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The facts of the system that decide where the cache folder is. Tests replace them. */
export interface CacheSystem {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

const THIS_SYSTEM: CacheSystem = { platform: process.platform, env: process.env, home: homedir() }

/** Returns the user's cache folder of Tenantry: that of XDG Base Directory, or the usual folder of Windows or macOS. */
export function cacheFolder({ env, home, platform }: CacheSystem = THIS_SYSTEM): string {
  const own =
    env['XDG_CACHE_HOME'] || (platform === 'win32' ? env['LOCALAPPDATA'] : undefined) || undefined
  const usual = platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache')
  return join(own ?? usual, 'tenantry')
}
