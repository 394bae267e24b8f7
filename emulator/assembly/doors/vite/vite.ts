// `tenantry/vite`: a plugin that starts an emulator with Vite's development server, or uses the running one. Pages get the public
// addresses and keys in `import.meta.env`, and Vite's log names the requests that the emulator refused.
import { resolve } from 'node:path'
import type { Logger, Plugin, ResolvedConfig, UserConfig, ViteDevServer } from 'vite'
import type { ProjectConnection } from '../../../contract/addresses.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { openRequests, reasonOf } from '../../../platform/http-client/live-requests.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import { frontendSettings, projectOf } from '../../frontend-settings.ts'
import { emulatorAt, findEmulator } from '../find-emulator.ts'
import { type StartedEmulator, startEmulator } from './start-emulator.ts'
import { addressLine, isShown, logOutput, logText, refusalLine } from './vite-log.ts'

/** Options of the plugin. */
export interface TenantryPluginOptions {
  /** Slug of the tenant whose address and public key the pages get (default: the first tenant). */
  readonly tenant?: string
  /**
   * Folder of the application (default: Vite's root). The plugin uses the emulator that runs there, or starts one there: `tenantry
   * dev` when the folder contains `tenantry/fixture.yaml`, else `tenantry start`.
   */
  readonly folder?: string
  /** Address of a running emulator (default: TENANTRY_AUTH_URL, else the emulator that runs in the folder). */
  readonly url?: string
  /** Token of an emulator on another machine. */
  readonly adminToken?: string
  /** Further options of the command that starts the emulator, such as `['--engine', 'postgres']`. */
  readonly args?: readonly string[]
}

/** An emulator that development servers of this process use. */
interface UsedEmulator {
  readonly url: string
  /** Absent for an emulator that another process started. */
  readonly started: StartedEmulator | undefined
  /** Each server's configuration, with the end of its log of refusals. A restart of Vite opens the new server before it closes the old one. */
  readonly servers: Map<ResolvedConfig, AbortController>
}

/** Emulators by folder. They outlive the plugins, because Vite makes a new plugin at each restart. */
const emulators = new Map<string, UsedEmulator>()

/**
 * Creates the plugin. It does nothing in builds, in previews and in vitest. A restart of Vite keeps the emulator. The end of Vite
 * ends an emulator that the plugin started.
 */
export function tenantry(options: TenantryPluginOptions = {}): Plugin {
  let folder = ''
  let used: UsedEmulator | undefined
  let shown: Shown | undefined
  return {
    name: 'tenantry',
    apply: (_config, { command, isPreview }) =>
      command === 'serve' && isPreview !== true && process.env['VITEST'] === undefined,
    async config(config) {
      folder = resolve(options.folder ?? config.root ?? '.')
      try {
        used = await useEmulator(folder, options)
        const api = emulatorAt(used.url, options.adminToken)
        const ready = await api.call('GET /info')
        const project = await projectOf(api, ready, options.tenant)
        shown = { api, address: ready.inspector_url, project }
        return { define: definitionsOf(frontendSettings(ready, prefixOf(config), project)) }
      } catch (error) {
        await leave(folder, used)
        throw withoutStack(error)
      }
    },
    configureServer(server) {
      if (used !== undefined && shown !== undefined) join(folder, used, shown, server)
    },
    async closeBundle() {
      await leave(folder, used, this.environment.getTopLevelConfig())
    },
  }
}

/** What a server shows of the emulator. */
interface Shown {
  readonly api: RunningEmulator
  readonly address: string
  readonly project: ProjectConnection | undefined
}

async function useEmulator(
  folder: string,
  { args = [], url: given }: TenantryPluginOptions,
): Promise<UsedEmulator> {
  const known = emulators.get(folder)
  if (known !== undefined) return known
  const found = findEmulator({ folder, url: given })
  const started = found === undefined ? await startEmulator(folder, args) : undefined
  const used = { url: found ?? started?.url ?? '', started, servers: new Map() }
  emulators.set(folder, used)
  return used
}

/** Adds a server to the users of the emulator. */
function join(folder: string, used: UsedEmulator, shown: Shown, server: ViteDevServer): void {
  const { config } = server
  const { logger } = config
  const ending = new AbortController()
  used.servers.set(config, ending)
  used.started?.onPrint((text, stream) => logOutput(logger, text, stream))
  void logRefusals(shown, logger, ending.signal).then((problem) => {
    if (ending.signal.aborted) return
    emulators.delete(folder)
    logText(logger, 'warn', `${problem} Restart Vite to start an emulator again.`)
  })
  const line = addressLine(shown.address, shown.project?.slug)
  if (config.server.middlewareMode) logger.info(line)
  const printUrls = server.printUrls
  server.printUrls = () => {
    printUrls()
    logger.info(line)
  }
}

/** Removes a server from the users of the emulator. An emulator that this process started ends with its last user. */
async function leave(
  folder: string,
  used: UsedEmulator | undefined,
  config?: ResolvedConfig,
): Promise<void> {
  if (used === undefined) return
  if (config !== undefined) {
    used.servers.get(config)?.abort()
    used.servers.delete(config)
  }
  if (used.servers.size > 0 || emulators.get(folder) !== used) return
  emulators.delete(folder)
  await used.started?.stop()
}

/** Logs each refused request with its reason. Returns why it ended, when the emulator stops or the signal ends it. */
async function logRefusals(
  { api, project }: Shown,
  logger: Logger,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { entries } = await openRequests(api, signal)
    for await (const entry of entries)
      if (isShown(entry, project?.schema_name))
        logText(logger, 'warn', refusalLine(entry, await reasonOf(api, entry)))
    return 'The emulator has stopped.'
  } catch (error) {
    return error instanceof EmulatorError
      ? error.message
      : `The emulator was lost: ${String(error)}.`
  }
}

/** Vite's default is `VITE_` (https://vite.dev/config/shared-options#envprefix). */
function prefixOf({ envPrefix }: UserConfig): string {
  return [envPrefix ?? 'VITE_'].flat().find((prefix) => prefix !== '') ?? 'VITE_'
}

function definitionsOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `import.meta.env.${name}`,
      JSON.stringify(value),
    ]),
  )
}

/** Vite prints the stack and the cause of an error that ends its start. The reader needs only what happened and what to do. */
function withoutStack(error: unknown): unknown {
  if (!(error instanceof EmulatorError)) return error
  const text = [error.message, error.hint].filter(Boolean).join(' ')
  const plain = new Error(`tenantry: ${text}`)
  plain.stack = plain.message
  return plain
}
