// Proves findings: sends the request that shows a finding, and keeps the row that it returns.

import type { AuditFinding, AuditProof } from '../../../contract/audit.ts'
import type { IdentityReference } from '../../../contract/identities.ts'
import { isJsonObject } from '../../../core/json.ts'
import type { RequestEnv } from '../../../core/request-env.ts'
import { attempt, cellText, type Engine, SqlError } from '../../../database/engine.ts'
import { parseRecordText } from '../../../database/values/row-text.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { readAs } from '../../visibility/ask-identities.ts'
import { MAX_CELL_CHARACTERS, shortCell } from '../../visibility/short-cell.ts'
import type { AskedIdentity } from './audit-identities.ts'
import { rowByNumber } from './count-visible.ts'
import type { Draft, Evidence } from './findings.ts'
import { curlOf, mintAnonKey, mintFor, type RestDeps, readOverRest } from './rest-requests.ts'

export interface ProveDeps extends RestDeps {
  readonly engine: Engine
}

export interface Proving {
  readonly project: Project
  readonly env: RequestEnv
  /** The identities of the audit, by label. */
  readonly identities: ReadonlyMap<string, AskedIdentity>
  readonly tables: readonly SecuredTable[]
}

/** Returns the findings with their proofs, most severe first and accepted ones last. */
export async function proveAll(
  deps: ProveDeps,
  proving: Proving,
  drafts: readonly Draft[],
): Promise<readonly AuditFinding[]> {
  const apiKey = await mintAnonKey(deps, proving.project, proving.env)
  const findings: AuditFinding[] = []
  for (const { evidence, finding } of drafts) {
    const proof = evidence.kind === 'read' ? await prove(deps, proving, evidence, apiKey) : null
    const isProven = proof !== null && isProof(finding, proof)
    findings.push({
      ...finding,
      proof: isProven ? proof : null,
      no_proof: isProven ? null : reasonOf(evidence, proof),
    })
  }
  return findings.toSorted((one, other) => weight(one) - weight(other))
}

function isProof(
  { object, rule }: Pick<AuditFinding, 'object' | 'rule'>,
  { row, status }: AuditProof,
): boolean {
  if (rule === 'policy-fails' || rule === 'policy-recursion') return status >= 400
  // A successful call of a function is a proof even if it returns no row.
  const isCalled = rule === 'contract-widened' && object.startsWith('function ')
  return isCalled ? status < 300 : row !== null
}

function reasonOf(evidence: Evidence, proof: AuditProof | null): string {
  if (evidence.kind === 'none') return evidence.reason
  if (proof === null)
    return `No request was sent: ${evidence.identity} is not an identity of the audit.`
  return proof.status < 400
    ? `No example row: ${evidence.identity} sees no row of ${evidence.relation}.`
    : `No example row: the request of ${evidence.identity} returned ${proof.status}.`
}

function weight({ accepted, severity }: AuditFinding): number {
  return accepted !== null ? 2 : severity === 'error' ? 0 : 1
}

async function prove(
  deps: ProveDeps,
  proving: Proving,
  evidence: Extract<Evidence, { readonly kind: 'read' }>,
  apiKey: string,
): Promise<AuditProof | null> {
  const { env, identities, project, tables } = proving
  const identity = identities.get(evidence.identity)
  if (identity === undefined) return null
  const table = tables.find(({ name }) => name === evidence.relation)
  const key =
    table === undefined || evidence.row === undefined
      ? {}
      : await keyOf(deps, table, identity.resolved, evidence.row)
  const url = new URL(`${env.addresses.dataUrl}/${pathOf(evidence.relation)}`)
  for (const [column, value] of Object.entries(key))
    url.searchParams.set(column, value === null ? 'is.null' : `eq.${value}`)
  url.searchParams.set('limit', '1')
  const token = await mintFor(deps, identity.resolved)
  const read = { url: url.href, token, apiKey, profile: project.schemaName }
  const { body, status } = await readOverRest(deps, read, env)
  return {
    identity: evidence.identity,
    url: url.href,
    status,
    row: firstRow(body),
    curl: curlOf(read),
    command: commandOf(url, identity.shown.reference, project.slug),
  }
}

function pathOf(relation: string): string {
  return relation.split('/').map(encodeURIComponent).join('/')
}

// Reads as the identity, so that the request of the proof finds a row that the identity sees. Returns the cells that a filter can
// compare.
async function keyOf(
  { engine }: ProveDeps,
  table: SecuredTable,
  { principal }: ResolvedIdentity,
  number: string,
): Promise<Readonly<Record<string, string | null>>> {
  const { columns, statement } = rowByNumber(table, principal.role, number)
  const reading = { relation: table.name, statement, timeoutMillis: 5_000 }
  const rows = await attempt(() => readAs(engine, principal, reading))
  if (rows instanceof SqlError) return {}
  const text = cellText(rows[0]?.[0])
  const cells = text === undefined ? [] : parseRecordText(text)
  const plain = new Set(table.columns.flatMap(({ name, shape }) => (shape === 'plain' ? name : [])))
  return Object.fromEntries(
    columns.flatMap((name, index) => {
      const cell = cells[index] ?? null
      const isShort = cell === null || cell.length <= MAX_CELL_CHARACTERS
      return plain.has(name) && isShort ? [[name, cell]] : []
    }),
  )
}

function firstRow(body: unknown): Record<string, string | null> | null {
  const row: unknown = Array.isArray(body) ? body[0] : undefined
  if (row === undefined) return null
  const cells = isJsonObject(row) ? Object.entries(row) : [['value', row] as const]
  return Object.fromEntries(cells.map(([name, value]) => [name, shown(value)]))
}

function shown(value: unknown): string | null {
  if (value === null) return null
  return shortCell(typeof value === 'string' ? value : JSON.stringify(value))
}

// The request of a finding as a short shell command. Keys are variables of `tenantry env`, so that the command fits on a screen
// and can be shared. Pure.

/** @param url of the data plane, with an encoded path and query */
function commandOf(url: URL, reference: IdentityReference, slug: string): string {
  const token = TOKENS[reference.kind] ?? '$TOKEN'
  const request = [
    `curl -s "$TENANTRY_DATA_URL${url.pathname}${url.search}"`,
    '-H "apikey: $TENANTRY_ANON_KEY"',
    `-H "Authorization: Bearer ${token}"`,
    '-H "Accept-Profile: $TENANTRY_SCHEMA"',
  ].join(' ')
  return reference.kind === 'user' ? `${mint(slug, reference.user)}; ${request}` : request
}

const TOKENS: Readonly<Partial<Record<IdentityReference['kind'], string>>> = {
  anon: '$TENANTRY_ANON_KEY',
  service_role: '$TENANTRY_SERVICE_ROLE_KEY',
}

function mint(project: string, user: string): string {
  const body = JSON.stringify({ project, role: 'authenticated', user })
  const send = `curl -s "$TENANTRY_AUTH_URL/_emulator/v1/principals" -H 'Content-Type: application/json' -d '${body}'`
  return String.raw`TOKEN=$(${send} | sed 's/.*"token":"\([^"]*\)".*/\1/')`
}
