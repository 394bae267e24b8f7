// What a list looks at (storage-contract §5).
import type { EpochMillis } from '../core/time.ts'

/** Comes after every character a key may have. */
export const AFTER_ALL = '\x7f'

export interface ListScope {
  readonly bucket: string
  /** Text before the listed names; case counts. */
  readonly prefix: string
  /** How names go on after the prefix; case does not count. */
  readonly search?: string | undefined
  /** Whether everything up to the next slash after the prefix becomes one entry. */
  readonly hasFolders: boolean
  readonly isDescending: boolean
}

/** Objects have three; folders have none. */
export type TimeColumn = 'created_at' | 'updated_at' | 'last_accessed_at'

/** The last entry of the page before. */
export interface ListPlace {
  readonly key: string
  /** Of an object in a list by time; a folder has none. */
  readonly instant?: EpochMillis | undefined
}
