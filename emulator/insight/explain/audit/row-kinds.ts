// Finds the kinds of rows that a table's policies can tell apart. Rows that are equal in all columns that the policies read are
// either all visible or all hidden. The audit of a large table therefore checks one row of each kind.
import { searchPathOf } from '../../../database/as-principal.ts'
import { type Answer, cellText, SqlError } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { type Sql, sql, verbatim } from '../../../database/sql.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { type NumberedRelation, recordOf, rowNumber } from '../../visibility/numbered-rows.ts'
import { arrayText, columnsRead } from '../rows/evaluate.ts'
import { combineParts, MAX_NUMBERED, type Part, shortNumber } from './row-counts.ts'

/** With more kinds, checking a row of each kind costs as much as counting all rows. */
const MAX_KINDS = 1_000

export interface RowKinds {
  /** The rows of each kind, by the place of its first row. */
  readonly parts: ReadonlyMap<string, Part>
  /** Reads the places of those first rows that the identity sees. */
  readonly statement: Sql
}

/** System columns, which differ between rows that are equal in all other columns. */
const SYSTEM_COLUMN = /\b(?:ctid|tableoid|[cx]m(?:in|ax))\b/

/**
 * @returns `undefined` when the policies read whole rows or distinguish too many kinds
 * @throws {SqlError}
 */
export async function readKinds(
  reader: RowReader,
  table: SecuredTable,
  relation: NumberedRelation,
  clauses: readonly Sql[],
): Promise<RowKinds | undefined> {
  const texts = table.policies.flatMap(({ using }) => using ?? [])
  const isRead = columnsRead(table, texts)
  if (isRead === undefined || texts.some((text) => SYSTEM_COLUMN.test(text))) return undefined
  const columns = table.columns.filter((_, index) => isRead[index]).map(({ name }) => name)
  const kinds = new Map<string, { readonly place: string; part: Part }>()
  for (const clause of clauses) {
    for (const { kind, part, place } of await kindsIn(reader, table, relation, columns, clause)) {
      const known = kinds.get(kind)
      if (known === undefined) kinds.set(kind, { place, part })
      else known.part = combineParts([known.part, part])
    }
    if (kinds.size > MAX_KINDS) return undefined
  }
  const parts = new Map([...kinds.values()].map(({ part, place }) => [place, part]))
  return { parts, statement: placesOf(relation, [...parts.keys()]) }
}

/** Whether the first rows are still at their places. A write may have moved them. @throws {SqlError} */
export async function areInPlace(
  reader: RowReader,
  { schemaName }: SecuredTable,
  { parts, statement }: RowKinds,
): Promise<boolean> {
  const [result] = await reader.read(schemaName, [statement])
  return partsAt(parts, result?.rows ?? []).length === parts.size
}

interface FoundKind {
  readonly kind: string
  readonly place: string
  readonly part: Part
}

// Rows in different partitions of a table can have the same ctid, so a place also contains the partition's oid.
async function kindsIn(
  reader: RowReader,
  { schemaName }: SecuredTable,
  { key, name }: NumberedRelation,
  columns: readonly string[],
  clause: Sql,
): Promise<readonly FoundKind[]> {
  const counted = sql`select row(seen.part, seen.kind)::pg_catalog.text, seen.part, pg_catalog.min(seen.place), pg_catalog.count(*),
  pg_catalog.to_hex(pg_catalog.bit_xor(seen.n)),
  case when pg_catalog.count(*) <= ${verbatim(String(MAX_NUMBERED))} then pg_catalog.string_agg(seen.n::pg_catalog.text, ',') end
from (select r.tableoid as part, r.ctid as place, ${recordOf(columns)} as kind, ${rowNumber(key)} as n from ${name} as r${clause}) as seen
group by seen.part, seen.kind`
  const searchPath = searchPathOf(schemaName)
  const [result] = await reader.read(schemaName, [counted], { searchPath })
  return (result?.rows ?? []).map((row) => {
    const [kind = '', part, place, rows, combined = '', numbers] = row.map(cellText)
    return {
      kind,
      place: `${part} ${place}`,
      part: { rows: Number(rows), combined, numbers: numbers?.split(',').map(shortNumber) },
    }
  })
}

function placesOf({ name }: NumberedRelation, places: readonly string[]): Sql {
  const rows = places.map((place) => place.slice(place.indexOf(' ') + 1))
  return sql`select r.tableoid, r.ctid from ${name} as r where r.ctid operator(pg_catalog.=) any (${arrayText(rows)}::pg_catalog.tid[])`
}

/** Returns the rows of all kinds whose first row the identity sees. */
export function seenPart(
  { parts }: RowKinds,
  answer: Answer | undefined,
): Part | SqlError | undefined {
  return answer === undefined || answer instanceof SqlError
    ? answer
    : combineParts(partsAt(parts, answer))
}

function partsAt(parts: RowKinds['parts'], rows: Exclude<Answer, SqlError>): readonly Part[] {
  return rows.flatMap(([part, place]) => parts.get(`${cellText(part)} ${cellText(place)}`) ?? [])
}
