// Compares what identities may write before and after a fix. Evaluates the policies of both states on the rows of the table, or
// on the one row that the statement writes.

import type { RowCommand } from '../../../contract/values.ts'
import { EmulatorError } from '../../../core/errors.ts'
import type { Cells } from '../../tables/select-rows.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { shortCell } from '../../visibility/short-cell.ts'
import type { ExplainDeps } from '../rows/explain-rows.ts'
import { readRows, storedRow } from '../rows/stored-rows.ts'
import type { EffectChange, MeasuredEffect } from './effect.ts'
import type { MeasuredIdentity } from './measured-identities.ts'
import { allowedRows, type RowTexts, type Statement, type World, withNewRows } from './what-if.ts'

export interface WriteRows {
  readonly statement: Statement
  /** The row before and after a fix that changes the row itself. */
  readonly row: { readonly before: RowTexts; readonly after: RowTexts } | undefined
}

interface BothTables {
  readonly before: SecuredTable
  readonly after: SecuredTable
}

/** Maximum number of rows of a table that is compared. Larger tables are not compared. */
const MAX_ROWS = 1_000

export async function writeChanges(
  deps: ExplainDeps,
  tables: BothTables,
  identities: readonly MeasuredIdentity[],
  { row, statement }: WriteRows,
): Promise<MeasuredEffect> {
  const { after, before } = tables
  const kind = before.kind
  if (before.isClosed || (kind !== 'table' && kind !== 'partitioned_table')) return NOTHING
  const isPolicyChanged = security(before) !== security(after)
  const hasOtherClaims = identities.some(({ principalAfter }) => principalAfter !== undefined)
  if (!isPolicyChanged && !hasOtherClaims && (row === undefined || statement.command === 'select'))
    return NOTHING
  const asked = row === undefined ? statementsOf(statement, tables) : [statement]
  const changes: EffectChange[] = []
  const notes: string[] = []
  for (const one of asked) {
    const compared = await compareWrites(deps, tables, identities, { statement: one, row }).catch(
      notCompared,
    )
    if (typeof compared === 'string') notes.push(compared)
    else changes.push(...compared)
  }
  return { changes, notes }
}

function notCompared(error: unknown): string {
  if (error instanceof EmulatorError) return `Written rows were not compared: ${error.message}`
  throw error
}

const NOTHING: MeasuredEffect = { changes: [], notes: [] }

function security({ access, hasRowSecurity, policies }: SecuredTable): string {
  return JSON.stringify([access, hasRowSecurity, policies])
}

/** The statement itself, and other writes that the change reaches, for example through a policy for all commands. */
function statementsOf(statement: Statement, { after, before }: BothTables): readonly Statement[] {
  const others = (['update', 'delete'] as const).filter(
    (command) =>
      command !== statement.command && ofCommand(before, command) !== ofCommand(after, command),
  )
  return [
    ...(statement.command === 'select' ? [] : [statement]),
    ...others.map((command) => ({ command, newRow: undefined })),
  ]
}

function ofCommand(table: SecuredTable, command: RowCommand): string {
  const policies = table.policies.filter((one) => one.command === 'all' || one.command === command)
  const access = Object.values(table.access).map(({ columns, privileges }) => [
    privileges.includes(command.toUpperCase()),
    columns[command.toUpperCase()],
  ])
  return JSON.stringify([access, table.hasRowSecurity, policies])
}

async function compareWrites(
  deps: ExplainDeps,
  { after, before }: BothTables,
  identities: readonly MeasuredIdentity[],
  { row, statement }: WriteRows,
): Promise<readonly EffectChange[] | string> {
  const { command } = statement
  const old = command === 'insert' || row !== undefined ? [] : await oldRows(deps, before)
  if (old === undefined)
    return `Rows that identities may ${command} were not compared: ${before.name} has more than ${MAX_ROWS} rows.`
  const changes: EffectChange[] = []
  for (const identity of identities) {
    const was = worldOf(before, identity.principal, identity)
    const is = worldOf(after, identity.principalAfter ?? identity.principal, identity)
    const texts = row === undefined ? await withNewRows(deps, was, statement, old) : [row.before]
    const then = await allowedRows(deps, was, statement, texts)
    const now = await allowedRows(deps, is, statement, row === undefined ? texts : [row.after])
    if (then === undefined || now === undefined)
      return `Rows that identities may ${command} were not compared: the policies of ${before.name} cannot be evaluated.`
    const numbers = texts.map((_, index) => index)
    const gained = numbers.filter((index) => now[index] === true && then[index] !== true)
    const lost = numbers.filter((index) => now[index] !== true && then[index] === true)
    const [first] = [...gained, ...lost]
    if (first === undefined) continue
    const shown = texts[first]?.old ?? texts[first]?.fresh
    changes.push({
      table: before.name,
      command,
      identity,
      gained: gained.map(String),
      lost: lost.map(String),
      changed: 0,
      example: shown === undefined ? undefined : cut(storedRow(before, shown).cells),
      error: undefined,
    })
  }
  return changes
}

function worldOf(
  facts: SecuredTable,
  principal: MeasuredIdentity['principal'],
  { role }: MeasuredIdentity,
): World {
  return { facts, principal: { ...principal, role } }
}

async function oldRows(
  { reader }: ExplainDeps,
  table: SecuredTable,
): Promise<readonly string[] | undefined> {
  const { rows, total } = await readRows(reader, table, { limit: MAX_ROWS, offset: 0 })
  return total > MAX_ROWS ? undefined : rows.map(({ text }) => text)
}

function cut(cells: Cells): Cells {
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, shortCell(cell)]))
}
