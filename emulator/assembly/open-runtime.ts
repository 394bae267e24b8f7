// Opens what every start needs before its data: clocks, identifiers, the journal and the lock of the data directory.

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type Clock, SystemClock, type TaskRunner } from '../core/clock.ts'
import { type IdSource, SeededIdSource, SystemIdSource } from '../core/id-source.ts'
import { fanOut, type Observer } from '../core/observation.ts'
import { readOwnFile } from '../core/own-file.ts'
import { PlatformClock, type PlatformTime } from '../core/platform-clock.ts'
import { createSituations, type Situations } from '../core/situations.ts'
import type { EpochMillis } from '../core/time.ts'
import { lockDataDir } from '../database/data-dir/data-dir-lock.ts'
import { requireOwnDataDir } from '../database/data-dir/data-dir-owner.ts'
import { type Journal, openJournal } from '../insight/journal/journal.ts'
import type { ResolvedConfig } from './config.ts'
import type { OnClose, PreparedImage } from './engine/engine-plan.ts'

/** Configuration, clocks, identifiers and observers that every service uses. */
export interface Runtime {
  readonly config: ResolvedConfig
  readonly dataDir: string | undefined
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly ids: IdSource
  /** Situations that faults simulate for single requests. An injected fault sets a situation; services read it. */
  readonly situations: Situations
  readonly observe: Observer
  /** Adds an observer for all further observations. */
  readonly addObserver: (observer: Observer) => void
  readonly journal: Journal
}

/** Facts about a start that are not part of the configuration. */
export interface OpeningFacts {
  /** The image with which a new data directory starts. */
  readonly preparedImage?: PreparedImage | undefined
  /** Platform time at the start, such as that of a bundle. `frozenAt` of the configuration wins. */
  readonly platformTime?: { readonly at: EpochMillis; readonly isFrozen: boolean } | undefined
}

/** Creates clocks, identifiers and the journal. Locks the data directory. @throws {DataDirError} */
export function openRuntime(
  config: ResolvedConfig,
  observers: readonly Observer[],
  facts: OpeningFacts,
  onClose: OnClose,
): { readonly runtime: Runtime; readonly seed: string | undefined } {
  const dataDir = config.dataDir === undefined ? undefined : resolve(config.dataDir)
  const informed: Observer[] = []
  const observe = fanOut(informed)
  const runTask = taskRunner(observe)
  const wallClock = new SystemClock(runTask)
  const clock = new PlatformClock(wallClock, timeAtStart(config, facts, wallClock), runTask)
  if (dataDir !== undefined) {
    if (!config.trustDataDir) requireOwnDataDir(dataDir)
    onClose(lockDataDir(dataDir))
  }
  const seed = config.deterministicSeed && seedOfStart(config.deterministicSeed, dataDir)
  const journal = openJournal({
    file: inside(dataDir, 'journal.db'),
    capacity: config.journalEntries,
    wallClock,
    report: observe,
    keepsOwnRequests: config.journalOwnRequests,
  })
  onClose(() => journal.close())
  informed.push(journal.observe, ...observers)
  const runtime: Runtime = {
    config,
    dataDir,
    clock,
    wallClock,
    ids: seed === undefined ? new SystemIdSource() : new SeededIdSource(seed),
    situations: createSituations(),
    observe,
    addObserver: (observer) => {
      informed.push(observer)
    },
    journal,
  }
  return { runtime, seed }
}

function timeAtStart(
  { frozenAt }: ResolvedConfig,
  { platformTime }: OpeningFacts,
  wallClock: Clock,
): PlatformTime {
  if (frozenAt !== undefined) return { kind: 'frozen', at: frozenAt }
  if (platformTime === undefined) return { kind: 'offset', offsetMillis: 0 }
  const { at, isFrozen } = platformTime
  return isFrozen ? { kind: 'frozen', at } : { kind: 'offset', offsetMillis: at - wallClock.now() }
}

// Reports exceptions of timer tasks that no other code handles. Work with expected failures, such as writing to a full disk, uses
// core/background.ts instead.
function taskRunner(observe: Observer): TaskRunner {
  return (task) => {
    try {
      task()
    } catch (error) {
      observe({ kind: 'internalFailure', requestId: 'timer', error })
    }
  }
}

function inside(dataDir: string | undefined, name: string): string | undefined {
  return dataDir === undefined ? undefined : join(dataDir, name)
}

// Derives a separate seed for each start of a data directory. With the same seed, the second start would repeat the identifiers
// of the first.
const COUNTER = 'starts'
const HINT = 'Write the number of starts into it. A smaller number repeats identifiers.'

/**
 * Counts the start and returns its seed. The first start, and every start without a directory, uses `seed` itself.
 * @throws {UnusableFile} when the count cannot be read
 */
export function seedOfStart(seed: string, dataDir: string | undefined): string {
  if (dataDir === undefined) return seed
  const file = join(dataDir, COUNTER)
  const earlier = readOwnFile(file, z.int().min(0), HINT) ?? 0
  writeFileSync(file, String(earlier + 1))
  return earlier === 0 ? seed : `${seed} ${earlier}`
}
