// Audits one tenant: counts the rows that each identity sees of each table, and finds and proves unintended access.
import type {
  Audit,
  AuditBaseline,
  AuditBucket,
  AuditPart,
  AuditTable,
} from '../../../contract/audit.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { cellText, SqlError } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { identifier, sql } from '../../../database/sql.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { StorageActor } from '../../../services/storage/access/actor.ts'
import { mayAdminister, mayRead, mayWrite } from '../../../services/storage/access/permissions.ts'
import type { Bucket, BucketStore } from '../../../services/storage/buckets/bucket-store.ts'
import type { IdentityDeps } from '../../api-kit/identities.ts'
import { loadSecuredTables, type SecuredTable } from '../../tables/table.ts'
import { type AskedIdentity, auditIdentities } from './audit-identities.ts'
import { type CountDeps, type CountedTable, countVisible } from './count-visible.ts'
import { cellOf } from './picture.ts'
import { type ProveDeps, proveAll } from './prove.ts'
import { explainedFailures } from './schema-findings.ts'
import { type Picture, seenFindings } from './seen-findings.ts'
import { isAudited, writtenFindings } from './written-findings.ts'

export interface AuditDeps extends ProveDeps, CountDeps {
  readonly reader: RowReader
  readonly identities: IdentityDeps
  readonly parser: () => Promise<SqlParser>
  readonly buckets: BucketDeps
}

export interface AuditTask {
  readonly project: Project
  readonly users: number
  readonly baseline: AuditBaseline | undefined
  readonly env: RequestEnv
  /** Receives the parts of the audit before the audit is complete. */
  readonly report?: (part: AuditPart) => void
  /** Aborting ends the count of the rows. */
  readonly signal?: AbortSignal
}

/** @throws {SqlError} when the engine did not begin the work */
export async function auditTenant(deps: AuditDeps, task: AuditTask): Promise<Audit> {
  const { baseline, env, project, report = () => undefined, users } = task
  const asked = await auditIdentities(deps.identities, project, users, env.addresses)
  const tables = await auditedTables(deps.reader, project.schemaName)
  const buckets = bucketAccess(deps.buckets, project.schemaName, asked)
  const identities = asked.map(({ shown }) => shown)
  const names = tables.map(({ name }) => name)
  report({ kind: 'begun', tenant: project.slug, identities, buckets, tables: names })
  const startedAt = deps.wallClock.now()
  const counting = task.signal === undefined ? deps : { ...deps, signal: task.signal }
  const picture = await drawPicture(counting, tables, asked, (counted) =>
    report({ kind: 'table', table: withoutComment(counted) }),
  )
  const duration = deps.wallClock.now() - startedAt
  const written = await writtenFindings(deps, {
    project,
    tables,
    rowsOf: (table) => picture.tables.find(({ name }) => name === table)?.total ?? null,
  })
  const explained = new Set(
    written.flatMap(({ finding: { rule, table } }) => (OPENING.has(rule) ? (table ?? []) : [])),
  )
  const proving = {
    project,
    env,
    tables,
    identities: new Map(asked.map((identity) => [identity.shown.label, identity])),
  }
  const seen = explainedFailures(seenFindings(picture, explained, baseline), written)
  const drafts = [...written, ...seen]
  return {
    tenant: project.slug,
    identities: [...picture.identities],
    tables: picture.tables.map(withoutComment),
    buckets,
    findings: [...(await proveAll(deps, proving, drafts))],
    cells: tables.length * asked.length,
    duration_ms: duration,
  }
}

function withoutComment({ comment: _, ...table }: Picture['tables'][number]): AuditTable {
  return table
}

/** Rules of findings that explain why everybody sees a table. */
const OPENING: ReadonlySet<string> = new Set([
  'row-security-missing',
  'policy-always-true',
  'grant-to-anon',
  'view-skips-policies',
  'no-policy',
])

/** Returns the tables of a project without those of the platform. @throws {SqlError} */
export async function auditedTables(
  reader: RowReader,
  schemaName: SchemaName,
): Promise<readonly SecuredTable[]> {
  const all = await loadSecuredTables(reader, schemaName)
  return all.filter(isAudited)
}

