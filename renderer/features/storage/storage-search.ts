// What the address of this screen holds beside its path: read from any text, wrong values are left out. Pure.
import { identityText, parseIdentityText } from '../../parts/identity-text.ts'
import { choiceIn, compact, type RawSearch, textIn } from '../../parts/search-values.ts'

export interface StorageSearch {
  /** The open folder, with its slash at the end; left out for the bucket itself. */
  readonly folder?: string
  /** Key of the object whose sheet is open. */
  readonly object?: string
  /** Through whose eyes, as identity-text writes it; the service key unless told. */
  readonly as?: string
  readonly look?: 'tiles'
}

export function parseStorageSearch(raw: RawSearch): StorageSearch {
  const identity = parseIdentityText(raw['as'])
  const folder = textIn(raw, 'folder')
  return compact<StorageSearch>({
    folder: folder === undefined || folder.endsWith('/') ? folder : `${folder}/`,
    object: textIn(raw, 'object'),
    as: identity === undefined ? undefined : identityText(identity),
    look: choiceIn(raw, 'look', ['tiles']),
  })
}
