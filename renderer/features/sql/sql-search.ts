// What the address of the SQL console holds beside its path.
import { identity, type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface SqlSearch {
  /** A statement to begin with; it never runs by itself. */
  readonly sql?: string | undefined
  /** Identity that runs the statements, as identity-text writes it; the owner when absent. */
  readonly as?: string | undefined
}

export const parseSqlSearch: SearchReader<SqlSearch> = searchReader<SqlSearch>({
  sql: text,
  as: identity,
})
