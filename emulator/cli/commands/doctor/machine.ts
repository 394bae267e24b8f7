// The facts of the installation that `tenantry doctor` asks for. Tests replace them, because a test cannot provoke their faults.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { refusalOfWrites } from '../../../assembly/engine/examine-data-dir.ts'
import { cacheFolder } from '../../../core/cache-folder.ts'
import { SystemClock } from '../../../core/clock.ts'
import { IS_BUNDLED, packageFile } from '../../../core/package-files.ts'
import { SECOND_MILLIS } from '../../../core/time.ts'
import { emulatorOf } from '../../running-options.ts'

export interface Machine {
  /** Such as `24.1.0`. */
  readonly nodeVersion: string
  readonly platform: string
  readonly arch: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cacheFolder: string
  /** Returns the first file that the package should contain and does not. */
  missingFile(): string | undefined
  /** Loads a package with native code. @throws with the reason of Node */
  load(name: string): Promise<void>
  /** Starts the embedded engine in memory, and closes it. @throws {Error} also when it takes longer than a minute */
  startEngine(): Promise<void>
  /** Returns the path of a browser. */
  findBrowser(): string | undefined
  /** Whether an emulator answers at this address. */
  answersAt(url: string): Promise<boolean>
  /** Returns why this account cannot write a folder. */
  refusesWrites(folder: string): string | undefined
}

/** Files of the package that every start needs. */
const NEEDED = ['dist/bin.mjs', 'dist/worker.mjs', 'dist/cluster.img', 'dist/ui/index.html']
const LONGEST_START_MILLIS = 60 * SECOND_MILLIS

export function thisMachine(): Machine {
  return {
    nodeVersion: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    env: process.env,
    cacheFolder: cacheFolder(),
    missingFile: () =>
      IS_BUNDLED ? NEEDED.find((name) => !existsSync(packageFile(name))) : undefined,
    load,
    startEngine,
    findBrowser: () => findBrowser(process.env, process.platform),
    answersAt: (url) =>
      emulatorOf({ url, adminToken: undefined })
        .call('GET /health')
        .then(
          () => true,
          () => false,
        ),
    refusesWrites: refusalOfWrites,
  }
}

// better-sqlite3 loads its native code only when a database opens.
async function load(name: string): Promise<void> {
  const loaded: unknown = createRequire(import.meta.url)(name)
  if (name !== 'better-sqlite3') return
  const Database = loaded as new (file: string) => { close(): void }
  new Database(':memory:').close()
}

async function startEngine(): Promise<void> {
  const { openEmulator } = await import('../../../assembly/library/emulator.ts')
  const late = Promise.withResolvers<never>()
  const stop = new SystemClock().after(LONGEST_START_MILLIS, () =>
    late.reject(new Error(`It did not start within ${LONGEST_START_MILLIS / SECOND_MILLIS} s`)),
  )
  try {
    const emulator = await Promise.race([openEmulator({ engine: 'embedded' }), late.promise])
    await emulator.close()
  } finally {
    stop()
  }
}

/** Names of browsers in the folders of PATH. */
const NAMES = [
  ...['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'firefox'],
  ...['microsoft-edge', 'chromium-headless-shell'],
]
const PLACES: Readonly<Partial<Record<string, readonly string[]>>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    '/Applications/Safari.app/Contents/MacOS/Safari',
  ],
  win32: [
    'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
    'C:/Program Files/Google/Chrome/Application/chrome.exe',
    'C:/Program Files/Mozilla Firefox/firefox.exe',
  ],
}

function findBrowser(env: Machine['env'], platform: string): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...(PLACES[platform] ?? []), ...candidates].find((path) => existsSync(path))
}
