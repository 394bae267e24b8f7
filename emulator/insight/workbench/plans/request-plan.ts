// Explains the statement of a recorded request as the identity that sent the request, with the request's values. Runs and
// measures a reading statement again, and rolls it back. A writing statement is only planned and does not run.
import type { JournalEntry } from '../../../contract/journal.ts'
import type { RequestPlan } from '../../../contract/query-plans.ts'
import { parseSchemaName } from '../../../core/names.ts'
import { loadSqlParser, type SqlParser } from '../../../database/sql-parser.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import {
  type DecodedReference,
  type IdentityDeps,
  resolveIdentity,
  UUID,
} from '../../api-kit/identities.ts'
import { findEntry } from '../../explain/requests/chain.ts'
import type { Journal } from '../../journal/journal.ts'
import { placeholdersIn } from '../sql/bind-values.ts'
import { explainPlan, type PlanDeps } from '../sql/explain-plan.ts'
import { formatSql } from '../sql/format-sql.ts'

export interface RequestPlanDeps extends PlanDeps {
  readonly journal: Pick<Journal, 'facets' | 'read'>
  readonly projects: ProjectRegistry
  readonly identities: IdentityDeps
}

/** Limit of the statement in wall-clock milliseconds. */
const TIMEOUT_MILLIS = 30_000

/** @throws {InspectorError} `not_found`, `conflict` for a request without a statement or a project */
export async function requestPlan(
  deps: RequestPlanDeps,
  requestId: string,
  addresses: KeyAddresses,
  signal: AbortSignal,
): Promise<RequestPlan> {
  const entry = findEntry(deps, requestId)
  const project = projectOf(deps, entry)
  const parser = await loadSqlParser()
  const statement = statementOf(parser, entry)
  const reference = identityOf(deps.identities, entry)
  const { identity, principal } = await resolveIdentity(
    deps.identities,
    project,
    reference,
    addresses,
  )
  const parameters = parametersOf(parser, entry, statement)
  const isRead = entry.method === 'GET' || entry.method === 'HEAD'
  const plan = await explainPlan(deps, {
    schemaName: project.schemaName,
    sql: statement,
    parameters,
    principal,
    analyze: isRead && parameters !== null,
    mode: 'readOnly',
    timeoutMillis: TIMEOUT_MILLIS,
    signal,
  })
  return {
    project: project.slug,
    statement,
    parameters: parameters === null ? null : [...parameters],
    identity: { reference, label: identity.label },
    plan,
  }
}

function projectOf({ projects }: RequestPlanDeps, entry: JournalEntry): Project {
  const schemaName = parseSchemaName(entry.schema_name ?? '')
  const project = schemaName && projects.findProjectBySchema(schemaName)
  if (project?.state === 'active' && !entry.schema_is_claimed) return project
  throw new InspectorError('conflict', `The project of the request ${entry.request_id} is gone.`)
}

function statementOf(parser: SqlParser, { request_id: id, statement }: JournalEntry): string {
  if (statement === null)
    throw new InspectorError('conflict', `The request ${id} ran no statement.`, {
      hint: 'Choose a request to the REST API that the platform answered from the database.',
    })
  // Removes `pg_catalog.`, because SQL of the console may not name pg_catalog. The meaning changes only when the project defines
  // its own aggregate `count`.
  return formatSql(parser, statement.replaceAll('pg_catalog.count(', 'count('))
}

/** `null` when the statement has placeholders whose values the journal does not have. */
function parametersOf(
  parser: SqlParser,
  { parameters }: JournalEntry,
  statement: string,
): readonly (string | null)[] | null {
  if (parameters !== null) return parameters
  return placeholdersIn(parser, statement).length === 0 ? [] : null
}

/**
 * Returns the credential's own claims while the request's recording is kept, and afterwards new claims of the same key or user.
 */
function identityOf(
  { claimsOfRequest }: IdentityDeps,
  { request_id: requestId, role, subject }: JournalEntry,
): DecodedReference {
  if (role === 'anon' || role === 'service_role') return { kind: role }
  if (claimsOfRequest(requestId)?.claims !== undefined)
    return { kind: 'request', request_id: requestId }
  if (subject !== null && UUID.test(subject)) return { kind: 'user', user: subject }
  return { kind: 'claims', role: 'authenticated', claims: subject === null ? {} : { sub: subject } }
}
