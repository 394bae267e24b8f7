// Marks in the history of row changes. A snapshot keeps the mark of its moment, so that a comparison finds the changes after it.
import { z } from 'zod'
import type { SchemaName } from '../../core/names.ts'
import { cellText, type Engine } from '../../database/engine.ts'
import { literal, readScript, type Sql, sql } from '../../database/sql.ts'

export interface HistoryMark {
  /** No change up to this moment has a higher sequence. */
  readonly sequence: number
  /** The newest recorded change and a digest of it; `null` without one. Another course of events has another digest. */
  readonly last: { readonly sequence: number; readonly digest: string } | null
}

/** Marks by schema name on a server, whose projects have databases of their own; by `cluster` on the embedded engine. */
export type HistoryMarks = Readonly<Record<string, HistoryMark>>

export const HistoryMarks: z.ZodType<HistoryMarks> = z.record(
  z.string(),
  z.object({
    sequence: z.number(),
    last: z.object({ sequence: z.number(), digest: z.string() }).nullable(),
  }),
)

const ALL = 'cluster'

/** Returns the marks of the present moment. @throws {SqlError} */
export async function presentMarks(
  engine: Pick<Engine, 'admin' | 'facts'>,
  schemaNames: Iterable<SchemaName>,
): Promise<HistoryMarks> {
  const databases = engine.facts.kind === 'embedded' ? ([ALL] as const) : [...schemaNames]
  const marks: Record<string, HistoryMark> = {}
  for (const database of databases) marks[database] = await readMark(engine, database)
  return marks
}

async function readMark(
  engine: Pick<Engine, 'admin'>,
  database: SchemaName | typeof ALL,
): Promise<HistoryMark> {
  const results = await engine.admin(
    database,
    readScript([
      sql`select (select last_value from platform.history_ids), id, ${digest} from (
  select * from platform.history_entries order by id desc limit 1
) as newest right join (values (1)) as always on true`,
    ]),
  )
  const [sequence, id, text] = (results.at(-1)?.rows[0] ?? []).map(cellText)
  return {
    sequence: Number(sequence),
    last: id === undefined || text === undefined ? null : { sequence: Number(id), digest: text },
  }
}

const digest: Sql = sql`pg_catalog.md5(pg_catalog.concat_ws(' ', id, at, transaction, relation, request_id, row))`

export function markOf(
  marks: HistoryMarks | null,
  schemaName: SchemaName,
): HistoryMark | undefined {
  return marks?.[schemaName] ?? marks?.[ALL]
}

/**
 * Returns whether the present state came from the marked one. `unknown` means that the changes in between are not recorded completely.
 * @throws {SqlError}
 */
export async function isPast(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
  mark: HistoryMark,
): Promise<'past' | 'other' | 'unknown'> {
  const { last, sequence } = mark
  const results = await engine.admin(
    schemaName,
    readScript([
      sql`select
  (select complete_from from platform.history_projects
    where project = (select oid from pg_catalog.pg_namespace where nspname = ${literal(schemaName)})),
  (select last_value from platform.history_ids),
  (select ${digest} from platform.history_entries where id = ${literal(String(last?.sequence ?? 0))}::bigint)`,
    ]),
  )
  const [completeFrom, present, text] = (results.at(-1)?.rows[0] ?? []).map(cellText)
  if (Number(present) < sequence) return 'other'
  if (completeFrom === undefined || Number(completeFrom) > sequence + 1) return 'unknown'
  return last === null || last.digest === text ? 'past' : 'other'
}
