// What the address of this screen holds beside its path: read from any text, wrong values are left out. Pure.
import { identityText, parseIdentityText } from '../../parts/identity-text.ts'
import { compact, type RawSearch, textIn } from '../../parts/search-values.ts'

export interface SqlSearch {
  /** A statement to begin with; it never runs by itself. */
  readonly sql?: string
  /** As whom it runs, as identity-text writes it; left out for the owner. */
  readonly as?: string
}

export function parseSqlSearch(raw: RawSearch): SqlSearch {
  const identity = parseIdentityText(raw['as'])
  return compact<SqlSearch>({
    sql: textIn(raw, 'sql'),
    as: identity === undefined ? undefined : identityText(identity),
  })
}
