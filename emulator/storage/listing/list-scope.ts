// What a list covers (docs/wire/storage.md#lists).
import type { EpochMillis } from '../../core/time.ts'

/** Follows every character a key may have. */
export const AFTER_ALL = '\x7f'

export interface ListScope {
  readonly bucket: string
  /** Text before the listed names; case counts. */
  readonly prefix: string
  /** How names continue after the prefix; case is ignored. */
  readonly search?: string | undefined
  /** Whether everything up to the next slash after the prefix becomes one entry. */
  readonly hasFolders: boolean
  readonly isDescending: boolean
}

/** Instants that lists of the second kind can be sorted by. */
export type SortTime = 'created_at' | 'updated_at'

export type TimeColumn = SortTime | 'last_accessed_at'

/** The last entry of the page before. */
export interface ListPlace {
  readonly key: string
  /** Of the entry in a list by time. */
  readonly instant?: EpochMillis | undefined
}
