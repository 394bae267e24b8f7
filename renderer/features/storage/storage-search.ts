// Search parameters in the address of the storage screen.
import { identity, oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface StorageSearch {
  /** The open folder with a slash at its end. The top of the bucket is open when the parameter is absent. */
  readonly folder?: string | undefined
  /** Key of the open object. */
  readonly object?: string | undefined
  /**
   * The identity that reads and writes, in the format of identity-text.ts. The service key is used when the parameter
   * is absent.
   */
  readonly as?: string | undefined
  readonly look?: 'tiles' | undefined
}

export const parseStorageSearch: SearchReader<StorageSearch> = searchReader<StorageSearch>({
  folder: (value) => text(value)?.replace(/\/?$/, '/'),
  object: text,
  as: identity,
  look: oneOf(['tiles']),
})
