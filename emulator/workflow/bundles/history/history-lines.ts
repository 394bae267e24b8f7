// The file of a project's recorded row changes in a bundle (docs/guide/bundles.md). Its lines are JSON: the bounds, the tables, and the
// entries in their order. Nothing in a line names the project or an oid of a database.
import { z } from 'zod'
import { parseJson } from '../../../core/json.ts'
import { MINUTE_MILLIS } from '../../../core/time.ts'

/** The changes of this long before the bundle are carried, in platform time. */
export const CARRIED_MILLIS: number = 15 * MINUTE_MILLIS
/** Maximum number of entries of one project. An update has two. */
export const MOST_ENTRIES = 10_000
/** Maximum bytes of the rows of one project's entries. */
export const MOST_ROW_BYTES: number = 4 << 20
/** Maximum bytes of a file. Escapes and names of JSON take more space than the rows. */
export const MOST_FILE_BYTES: number = 64 << 20

export interface BoundsLine {
  readonly line: 'history'
  /** All changes from this sequence on are carried. */
  readonly complete_from: number
  /** ISO 8601 UTC. All changes since then are carried. */
  readonly complete_since: string
}

export interface TableLine {
  readonly line: 'table'
  /** Number of the table in this file. */
  readonly relation: number
  /** Present name; `null` for a table that was dropped. */
  readonly table: string | null
  /** The newest first. */
  readonly layouts: readonly {
    readonly since: number
    readonly name: string
    readonly columns: readonly {
      readonly name: string
      readonly type: string
      readonly written: boolean
    }[]
    readonly key: readonly string[]
  }[]
}

export interface EntryLine {
  readonly line: 'entry'
  readonly id: number
  /** ISO 8601 UTC with microseconds. */
  readonly at: string
  /** Number of the transaction in this file. */
  readonly transaction: number
  readonly relation: number
  /** As in `platform.row_history` (34-history.sql). */
  readonly kind: 'I' | 'D' | 'O' | 'N' | 'T' | 'X'
  readonly depth: number
  readonly request_id: string | null
  readonly role: string
  readonly subject: string | null
  /** `null` for a change of a whole table. */
  readonly cells: readonly (string | null)[] | null
}

export type HistoryLine = BoundsLine | TableLine | EntryLine

// Leaves room for the sequences of the emulator that opens the bundle.
const Sequence = z
  .int()
  .min(0)
  .max(2 ** 48)
const Name = z.string().min(1).max(63)
const Moment = z.iso.datetime()
const Place = z.int().min(0).max(MOST_ENTRIES)

const Line: z.ZodType<HistoryLine> = z.discriminatedUnion('line', [
  z.strictObject({
    line: z.literal('history'),
    complete_from: Sequence,
    complete_since: Moment,
  }),
  z.strictObject({
    line: z.literal('table'),
    relation: Place,
    table: Name.nullable(),
    layouts: z
      .array(
        z.strictObject({
          since: Sequence,
          name: Name,
          columns: z
            .array(
              z.strictObject({ name: Name, type: z.string().max(1_000), written: z.boolean() }),
            )
            .max(1_600),
          key: z.array(Name).max(32),
        }),
      )
      .min(1)
      .max(MOST_ENTRIES),
  }),
  z.strictObject({
    line: z.literal('entry'),
    id: Sequence.min(1),
    at: Moment,
    transaction: Place,
    relation: Place,
    kind: z.enum(['I', 'D', 'O', 'N', 'T', 'X']),
    depth: z.int().min(0).max(1_000),
    request_id: z.string().max(200).nullable(),
    role: z.string().max(63),
    subject: z.string().max(200).nullable(),
    cells: z.array(z.string().nullable()).max(1_600).nullable(),
  }),
])

/** Returns the line, or `undefined` for a text that does not follow the format. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  return Line.safeParse(parseJson(text)).data
}

/** The columns of a table when an entry was recorded. */
export function layoutAt(
  { layouts }: TableLine,
  id: number,
): TableLine['layouts'][number] | undefined {
  return layouts.find(({ since }) => since <= id) ?? layouts.at(-1)
}
