// Plans how to undo the statements of steps. The differ compares the structures that the steps build with and without these
// statements. Rows that the statements changed or dropped are restored from the ledger (kept-rows.ts), unless the rows were
// changed since.

import { type JsonValue, stableStringify } from '../../../core/json.ts'
import type { RelationRecord } from '../../../database/catalog/relations.ts'
import { diffStatements } from '../../../database/differ/diff-statements.ts'
import type { Lost } from '../../../database/differ/difference.ts'
import { quoteIdentifier, quoteLiteral } from '../../../database/sql.ts'
import { renameStructure } from '../../../database/template/rename-structure.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import type { StepFailure } from '../apply/step-failure.ts'
import { type Step, stepWithText } from '../steps/step.ts'
import { type KeptPart, pairsOf } from './kept-rows.ts'
import type { KeyedStep } from './keyed-steps.ts'
import { type Guarded, guardAgainst, type MadeRows } from './losses.ts'

export interface UndoneSteps {
  /** All steps that ran, the oldest first. */
  readonly steps: readonly KeyedStep[]
  /** Index of the first step that is undone. */
  readonly from: number
  /** The rows that the ledger keeps, by version of the step. */
  readonly kept: ReadonlyMap<string, readonly KeptPart[]>
}

/** Returns the structure that these steps build, or their failure. @throws {SqlError} */
export type BuildSteps = (
  steps: readonly Step[],
) => Promise<
  | { readonly kind: 'built'; readonly structure: SchemaStructure }
  | { readonly kind: 'failed'; readonly failure: StepFailure }
>

export type Undo =
  | { readonly kind: 'undo'; readonly statements: readonly Guarded[] }
  | { readonly kind: 'none'; readonly reason: string }

/** Statements of one step that are undone together. */
interface Piece {
  /** Index of the step. */
  readonly step: number
  /** Number of the step's statements that come before these statements. */
  readonly start: number
  /** Where the ledger keeps the rows that the statements changed; `undefined` when they changed no rows. */
  readonly rows:
    | { readonly version: string; readonly part: number; readonly kept: KeptPart }
    | undefined
}

export async function planUndo(build: BuildSteps, undone: UndoneSteps): Promise<Undo> {
  const pieces: Piece[] = []
  for (const [at, keyed] of undone.steps.entries()) {
    if (at < undone.from) continue
    const found = piecesOf(at, keyed, undone.kept.get(keyed.step.version))
    if (typeof found === 'string') return { kind: 'none', reason: found }
    pieces.push(...found)
  }
  const statements: Guarded[] = []
  let present = await build(undone.steps.map(({ step }) => step))
  for (const [at, piece] of [...pieces.entries()].toReversed()) {
    // Neighbouring pieces that changed no rows are undone together.
    if (piece.rows === undefined && pieces[at - 1]?.rows === undefined && at > 0) continue
    const former = await build(stepsBefore(undone.steps, piece))
    if (present.kind === 'failed') return failed(present.failure)
    if (former.kind === 'failed') return failed(former.failure)
    const way = wayBack(present.structure, former.structure, piece)
    if (typeof way === 'string') return { kind: 'none', reason: way }
    statements.push(...way)
    present = former
  }
  return { kind: 'undo', statements }
}

function failed({ line, message, step = 'the SQL of the fixture' }: StepFailure): Undo {
  const place = `${step}${line === undefined ? '' : `:${line}`}`
  return { kind: 'none', reason: `${place} fails in an empty project with "${message}"` }
}

/** Returns the pieces of a step, or why the step cannot be undone. */
function piecesOf(
  at: number,
  { statements, step }: KeyedStep,
  parts: readonly KeptPart[] | undefined,
): readonly Piece[] | string {
  if (!statements.some(({ isData }) => isData)) return [{ step: at, start: 0, rows: undefined }]
  if (parts === undefined) return `the rows that ${step.file} changed were not kept`
  const [unkept] = parts.flatMap((part) => part.unkept)
  if (unkept !== undefined)
    return `the rows that ${step.file} changed in ${unkept} were not kept, because the table is large, has no primary key or forces row-level security`
  if (statements.some(({ isRename }) => isRename)) return `${step.file} renames something`
  const first = parts[0]?.start ?? 0
  if (statements.slice(0, first).some(({ isData }) => isData))
    return `the rows that the first statements of ${step.file} changed were not kept`
  const before = first > 0 ? [{ step: at, start: 0, rows: undefined }] : []
  const { version } = step
  return [
    ...before,
    ...parts.map((kept, part) => ({ step: at, start: kept.start, rows: { version, part, kept } })),
  ]
}

function stepsBefore(steps: readonly KeyedStep[], { start, step }: Piece): readonly Step[] {
  const partial = steps[step]
  const whole = steps.slice(0, step).map((one) => one.step)
  if (partial === undefined || start === 0) return whole
  const text = partial.statements.slice(0, start).map((statement) => `${statement.text};\n`)
  const header = partial.step.isTransactional ? '' : '-- tenantry: no-transaction\n'
  return [...whole, stepWithText(partial.step, `${header}${text.join('')}`)]
}

