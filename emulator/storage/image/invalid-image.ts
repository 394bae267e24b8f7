// What cannot be shown as a picture, and how that is said (storage-contract §7).
import { StorageError } from '../errors.ts'

/** What upstream's picture server takes in at most. */
export const MAX_SOURCE_BYTES = 25 * 1024 * 1024

export function invalidImage(cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const [summary = reason] = reason.split('\n')
  return new StorageError('invalidImage', `Invalid source image: ${summary}`, { cause })
}
