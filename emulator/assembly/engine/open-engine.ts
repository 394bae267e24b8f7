// Opens the engine that the configuration and the data directory name. No other file of the running emulator opens one.
import { join } from 'node:path'
import { ensureClusterImage } from '../../database/embedded/cluster/cluster-image.ts'
import { restoreMark } from '../../database/embedded/cluster/pending-load.ts'
import { findPreparedImage } from '../../database/embedded/cluster/prepared-image.ts'
import { dropEngineThread } from '../../database/embedded/host/engine-thread.ts'
import { openPgliteEngine } from '../../database/embedded/pglite-engine.ts'
import { chooseEngine, keptEngine } from './engine-choice.ts'
import type {
  EnginePlan,
  EngineRuntime,
  EngineStart,
  OnClose,
  OpenEngine,
  PreparedImage,
} from './engine-plan.ts'

const MEGABYTE_BYTES = 1 << 20

/**
 * @param root folder of all data; a temporary one without a data directory
 * @throws {EngineChoiceError} when the data directory belongs to another engine
 */
export async function planEngine(
  { config, dataDir }: Pick<EngineRuntime, 'config' | 'dataDir'>,
  root: string,
): Promise<EnginePlan> {
  const kept = dataDir === undefined ? undefined : keptEngine(dataDir)
  const choice = chooseEngine(config, kept, dataDir)
  if (choice.engine === 'embedded')
    return {
      mark: restoreMark(clusterOf(root)),
      start: (start, onClose) => startEmbedded(start, root, onClose),
    }
  await dropEngineThread()
  const { planServerEngine } = await import('./open-server-engine.ts')
  return planServerEngine({ root, databaseUrl: choice.databaseUrl, kept })
}

async function startEmbedded(
  { runtime, baseline, preparedImage, seed }: EngineStart,
  root: string,
  onClose: OnClose,
): Promise<{ readonly opening: Promise<OpenEngine> }> {
  const { config, dataDir, ids, observe, wallClock } = runtime
  const opening = openPgliteEngine({
    dataDir: clusterOf(root),
    isTemporary: dataDir === undefined,
    wallClock,
    ids,
    observe,
    clusterImage: await ensureClusterImage(),
    // An emulator with a seed starts without an image: its object ids and random values depend on all statements that have run.
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
