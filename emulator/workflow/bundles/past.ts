// The parts of an opened bundle that are not in the data directory: requests, faults, and the position in the sequence of
// identifiers.

import type { OpenedBundle } from '../../contract/bundles.ts'
import type { FaultOrder } from '../../contract/faults.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import { type IdSource, SeededIdSource } from '../../core/id-source.ts'
import { parseJson } from '../../core/json.ts'
import type { Engine } from '../../database/engine.ts'
import type { FaultBook } from '../../insight/faults/fault-book.ts'
import type { Journal } from '../../insight/journal/journal.ts'
import type { Recording } from '../../insight/journal/recording/kept-request.ts'
import type { Recordings } from '../../insight/journal/recording/recorder.ts'
import { damaged } from './bundle-error.ts'
import { BundledRequests, openRecording } from './bundled-request.ts'
import { type BundledProject, loadHistories, loadProjects } from './load-state.ts'
import { type Manifest, openedBundleOf, type platformTimeOf } from './manifest.ts'
import { bundledCredentials, type CredentialKeys } from './named-credential.ts'

/** An unpacked bundle. Its records are already in the emulator's data directory. */
export interface GivenBundle {
  /** Name of the file, without its folder. */
  readonly file: string
  readonly manifest: Manifest
  /** Platform time at the start. */
  readonly platformTime: ReturnType<typeof platformTimeOf>
  /** JSON. */
  readonly requests: string
  /** The projects that the engine does not have yet. */
  readonly projects: readonly BundledProject[]
}

/** The parts of the emulator that opening a bundle uses. */
export interface PastDeps extends CredentialKeys {
  /** The engine, without a recording of row changes. */
  readonly unrecorded: Engine
  readonly ids: IdSource
  readonly journal: Pick<Journal, 'adopt'>
}

export interface Past {
  readonly opened: OpenedBundle
  /** Arms the faults and continues the sequence of identifiers. */
  prepare(faults: Pick<FaultBook, 'armFaults'>): void
  /** Adds the requests to the journal and the recordings. A reset calls this function again. */
  recall(recordings: Pick<Recordings, 'adopt'>): void
}

/** Builds the bundle's projects in the engine, and reads its requests. @throws {BundleError} `damaged_bundle` */
export async function openPast(
  deps: PastDeps,
  { file, manifest, projects, requests }: GivenBundle,
): Promise<Past> {
  const parsed = BundledRequests.safeParse(parseJson(requests))
  if (!parsed.success) throw damaged(file, 'has damaged requests', parsed.error)
  await loadProjects(deps.unrecorded, file, projects)
  if (manifest.row_changes !== null) await loadHistories(deps.unrecorded, file, projects)
  const credentials = bundledCredentials(deps)
  const entries: JournalEntry[] = []
  const recorded: Recording[] = []
  for (const { entry, recording } of parsed.data) {
    entries.push(entry)
    if (recording !== null) recorded.push(await openRecording(credentials, entry, recording))
  }
  const orders: readonly FaultOrder[] = manifest.state === null ? [] : manifest.faults
  return {
    opened: openedBundleOf(file, manifest),
    prepare: (faults) => {
      if (orders.length > 0) faults.armFaults(orders)
      if (deps.ids instanceof SeededIdSource && manifest.ids !== null)
        deps.ids.position = manifest.ids.position
    },
    recall: (recordings) => {
      deps.journal.adopt(entries)
      recordings.adopt(recorded)
    },
  }
}