/** Returns the statements that change the present structure back to the former one, or why this is not possible. */
function wayBack(
  present: SchemaStructure,
  built: SchemaStructure,
  { rows }: Piece,
): readonly Guarded[] | string {
  const former = renameStructure(built, present.schemaName)
  const options = { allowDestructive: true } as const
  const whole = diffStatements(present, former, options)
  const [left] = whole.notGenerated
  if (left !== undefined) return `${left.object} cannot be changed: ${left.reason}`
  const lost = whole.statements.flatMap(({ loses }) => loses ?? [])
  const guard = guardAgainst(lost, present, (one) => madeBy(one, rows))
  const plain = (text: string): Guarded => ({ text, isGuard: false })
  if (rows === undefined || Object.keys(rows.kept.tables).length === 0)
    return [...guard, ...whole.statements.map(({ sql }) => plain(sql))]
  const tables = Object.keys(rows.kept.tables)
  const between = restorable(present, former, tables)
  const [first, last] = [
    diffStatements(present, between, options),
    diffStatements(between, former, options),
  ]
  const [unclear] = [...first.notGenerated, ...last.notGenerated]
  if (unclear !== undefined) return `${unclear.object} cannot be changed: ${unclear.reason}`
  return [
    ...guard,
    ...first.statements.map(({ sql }) => plain(sql)),
    ...tables.flatMap((table) => putBack(table, rows, present, former)).map(plain),
    ...last.statements.map(({ sql }) => plain(sql)),
  ]
}

/** Returns the rows that the statements wrote, according to the ledger. Dropping these rows loses no row of the application. */
function madeBy({ table }: Lost, rows: Piece['rows']): MadeRows | undefined {
  const key = rows?.kept.tables[table]
  return rows === undefined || key === undefined
    ? undefined
    : { key, pairs: pairsOf(rows.version, rows.part, table) }
}

/** Returns statements that restore the rows that a table had before. Values that were changed since then are kept. */
function putBack(
  table: string,
  { kept, part, version }: NonNullable<Piece['rows']>,
  present: SchemaStructure,
  former: SchemaStructure,
): readonly string[] {
  const columnsIn = ({ relations }: SchemaStructure) =>
    relations.find(({ name }) => name === table)?.columns ?? []
  const columns = columnsIn(former).filter(({ generated }) => generated === undefined)
  const known = new Set(columnsIn(present).map(({ name }) => name))
  const key = kept.tables[table] ?? []
  if (columns.length === 0) return []
  const [name, pairs] = [quoteIdentifier(table), pairsOf(version, part, table)]
  const isSameKey = key.map(
    (one) => `to_jsonb(t)->${quoteLiteral(one)} = p.row->${quoteLiteral(one)}`,
  )
  const keyOf = (side: string) => isSameKey.join(' and ').replaceAll('p.row', `p.${side}`)
  const isAs = (column: string) =>
    `to_jsonb(t)->${quoteLiteral(column)} = coalesce(p.a->${quoteLiteral(column)}, 'null')`
  const shared = columns.filter((column) => known.has(column.name))
  const changeable = columns.filter(
    ({ identity, name: one }) => !key.includes(one) && identity?.always !== true,
  )
  const sets = changeable.map(({ name: one }) => {
    const [column, text] = [quoteIdentifier(one), quoteLiteral(one)]
    return known.has(one)
      ? `${column} = case when p.a->${text} is distinct from p.b->${text} and ${isAs(one)} then r.${column} else t.${column} end`
      : `${column} = r.${column}`
  })
  const list = columns.map(({ name: one }) => quoteIdentifier(one))
  return [
    `delete from only ${name} as t using ${pairs} as p where p.b = 'null' and ${[keyOf('a'), ...shared.map((one) => isAs(one.name))].join(' and ')}`,
    ...(sets.length === 0
      ? []
      : [
          `update only ${name} as t set ${sets.join(', ')} from ${pairs} as p, ${rowOf(name)} where p.b <> 'null' and p.a <> 'null' and ${keyOf('a')}`,
        ]),
    `insert into ${name} (${list.join(', ')}) overriding system value select ${list.map((one) => `r.${one}`).join(', ')} from ${pairs} as p, ${rowOf(name)} where p.b <> 'null' and p.a = 'null' and not exists (select from only ${name} as t where ${keyOf('b')})`,
  ]
}

/** The former row as a record of the table. */
function rowOf(name: string): string {
  return `jsonb_populate_record(null::${name}, case when jsonb_typeof(p.b) = 'object' then p.b end) as r`
}

// The structure in which rows are restored: the former structure without constraints and triggers that would refuse or change
// the rows. Pure.

/**
 * Leaves out foreign keys, other constraints and indexes that `from` does not have, and the triggers and rules of the tables. A
 * column that comes back may be null until its values are restored.
 */
function restorable(
  from: SchemaStructure,
  to: SchemaStructure,
  tables: readonly string[],
): SchemaStructure {
  const isKnown = knownIn([...from.constraints, ...from.indexes])
  const isFree = ({ table }: { readonly table: string }) => !tables.includes(table)
  return {
    ...to,
    relations: to.relations.map((relation) =>
      tables.includes(relation.name) ? withEmptyColumns(relation, from) : relation,
    ),
    constraints: to.constraints.filter((one) => one.kind !== 'foreign' && isKnown(one)),
    indexes: to.indexes.filter(isKnown),
    triggers: to.triggers.filter(isFree),
    rules: to.rules.filter(isFree),
    comments: to.comments.filter(
      ({ object }) => !/^(?:constraint|index|trigger|rule) /.test(object),
    ),
  }
}

function knownIn(
  records: readonly { readonly key: string }[],
): (record: { readonly key: string }) => boolean {
  const textOf = (record: object) => stableStringify({ ...record } as unknown as JsonValue)
  const texts = new Map(records.map((record) => [record.key, textOf(record)]))
  return (record) => texts.get(record.key) === textOf(record)
}

function withEmptyColumns(
  relation: RelationRecord,
  { relations }: SchemaStructure,
): RelationRecord {
  const known = relations.find(({ name }) => name === relation.name)?.columns
  if (known === undefined) return relation
  const names = new Set(known.map(({ name }) => name))
  return {
    ...relation,
    columns: relation.columns.map((column) => {
      if (names.has(column.name)) return column
      const { notNull: _, ...empty } = column
      return empty
    }),
  }
}
