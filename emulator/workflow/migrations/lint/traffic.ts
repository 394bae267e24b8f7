// Finds the recorded requests whose URL names a table or a column that a step renames or drops. Does not find names in bodies.
// Pure.
import { percentDecoded } from '../../../core/percent-decoded.ts'

/** A recorded request to the data plane. */
export interface RecordedRead {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** ISO 8601 UTC. */
  readonly at: string
}

/** The recorded requests that name a table or a column. */
export interface Clients {
  readonly requests: number
  /** Method and path of the newest request. */
  readonly example: string
  /** ISO 8601 UTC, of the newest request. */
  readonly lastAt: string
}

export type ClientsOf = (table: string, column: string | undefined) => Clients | undefined

/** @param reads recorded requests, the newest first */
export function clientsIn(reads: readonly RecordedRead[]): ClientsOf {
  const read = reads.map((one) => ({ ...one, words: wordsOf(one) }))
  return (table, column) => {
    const found = read.filter(
      ({ words }) => words.has(table) && (column === undefined || words.has(column)),
    )
    const [newest] = found
    return (
      newest && {
        requests: found.length,
        example: `${newest.method} ${newest.target}`,
        lastAt: newest.at,
      }
    )
  }
}

function wordsOf({ target }: RecordedRead): ReadonlySet<string> {
  return new Set(percentDecoded(target).match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [])
}
