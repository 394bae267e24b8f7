// What the address of the storage screen holds beside its path.
import { identity, oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface StorageSearch {
  /** The open folder, with its slash at the end; the bucket itself when absent. */
  readonly folder?: string | undefined
  /** Key of the object whose sheet is open. */
  readonly object?: string | undefined
  /** Identity that reads and writes, as identity-text writes it; the service key when absent. */
  readonly as?: string | undefined
  readonly look?: 'tiles' | undefined
}

export const parseStorageSearch: SearchReader<StorageSearch> = searchReader<StorageSearch>({
  folder: (value) => text(value)?.replace(/\/?$/, '/'),
  object: text,
  as: identity,
  look: oneOf(['tiles']),
})
