// Tries to read every table of one tenant as every identity of another tenant, in each way that a caller has. The ways are REST
// with the other tenant's profile, REST with its key and the caller's own token, and SQL that names the other schema.
import { setImmediate } from 'node:timers/promises'
import type { Crossing, CrossingReport } from '../../../contract/audit.ts'
import { isJsonObject } from '../../../core/json.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { cellText, SqlError } from '../../../database/engine.ts'
import { identifier, sql } from '../../../database/sql.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { loadTables, ROLES } from '../../tables/table.ts'
import { askAs } from '../../visibility/ask-identities.ts'
import { type AskedIdentity, auditIdentities } from './audit-identities.ts'
import type { AuditDeps } from './audit-tenant.ts'
import { curlOf, mintAnonKey, mintFor, type RestRead, readOverRest } from './rest-requests.ts'

export interface CrossingTask {
  readonly project: Project
  readonly other: Project
  readonly users: number
  readonly env: RequestEnv
}

/** Identities of one job, so that other work waits for short jobs only. */
const PER_JOB = 16
const TIMEOUT_MILLIS = 5_000

/** @throws {SqlError} when the engine did not begin the work */
export async function findCrossings(deps: AuditDeps, task: CrossingTask): Promise<CrossingReport> {
  const { env, other, project, users } = task
  const startedAt = deps.wallClock.now()
  const asked = await auditIdentities(deps.identities, project, users, env.addresses)
  const tables = (await loadTables(deps.reader, other.schemaName)).map(({ name }) => name)
  const tally = new Tally()
  for (const table of tables) await crossBySql(deps, task, asked, table, tally)
  const keys = {
    own: await mintAnonKey(deps, project, env),
    others: await mintAnonKey(deps, other, env),
  }
  for (const identity of asked) {
    await crossByRest(deps, task, { identity, keys, tables }, tally)
    await setImmediate()
  }
  const crossed = new Set(tally.crossings.map(({ identity, table }) => `${identity}\0${table}`))
  return {
    tenant: project.slug,
    other: other.slug,
    identities: asked.map(({ shown }) => shown),
    tables,
    cells: tables.length * asked.length,
    crossing: crossed.size,
    crossings: tally.crossings,
    requests: tally.requests,
    refusals: Object.fromEntries(tally.refusals),
    duration_ms: deps.wallClock.now() - startedAt,
  }
}

class Tally {
  readonly crossings: Crossing[] = []
  readonly refusals = new Map<string, number>()
  requests = 0

  refused(how: string): void {
    this.requests++
    this.refusals.set(how, (this.refusals.get(how) ?? 0) + 1)
  }

  crossed(crossing: Crossing): void {
    this.requests++
    this.crossings.push(crossing)
  }
}

async function crossBySql(
  deps: AuditDeps,
  task: CrossingTask,
  asked: readonly AskedIdentity[],
  table: string,
  tally: Tally,
): Promise<void> {
  const statement = sql`select pg_catalog.count(*) from ${identifier(task.other.schemaName, table)}`
  const reading = { relation: table, statement, timeoutMillis: TIMEOUT_MILLIS }
  for (const role of ROLES) {
    const alike = asked.filter(({ shown }) => shown.role === role)
    for (let at = 0; at < alike.length; at += PER_JOB) {
      const part = alike.slice(at, at + PER_JOB)
      const principals = part.map(({ resolved }) => resolved.principal)
      const answers = await askAs(deps.engine, principals, reading)
      for (const [index, { shown }] of part.entries()) {
        const answer = answers[index]
        if (answer === undefined) tally.refused('sql timeout')
        else if (answer instanceof SqlError) tally.refused(`sql ${answer.code}`)
        else {
          const rows = Number(cellText(answer[0]?.[0]))
          tally.crossed({ table, identity: shown.label, way: 'sql', rows, curl: null })
        }
      }
    }
  }
}

interface RestRound {
  readonly identity: AskedIdentity
  readonly keys: { readonly own: string; readonly others: string }
  readonly tables: readonly string[]
}

async function crossByRest(
  deps: AuditDeps,
  { env, other }: CrossingTask,
  { identity, keys, tables }: RestRound,
  tally: Tally,
): Promise<void> {
  const token = await mintFor(deps, identity.resolved)
  for (const table of tables) {
    const url = `${env.addresses.dataUrl}/${encodeURIComponent(table)}?limit=1`
    for (const apiKey of [keys.own, keys.others])
      await sendRead(deps, env, { url, token, apiKey, profile: other.schemaName }, (read, rows) =>
        rows === undefined
          ? tally.refused(read)
          : tally.crossed({ table, identity: identity.shown.label, way: 'rest', rows, curl: read }),
      )
  }
}

// Reports the refusal, or the command and the number of rows.
async function sendRead(
  deps: AuditDeps,
  env: RequestEnv,
  read: RestRead,
  report: (text: string, rows: number | undefined) => void,
): Promise<void> {
  const { body, status } = await readOverRest(deps, read, env)
  if (status < 300) return report(curlOf(read), Array.isArray(body) ? body.length : 0)
  const code = isJsonObject(body) ? String(body['code'] ?? '') : ''
  report(`rest ${status} ${code}`.trim(), undefined)
}
