// Audits one tenant: counts what each identity sees of each table, and finds and proves what is open too far.
import type { IdentityDeps } from '../../api-kit/identities.ts'
import type { Audit, AuditBaseline } from '../../contract/audit.ts'
import { isLedger } from '../../core/names.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import type { RequestEnv } from '../../core/request-env.ts'
import { cellText, SqlError } from '../../database/engine.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { identifier, sql } from '../../database/sql.ts'
import type { SqlParser } from '../../database/sql-parser.ts'
import type { Project } from '../../projects/project.ts'
import { loadSecuredTables, type SecuredTable } from '../../tables/table.ts'
import { readAuditCatalog } from './audit-catalog.ts'
import { type AskedIdentity, auditIdentities } from './audit-identities.ts'
import { type CountDeps, countVisible } from './count-visible.ts'
import { catalogFindings } from './findings.ts'
import { cellOf } from './picture.ts'
import { type ProveDeps, proveAll } from './prove.ts'
import { type Picture, seenFindings } from './seen-findings.ts'

export interface AuditDeps extends ProveDeps, CountDeps {
  readonly reader: RowReader
  readonly identities: IdentityDeps
  readonly parser: () => Promise<SqlParser>
}

export interface AuditTask {
  readonly project: Project
  readonly users: number
  readonly baseline: AuditBaseline | undefined
  readonly env: RequestEnv
}

/** @throws {SqlError} when the engine did not begin the work */
export async function auditTenant(deps: AuditDeps, task: AuditTask): Promise<Audit> {
  const { baseline, env, project, users } = task
  const asked = await auditIdentities(deps.identities, project, users, env.addresses)
  const all = await loadSecuredTables(deps.reader, project.schemaName)
  const tables = all.filter(({ isClosed, name }) => !(isClosed || isLedger(name)))
  const startedAt = deps.wallClock.now()
  const picture = await drawPicture(deps, tables, asked)
  const duration = deps.wallClock.now() - startedAt
  const catalog = await readAuditCatalog(deps.reader, project.schemaName)
  const written = catalogFindings(await deps.parser(), tables, catalog)
  const explained = new Set(written.flatMap(({ finding }) => finding.table ?? []))
  const proving = {
    project,
    env,
    tables,
    identities: new Map(asked.map(({ resolved, shown }) => [shown.label, resolved])),
  }
  const drafts = [...written, ...seenFindings(picture, explained, baseline)]
  return {
    tenant: project.slug,
    identities: [...picture.identities],
    tables: picture.tables.map(({ comment: _, ...table }) => table),
    findings: [...(await proveAll(deps, proving, drafts))],
    cells: tables.length * asked.length,
    duration_ms: duration,
  }
}

async function drawPicture(
  deps: AuditDeps,
  tables: readonly SecuredTable[],
  asked: readonly AskedIdentity[],
): Promise<Picture> {
  const totals = await totalsOf(deps.reader, tables)
  const weighed = tables.map((table) => ({ table, weight: totals.get(table) ?? UNKNOWN_ROWS }))
  const counts = await countVisible(
    deps,
    weighed,
    asked.map(({ resolved }) => resolved),
  )
  const service = asked.findIndex(({ shown }) => shown.role === 'service_role')
  return {
    identities: asked.map(({ shown }) => shown),
    tables: tables.map((table) => {
      const seen = counts.get(table) ?? []
      const ofService = seen[service]
      const total =
        totals.get(table) ?? (ofService instanceof SqlError ? undefined : ofService?.rows)
      return {
        name: table.name,
        kind: table.kind,
        rls_enabled: table.hasRowSecurity,
        policies: table.policies.filter(({ appliesTo }) => appliesTo.some(isOfCallers)).length,
        total: total ?? null,
        cells: seen.map((count) => cellOf(count, total)),
        comment: table.comment,
      }
    }),
  }
}

function isOfCallers(role: PrincipalRole): boolean {
  return role !== 'service_role'
}

/** Assumed size of a view, which the platform's own role does not read. */
const UNKNOWN_ROWS = 500

async function totalsOf(
  reader: RowReader,
  tables: readonly SecuredTable[],
): Promise<ReadonlyMap<SecuredTable, number>> {
  const [first, ...others] = tables.filter(
    ({ kind }) => kind !== 'view' && kind !== 'foreign_table',
  )
  if (first === undefined) return new Map()
  const counted = [first, ...others]
  const results = await reader.read(
    first.schemaName,
    counted.map(
      ({ name, schemaName }) =>
        sql`select pg_catalog.count(*) from ${identifier(schemaName, name)}`,
    ),
  )
  return new Map(
    counted.map((table, index) => [table, Number(cellText(results[index]?.rows[0]?.[0]))]),
  )
}
