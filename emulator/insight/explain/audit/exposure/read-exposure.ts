// Reads what anon and a new user can reach in a tenant (contract/exposure-contract.ts). The rows that they see come from the
// audit's picture. The rows that they could write are judged by the policies, as in explanations. Nothing is written.
import type { AuditTable } from '../../../../contract/audit.ts'
import type { ExposedCommand, ExposedIdentity } from '../../../../contract/compare-exposure.ts'
import {
  EXPOSED_COMMANDS,
  EXPOSED_IDENTITIES,
  EXPOSURE_FORMAT,
  EXPOSURE_VERSION,
  type ExposedTable,
  type ExposureContract,
  type Reach,
  type TableExposure,
} from '../../../../contract/exposure-contract.ts'
import { sortedRecord } from '../../../../contract/join-contracts.ts'
import type { RequestEnv } from '../../../../core/request-env.ts'
import type { SqlParser } from '../../../../database/sql-parser.ts'
import type { Project } from '../../../../platform/projects/project.ts'
import { fullBucketName } from '../../../../services/storage/buckets/bucket-name.ts'
import type { Cells } from '../../../tables/select-rows.ts'
import type { SecuredTable } from '../../../tables/table.ts'
import { isAlwaysTrueText } from '../../policies/always-true.ts'
import { clausesOf } from '../../policies/clauses.ts'
import type { ExplainDeps } from '../../rows/explain-rows.ts'
import { readRows, type StoredRow } from '../../rows/stored-rows.ts'
import { allowedRows, tableVerdict, type World } from '../../suggested-fixes/what-if.ts'
import { type AskedIdentity, auditIdentities } from '../audit-identities.ts'
import { type AuditDeps, auditedTables, bucketAccess, drawPicture } from '../audit-tenant.ts'
import { type CallableFunction, readExposureCatalog } from './exposure-catalog.ts'

export interface ExposureDeps extends AuditDeps {
  readonly explain: ExplainDeps
}

export interface Exposure {
  readonly contract: ExposureContract
  readonly tables: readonly SecuredTable[]
  readonly functions: readonly CallableFunction[]
  readonly asked: ReadonlyMap<ExposedIdentity, AskedIdentity>
  /** For each `exampleKey`, the key of a row that the identity may write. */
  readonly examples: ReadonlyMap<string, Cells>
}

export function exampleKey(
  identity: ExposedIdentity,
  table: string,
  command: ExposedCommand,
): string {
  return JSON.stringify([identity, table, command])
}

/** Writes are judged on this many rows of each table. */
const MAX_ROWS = 200

/** @throws {SqlError} when the engine did not begin the work */
export async function readExposure(
  deps: ExposureDeps,
  project: Project,
  env: RequestEnv,
): Promise<Exposure> {
  const { schemaName } = project
  // The identities are anon, a new user and service_role. The third one is needed to count the rows of views.
  const everybody = await auditIdentities(deps.identities, project, 0, env.addresses)
  const asked = new Map(
    EXPOSED_IDENTITIES.flatMap((identity, index) => {
      const found = everybody[index]
      return found === undefined ? [] : [[identity, found] as const]
    }),
  )
  const tables = await auditedTables(deps.reader, schemaName)
  const picture = await drawPicture(deps, tables, everybody)
  const { functions, views } = await readExposureCatalog(deps.reader, schemaName)
  const examples = new Map<string, Cells>()
  const frame = { deps, asked, views, parser: await deps.parser(), examples }
  const exposed: [string, ExposedTable][] = []
  for (const [index, table] of tables.entries())
    exposed.push([table.name, await exposureOf(frame, table, picture.tables[index]?.cells ?? [])])
  const prefix = fullBucketName(schemaName, '')
  return {
    contract: {
      format: EXPOSURE_FORMAT,
      version: EXPOSURE_VERSION,
      tables: sortedRecord(exposed),
      functions: sortedRecord(functions.flatMap(callersOf)),
      buckets: sortedRecord(
        bucketAccess(deps.buckets, schemaName, everybody).map(
          ({ access: [anon = 'none', newUser = 'none'], name }) => [
            name.startsWith(prefix) ? name.slice(prefix.length) : name,
            { anon: bucketReach(anon), new_user: bucketReach(newUser) },
          ],
        ),
      ),
    },
    tables,
    functions,
    asked,
    examples,
  }
}

function bucketReach(access: 'none' | 'read' | 'write' | 'administer'): 'none' | 'read' | 'write' {
  return access === 'administer' ? 'write' : access
}

const ROLES_OF = { anon: 'anon', new_user: 'authenticated' } as const

function callersOf({ roles, signature }: CallableFunction) {
  const callers = EXPOSED_IDENTITIES.filter((identity) => roles.includes(ROLES_OF[identity]))
  return callers.length === 0 ? [] : [[signature, callers] as const]
}

interface Frame {
  readonly deps: ExposureDeps
  readonly asked: ReadonlyMap<ExposedIdentity, AskedIdentity>
  readonly views: ReadonlyMap<string, readonly ExposedCommand[]>
  readonly parser: SqlParser
  readonly examples: Map<string, Cells>
}

