// Masks the secrets of recorded rows, as the requests of a bundle are masked. A secret that a row of the bundle's state has is kept,
// so that the changes fit the rows.
import { parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { cellText } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { identifier, join, literal, sql } from '../../../database/sql.ts'
import { maskValue } from '../../../platform/secrets/mask-value.ts'
import { NO_SIGN_IN } from '../../../platform/secrets/secret-names.ts'
import { type EntryLine, layoutAt, type TableLine } from './history-lines.ts'

/** Returns the entries without secrets that are not in the project's rows. @throws {SqlError} */
export async function maskEntries(
  reader: RowReader,
  schemaName: SchemaName,
  tables: readonly TableLine[],
  entries: readonly EntryLine[],
): Promise<readonly EntryLine[]> {
  const places = new Map<string, number>()
  const placeOf = (secret: string): number => {
    const place = places.get(secret) ?? places.size + 1
    places.set(secret, place)
    return place
  }
  const found = entries.map((entry) => secretCells(entry, tables[entry.relation], placeOf))
  const kept = await presentCells(reader, schemaName, found.flat())
  return entries.map((entry, index) => {
    const secrets = (found[index] ?? []).filter(
      ({ column, table, text }) => kept.get(`${table} ${column}`)?.has(text) !== true,
    )
    if (secrets.length === 0 || entry.cells === null) return entry
    const cells = [...entry.cells]
    for (const { masked, place } of secrets) cells[place] = masked
    return { ...entry, cells }
  })
}

interface SecretCell {
  readonly place: number
  readonly table: string | null
  readonly column: string
  readonly text: string
  readonly masked: string | null
}

function secretCells(
  { cells, id }: EntryLine,
  table: TableLine | undefined,
  placeOf: (secret: string) => number,
): readonly SecretCell[] {
  const layout = table && layoutAt(table, id)
  if (cells === null || layout === undefined) return []
  return layout.columns.flatMap(({ name, type }, place) => {
    const text = cells[place] ?? null
    if (text === null || NO_SECRET.test(type)) return []
    const masked = maskedCell(name, text, placeOf)
    if (masked === text) return []
    const [fitting] = [fittingCell(type, masked, placeOf(text))]
    return [{ place, table: table?.table ?? null, column: name, text, masked: fitting }]
  })
}

/** Types that cannot contain a secret. */
const NO_SECRET = /^(boolean|date|time|interval)/
const TEXTS = /^(text|character|name|json)/
const NUMBERS = /^(smallint|integer|bigint|numeric|real|double)/

function maskedCell(name: string, text: string, placeOf: (secret: string) => number): string {
  const masking = {
    signIn: NO_SIGN_IN,
    replace: (secret: string) => `masked~${placeOf(secret)}`,
  }
  const masked = parseJson(maskValue(JSON.stringify({ [name]: text }), masking))
  return String(Object.values(masked as object)[0])
}

/** Returns a mask that the column's type accepts. Equal secrets have equal masks, so that unique keys stay unique. */
function fittingCell(type: string, masked: string, place: number): string | null {
  if (/^jsonb?$/.test(type) && parseJson(masked) === undefined) return JSON.stringify(masked)
  if (TEXTS.test(type)) return masked
  if (NUMBERS.test(type)) return String(-place)
  if (type === 'uuid') return `00000000-0000-0000-0000-${String(place).padStart(12, '0')}`
  return null
}

/** Finds which of the secrets the project's rows have, by table and column. */
async function presentCells(
  reader: RowReader,
  schemaName: SchemaName,
  secrets: readonly SecretCell[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const groups = [
    ...Map.groupBy(
      secrets.filter(({ table }) => table !== null),
      ({ column, table }) => `${table} ${column}`,
    ),
  ]
  if (groups.length === 0) return new Map()
  const results = await reader.read(
    schemaName,
    groups.map(([, cells]) => {
      const [{ column = '', table = '' } = {}] = cells
      const cell = sql`concat(${identifier(column)})`
      const texts = [...new Set(cells.map(({ text }) => text))].map((text) => literal(text))
      return sql`select distinct ${cell} from ${identifier(schemaName, table ?? '')}
where ${cell} in (${join(texts)})`
    }),
  )
  return new Map(
    groups.map(([name], index) => [
      name,
      new Set((results[index]?.rows ?? []).map(([cell]) => cellText(cell) ?? '')),
    ]),
  )
}
