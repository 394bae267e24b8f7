// Compares a recording of traffic with the answers of this emulator.
import type { Comparison } from '../../emulator/contract/comparisons.ts'
import { ApiError, callWithFile } from './client.ts'
import { deleteSnapshot, restoreSnapshot, saveSnapshot } from './snapshots.ts'

/** Name of the snapshot that is saved before a comparison. */
const BEFORE = 'before-comparison'

/**
 * Replays the recording. With `isRestored`, the platform then returns to its state before the replay. A file that the emulator
 * refuses changes nothing. @throws {ApiError}
 */
export async function compareRecording(file: Blob, isRestored: boolean): Promise<Comparison> {
  if (!isRestored) return send(file)
  await saveSnapshot({ name: BEFORE, replace: true })
  let comparison: Comparison
  try {
    comparison = await send(file)
  } catch (error) {
    if (isRefusedFile(error)) {
      // The user sees why the file was refused. A snapshot that remains is listed, and the next comparison replaces it.
      await deleteSnapshot(BEFORE).catch(() => undefined)
      throw error
    }
    await restoreBefore()
    throw error
  }
  await restoreBefore()
  return comparison
}

// The emulator checks credentials, size and content of the file before it sends the first request (workflow/traffic/routes.ts).
// A replay that fails later is answered with a status of 500 and above, or not at all.
function isRefusedFile(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

async function restoreBefore(): Promise<void> {
  await restoreSnapshot(BEFORE)
  await deleteSnapshot(BEFORE)
}

async function send(body: Blob): Promise<Comparison> {
  const headers = { 'content-type': 'application/json' }
  const response = await callWithFile('POST /comparisons', {}, { body, headers })
  return (await response.json()) as Comparison
}