/**
 * Counts the rows that each identity sees. @param report receives each table once it is counted
 * @throws {SqlError} when the engine did not begin the work
 */
export async function drawPicture(
  deps: CountDeps,
  tables: readonly SecuredTable[],
  asked: readonly AskedIdentity[],
  report: (table: Picture['tables'][number]) => void = () => undefined,
): Promise<Picture> {
  const sizes = await sizesOf(deps.reader, tables)
  const service = asked.findIndex(({ shown }) => shown.role === 'service_role')
  const drawn = new Map<SecuredTable, Picture['tables'][number]>()
  await countVisible(
    deps,
    tables.map((table) => ({ table, ...(sizes.get(table) ?? UNKNOWN_SIZE) })),
    asked.map(({ resolved }) => resolved),
    (table, counts) => {
      const ofService = counts[service]
      const total =
        sizes.get(table)?.rows ?? (ofService instanceof SqlError ? undefined : ofService?.rows)
      const counted = {
        name: table.name,
        kind: table.kind,
        rls_enabled: table.hasRowSecurity,
        policies: table.policies.length,
        total: total ?? null,
        cells: counts.map((count) => cellOf(count, total)),
        comment: table.comment,
      }
      drawn.set(table, counted)
      report(counted)
    },
  )
  return {
    identities: asked.map(({ shown }) => shown),
    tables: tables.flatMap((table) => drawn.get(table) ?? []),
  }
}

type Size = Pick<CountedTable, 'rows' | 'pages'>

/** Assumed size of a view, which the platform's own role does not read. */
const UNKNOWN_SIZE: Size = { rows: 200, pages: undefined }

async function sizesOf(
  reader: RowReader,
  tables: readonly SecuredTable[],
): Promise<ReadonlyMap<SecuredTable, Size>> {
  const [first, ...others] = tables.filter(
    ({ kind }) => kind !== 'view' && kind !== 'foreign_table',
  )
  if (first === undefined) return new Map()
  const counted = [first, ...others]
  const results = await reader.read(
    first.schemaName,
    counted.map(
      ({ name, schemaName }) =>
        sql`select pg_catalog.count(*), pg_catalog.max(t.ctid) from ${identifier(schemaName, name)} as t`,
    ),
  )
  return new Map(
    counted.map((table, index) => {
      const [rows, last] = results[index]?.rows[0] ?? []
      // A ctid is `(page,place)`.
      const pages = 1 + Number(/\d+/.exec(cellText(last) ?? '(0,0)')?.[0])
      return [table, { rows: Number(cellText(rows)), pages }]
    }),
  )
}

type BucketDeps = Pick<BucketStore, 'listBuckets' | 'storedByBucket'>

type Access = AuditBucket['access'][number]

/** What each identity may do with the files of each bucket, by the platform's rules (docs/wire/storage.md#access). */
export function bucketAccess(
  store: BucketDeps,
  schemaName: SchemaName,
  asked: readonly AskedIdentity[],
): AuditBucket[] {
  const stored = new Map(store.storedByBucket().map(({ fullName, bytes }) => [fullName, bytes]))
  return store
    .listBuckets(schemaName)
    .map((bucket) => ({
      name: bucket.fullName,
      is_public: bucket.isPublic,
      bytes: stored.get(bucket.fullName) ?? 0,
      access: asked.map((identity) => accessOf(actorOf(identity, schemaName), bucket)),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

// A storage token of a service role key has the role authenticated (docs/wire/credentials.md#storage-token).
function actorOf(
  { resolved: { principal }, shown }: AskedIdentity,
  schemaName: SchemaName,
): StorageActor {
  return {
    schemaName,
    role: shown.role === 'anon' ? 'anon' : 'authenticated',
    originRole: shown.role,
    subject: String(principal.claims['sub'] ?? ''),
  }
}

function accessOf(actor: StorageActor, bucket: Bucket): Access {
  if (mayAdminister(actor)) return 'administer'
  if (mayWrite(actor, bucket)) return 'write'
  return mayRead(actor, bucket) ? 'read' : 'none'
}
