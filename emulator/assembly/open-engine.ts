// Opens the engine that the configuration names. No other file of the running emulator opens one.
import { join } from 'node:path'
import type { ResolvedConfig } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { IdSource } from '../core/id-source.ts'
import type { Observer } from '../core/observation.ts'
import { restoreMark } from '../database/embedded/cluster/cluster-files.ts'
import { ensureClusterImage } from '../database/embedded/cluster/cluster-image.ts'
import { findPreparedImage } from '../database/embedded/cluster/prepared-image.ts'
import { openPgliteEngine } from '../database/embedded/pglite-engine.ts'
import type { Engine } from '../database/engine.ts'
import type { EngineStates, RestoreMark } from '../database/engine-states.ts'
import type { EngineRehearsals } from '../database/rehearsal.ts'

const MEGABYTE_BYTES = 1 << 20

/** Path of an image, or the demo's image if the package has one. */
export type PreparedImage = 'demo' | (string & {})

interface EngineRuntime {
  readonly config: ResolvedConfig
  readonly dataDir: string | undefined
  readonly ids: IdSource
  readonly observe: Observer
  readonly wallClock: Clock
}

export interface EngineStart {
  readonly runtime: EngineRuntime
  /** Folder of all data; a temporary one without a data directory. */
  readonly root: string
  readonly seed: string | undefined
  readonly baseline: string
  readonly preparedImage: PreparedImage | undefined
}

/** The engine with everything that assembly uses. */
export type OpenEngine = Engine & EngineStates & EngineRehearsals

/** The record of an interrupted restore, which must be read before the engine starts. */
export function restoreMarkOf(root: string): RestoreMark {
  return restoreMark(clusterOf(root))
}

/** Starts opening the engine. `opening` resolves when the engine answers. `onClose` takes the step that closes it. */
export async function startEngine(
  { runtime, root, baseline, preparedImage, seed }: EngineStart,
  onClose: (step: () => void | Promise<void>) => void,
): Promise<{ readonly opening: Promise<OpenEngine> }> {
  const { config, dataDir, ids, observe, wallClock } = runtime
  const opening = openPgliteEngine({
    dataDir: clusterOf(root),
    isTemporary: dataDir === undefined,
    wallClock,
    ids,
    observe,
    clusterImage: await ensureClusterImage(),
    // With a seed, object ids and random values depend on everything that the database has run.
    preparedImage: seed === undefined ? pathOfImage(preparedImage) : undefined,
    bounds: { blockingMillis: config.maxBlockingMillis, queueMillis: config.maxQueueMillis },
    memoryBytes: config.engineMemoryMegabytes * MEGABYTE_BYTES,
    baselineFolder: baseline,
    ...(seed === undefined ? {} : { seed }),
  })
  const opened = opening.catch(() => undefined)
  onClose(async () => (await opened)?.close())
  return { opening }
}

function clusterOf(root: string): string {
  return join(root, 'postgres')
}

function pathOfImage(image: PreparedImage | undefined): string | undefined {
  return image === 'demo' ? findPreparedImage() : image
}
