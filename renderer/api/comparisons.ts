// Compares a recording of traffic with the answers of this emulator.
import type { Comparison } from '../../emulator/contract/comparisons.ts'
import { callWithFile } from './client.ts'
import { deleteSnapshot, restoreSnapshot, saveSnapshot } from './snapshots.ts'

/** Name of the snapshot that is saved before a comparison. */
const BEFORE = 'before-comparison'

/** Replays the recording. With `isRestored`, the platform then returns to its state before the replay. @throws {ApiError} */
export async function compareRecording(file: Blob, isRestored: boolean): Promise<Comparison> {
  if (!isRestored) return send(file)
  await saveSnapshot({ name: BEFORE, replace: true })
  try {
    return await send(file)
  } finally {
    await restoreSnapshot(BEFORE)
    await deleteSnapshot(BEFORE)
  }
}

async function send(body: Blob): Promise<Comparison> {
  const headers = { 'content-type': 'application/json' }
  const response = await callWithFile('POST /comparisons', {}, { body, headers })
  return (await response.json()) as Comparison
}