async function exposureOf(
  frame: Frame,
  table: SecuredTable,
  cells: AuditTable['cells'],
): Promise<ExposedTable> {
  const rows = isJudged(table)
    ? (await readRows(frame.deps.reader, table, { limit: MAX_ROWS, offset: 0 })).rows
    : []
  const exposures: TableExposure[] = []
  for (const [index, identity] of EXPOSED_IDENTITIES.entries()) {
    const principal = frame.asked.get(identity)?.resolved.principal
    if (principal === undefined) continue
    const role = ROLES_OF[identity]
    const subject = { identity, world: { facts: table, principal: { ...principal, role } } }
    const select = seenReach(frame, subject, cells[index])
    // UPDATE and DELETE read the rows, so they fail when reading fails.
    const isFailing = cells[index]?.seen === 'failed'
    const reach = async (command: WriteCommand) => {
      if (table.kind === 'view') return viewReach(frame, subject, command, select)
      if (isFailing && command !== 'insert') return 'none'
      return writeReach(frame, subject, command, rows)
    }
    const reaches = {
      select,
      insert: await reach('insert'),
      update: await reach('update'),
      delete: await reach('delete'),
    }
    exposures.push({ ...reaches, ...columnsMember(table, role, reaches) })
  }
  const [anon = CLOSED, newUser = CLOSED] = exposures
  return {
    columns: table.columns.map(({ name }) => name).toSorted(),
    anon,
    new_user: newUser,
  }
}

const CLOSED: TableExposure = {
  select: 'refused',
  insert: 'refused',
  update: 'refused',
  delete: 'refused',
}

type WriteCommand = Exclude<ExposedCommand, 'select'>

interface Subject {
  readonly identity: ExposedIdentity
  readonly world: World
}

function isJudged({ hasRowSecurity, kind }: SecuredTable): boolean {
  return hasRowSecurity && (kind === 'table' || kind === 'partitioned_table')
}

function seenReach(
  { parser }: Frame,
  { world }: Subject,
  cell: AuditTable['cells'][number] | undefined,
): Reach {
  if (cell === undefined || cell.seen === 'refused') return 'refused'
  // A table whose policies fail shows no row.
  if (cell.seen === 'failed') return 'none'
  if (cell.seen !== 'none') return cell.seen
  return isOpenByText(parser, world, 'select') ? 'all' : 'none'
}

async function writeReach(
  { deps, examples, parser }: Frame,
  { identity, world }: Subject,
  command: WriteCommand,
  rows: readonly StoredRow[],
): Promise<Reach> {
  const statement = { command, newRow: undefined }
  switch (tableVerdict(world, statement)) {
    case 'rls_off':
    case 'bypasses_policies':
      return world.facts.kind === 'materialized_view' ? 'refused' : 'all'
    case 'no_policy':
      return 'none'
    case 'policies_decide':
      break
    default:
      return 'refused'
  }
  if (isOpenByText(parser, world, command)) return 'all'
  const texts = rows.map(({ text }) =>
    command === 'insert' ? { old: undefined, fresh: text } : { old: text, fresh: undefined },
  )
  const allowed = await allowedRows(deps.explain, world, statement, texts)
  // Policies that cannot be evaluated may allow some rows.
  if (allowed === undefined) return 'some'
  const [first] = rows.filter((_, index) => allowed[index] === true)
  if (first !== undefined) examples.set(exampleKey(identity, world.facts.name, command), first.key)
  if (rows.length > 0 && allowed.every(Boolean)) return 'all'
  // A caller chooses the values of a new row, so a policy that refuses all stored rows can still allow other rows.
  return first !== undefined || command === 'insert' ? 'some' : 'none'
}

// A view passes writes on to its table. A caller can write at most the rows that it sees through the view.
function viewReach(
  { views }: Frame,
  { identity, world: { facts } }: Subject,
  command: WriteCommand,
  select: Reach,
): Reach {
  const { columns, privileges, schema } = facts.access[ROLES_OF[identity]]
  const privilege = command.toUpperCase()
  const may = schema && (privileges.includes(privilege) || (columns[privilege]?.length ?? 0) > 0)
  if (!(may && views.get(facts.name)?.includes(command))) return 'refused'
  return command === 'insert' ? 'some' : select
}

/** Whether policies allow every row whatever it contains, or do not apply. */
function isOpenByText(parser: SqlParser, world: World, command: ExposedCommand): boolean {
  const { facts, principal } = world
  const verdict = tableVerdict(world, { command, newRow: undefined })
  if (verdict === 'rls_off' || verdict === 'bypasses_policies') return true
  if (verdict !== 'policies_decide') return false
  return clausesOf(facts.policies, principal.role, command, false).every(
    ({ policies }) =>
      policies.every(({ permissive }) => permissive) &&
      policies.some(({ text }) => isAlwaysTrueText(parser, text)),
  )
}

function columnsMember(
  table: SecuredTable,
  role: 'anon' | 'authenticated',
  reaches: TableExposure,
): Pick<TableExposure, 'columns'> {
  const { columns, privileges } = table.access[role]
  const some = EXPOSED_COMMANDS.flatMap((command) => {
    const privilege = command.toUpperCase()
    const isWhole = command === 'delete' || privileges.includes(privilege)
    return isWhole || reaches[command] === 'refused'
      ? []
      : [[command, (columns[privilege] ?? []).toSorted()] as const]
  })
  return some.length === 0 ? {} : { columns: Object.fromEntries(some) }
}
