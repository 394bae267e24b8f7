// Search parameters in the address of the storage screen.
import { identity, oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface StorageSearch {
  /** The open folder, ending in a slash; the top of the bucket when absent. */
  readonly folder?: string | undefined
  /** Key of the open object. */
  readonly object?: string | undefined
  /** Identity that reads and writes, in the format of identity-text.ts; the service key when absent. */
  readonly as?: string | undefined
  readonly look?: 'tiles' | undefined
}

export const parseStorageSearch: SearchReader<StorageSearch> = searchReader<StorageSearch>({
  folder: (value) => text(value)?.replace(/\/?$/, '/'),
  object: text,
  as: identity,
  look: oneOf(['tiles']),
})
