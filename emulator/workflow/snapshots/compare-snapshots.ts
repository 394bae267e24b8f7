// Compares a snapshot with another one or with the current state.
import { statSync } from 'node:fs'
import type { SnapshotDiff } from '../../contract/snapshots.ts'
import type { Clock } from '../../core/clock.ts'
import { toIso } from '../../core/time.ts'
import type { EngineStates } from '../../database/engine-states.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { type ChangedByDeps, nameRequests } from './changed-by.ts'
import { compareStates } from './compare-states.ts'
import type { KeptContents } from './kept-contents.ts'
import {
  openPresentState,
  openSavedState,
  type PresentState,
  type ReadableState,
} from './readable-state.ts'
import type { SnapshotFolder } from './snapshot-folder.ts'

interface ComparisonDeps extends PresentState, Pick<EngineStates, 'openSaved'> {
  readonly wallClock: Clock
  readonly folder: Pick<SnapshotFolder, 'find'>
  readonly contents: Pick<KeptContents, 'find'>
}

/** @throws {InspectorError} `not_found` */
export async function compareSnapshots(
  context: ComparisonDeps,
  name: string,
  other: string | undefined,
): Promise<SnapshotDiff> {
  const { wallClock } = context
  const takenAt = wallClock.now()
  const before = savedState(context, name)
  try {
    const after =
      other === undefined ? openPresentState(context, context.contents) : savedState(context, other)
    try {
      const tenants = await compareStates(before, after)
      return { taken_at: toIso(takenAt), duration_ms: wallClock.now() - takenAt, tenants }
    } finally {
      await after.close()
    }
  } finally {
    await before.close()
  }
}

/**
 * As `compareSnapshots`, with the requests that made the differences.
 * @throws {InspectorError} `not_found`
 */
export async function explainDifferences(
  context: ComparisonDeps & ChangedByDeps,
  name: string,
  other: string | undefined,
): Promise<SnapshotDiff> {
  const marksOf = (snapshot: string) => findSnapshot(context.folder, snapshot).record.history
  const marks = {
    before: marksOf(name),
    after: other === undefined ? undefined : marksOf(other),
  }
  return await nameRequests(context, await compareSnapshots(context, name, other), marks)
}

function savedState(context: ComparisonDeps, name: string): ReadableState {
  const { folder, record } = findSnapshot(context.folder, name)
  const { ino } = statSync(folder.path)
  return openSavedState(context, folder, () => {
    const now = context.folder.find(name)
    return now?.record.savedAt === record.savedAt && statSync(folder.path).ino === ino
  })
}

/** @throws {InspectorError} `not_found` */
export function findSnapshot(
  folder: Pick<SnapshotFolder, 'find'>,
  name: string,
): NonNullable<ReturnType<SnapshotFolder['find']>> {
  const found = folder.find(name)
  if (found === undefined)
    throw new InspectorError('not_found', `There is no snapshot ${name}.`, {
      hint: 'List the snapshots with GET /_emulator/v1/snapshots or "tenantry snapshot list".',
    })
  return found
}
