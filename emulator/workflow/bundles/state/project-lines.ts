// The lines of a project's file in a bundle, each a JSON value. First come the structure as statements of the project's owner,
// then rows as Postgres's text, then the positions of sequences. Nothing in a line names the project, an owner or a role to run
// as.
import { z } from 'zod'
import { parseJson } from '../../../core/json.ts'

/** Maximum characters of a line. A line has many rows, or a single long row. */
export const MAX_LINE_CHARACTERS: number = 256 << 20

export interface StructureLine {
  readonly line: 'structure'
  /** The comment on the schema. The platform sets the comment, because it owns the schema. */
  readonly comment: string | null
  readonly before_rows: readonly string[]
  readonly after_rows: readonly string[]
  readonly refresh: readonly string[]
}

export interface RowsLine {
  /** `auth_rows` are rows of a platform table in the project's schema. */
  readonly line: 'rows' | 'auth_rows'
  readonly table: string
  readonly columns: readonly string[]
  /** Cells in the order of `columns`, in Postgres's text format. */
  readonly rows: readonly (readonly (string | null)[])[]
}

export interface SequenceLine {
  readonly line: 'sequence'
  readonly sequence: string
  /** A bigint as decimal text. */
  readonly value: string
  /** Whether the sequence has already returned `value`. */
  readonly is_called: boolean
}

export type ProjectLine = StructureLine | RowsLine | SequenceLine

// Postgres truncates longer names.
const Name = z.string().min(1).max(63)
const Statements = z.array(z.string()).max(1_000_000)
const Rows = z.array(z.array(z.string().nullable()).max(1_664))

const Line: z.ZodType<ProjectLine> = z.discriminatedUnion('line', [
  z.strictObject({
    line: z.literal('structure'),
    comment: z.string().nullable(),
    before_rows: Statements,
    after_rows: Statements,
    refresh: Statements,
  }),
  z
    .strictObject({
      line: z.enum(['rows', 'auth_rows']),
      table: Name,
      columns: z.array(Name).max(1_664),
      rows: Rows,
    })
    .refine(({ columns, rows }) => rows.every(({ length }) => length === columns.length)),
  z.strictObject({
    line: z.literal('sequence'),
    sequence: Name,
    value: z.string().regex(/^-?\d{1,19}$/),
    is_called: z.boolean(),
  }),
])

/** Returns the line, or `undefined` for a text that does not follow the format. */
export function parseProjectLine(text: string): ProjectLine | undefined {
  return Line.safeParse(parseJson(text)).data
}
