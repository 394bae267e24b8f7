// Describes which objects of a bucket a list includes (docs/wire/storage.md#lists).
import type { EpochMillis } from '../../../core/time.ts'

/** Sorts after every character that a key may contain. */
export const AFTER_ALL = '\x7f'

export interface ListScope {
  readonly bucket: string
  /** Every listed name begins with this text, compared with case. */
  readonly prefix: string
  /** The name must continue with this text after the prefix, compared without case. */
  readonly search?: string | undefined
  /** Whether the list shows one folder entry for all keys that share the text up to the next slash after the prefix. */
  readonly hasFolders: boolean
  readonly isDescending: boolean
}

/** Times by which list-v2 can sort. */
export type SortTime = 'created_at' | 'updated_at'

export type TimeColumn = SortTime | 'last_accessed_at'

/** The last entry of the previous page. */
export interface ListPlace {
  readonly key: string
  /** Time of the entry. Only lists ordered by time set this member. */
  readonly instant?: EpochMillis | undefined
}
