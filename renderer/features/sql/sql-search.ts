// Search parameters in the address of the SQL console.
import { identity, type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface SqlSearch {
  /** A statement to open in the editor. The statement never runs automatically. */
  readonly sql?: string | undefined
  /** JSON: an array with the values of the statement's parameters. */
  readonly values?: string | undefined
  /** The past instant in the field “As of”. */
  readonly at?: string | undefined
  /** Identity that runs the statements, in the format of identity-text.ts; the owner when absent. */
  readonly as?: string | undefined
}

export const parseSqlSearch: SearchReader<SqlSearch> = searchReader<SqlSearch>({
  sql: text,
  values: text,
  at: text,
  as: identity,
})
