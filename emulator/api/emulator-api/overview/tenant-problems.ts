// Problems of tenants that the emulator knows without a failed request: findings of the last audits, and known drift.
import type { AuditFinding } from '../../../contract/audit.ts'
import { type AuditCause, causesOf } from '../../../contract/audit-causes.ts'
import { RULE_SENTENCES } from '../../../contract/audit-rules.ts'
import type { Home, ProblemState } from '../../../contract/home.ts'
import type { OwnerId } from '../../../core/names.ts'
import { epochMillis, toIso } from '../../../core/time.ts'
import type { AuditNote, AuditNotes } from '../../../insight/explain/audit/audit-notes.ts'
import type { LastChanges } from '../../../insight/explain/problems/last-changes.ts'
import type { FoundProblem } from '../../../insight/explain/problems/request-problems.ts'
import type { ControlStores } from '../../../services/control/stores.ts'
import type { ComparedProject, DriftReader } from '../../../workflow/migrations/drift/drift.ts'

export interface TenantProblemDeps {
  readonly audits: Pick<AuditNotes, 'list'>
  readonly drift: Pick<DriftReader, 'compared'>
  readonly changes: LastChanges
  readonly stores: Pick<ControlStores, 'groups' | 'projects' | 'tenants'>
  readonly ownerId: OwnerId
}

/** Values of the members that apply only to problems of requests. */
const NO_REQUEST = {
  severity: null,
  is_tenant_claimed: false,
  service: null,
  status: null,
  slowest_ms: null,
} as const

const PRESENT: ProblemState = {
  is: 'happening',
  change: null,
  changed_at: null,
  succeeded_at: null,
}

/** Returns the open findings of the last audits, as one problem for each rule and severity. */
export function auditProblems(deps: TenantProblemDeps): readonly FoundProblem[] {
  const notes = new Map(deps.audits.list().map((note) => [note.tenant, note]))
  const byRule = Map.groupBy(
    causesOf([...notes.values()]),
    ({ rule, severity }) => `${severity} ${rule}`,
  )
  return [...byRule.values()].flatMap((causes) => {
    const tenants = [...new Set(causes.flatMap((cause) => cause.tenants))]
    return ruleProblem(
      deps,
      causes,
      tenants.flatMap((tenant) => notes.get(tenant) ?? []),
    )
  })
}

function ruleProblem(
  deps: TenantProblemDeps,
  causes: readonly AuditCause[],
  notes: readonly AuditNote[],
): readonly FoundProblem[] {
  const [first, second] = causes
  if (first === undefined) return []
  const { rule, severity } = first
  const findings = notes.flatMap((note) =>
    note.findings
      .filter((finding) => causes.some((cause) => isOf(cause, finding)))
      .map((finding) => note.firstSeen(finding)),
  )
  const lastAt = epochMillis(Math.max(...notes.map(({ at }) => at)))
  const state = stateOf(deps, notes)
  const kind = 'finding'
  const tables = [...new Set(causes.flatMap((cause) => cause.tables))]
  const proven = causes.find((cause) => cause.proof_tenant !== null)?.proof_tenant
  return [
    {
      kind,
      lastAt,
      state,
      show: () => ({
        ...NO_REQUEST,
        key: JSON.stringify([kind, rule, severity]),
        kind,
        severity,
        cause: second === undefined ? first.message : RULE_SENTENCES[rule],
        where: tables.length === 0 ? null : firstOf(tables),
        code: rule,
        tenants: notes.map(({ tenant }) => tenant),
        count: findings.length,
        first_seen: toIso(epochMillis(Math.min(...findings))),
        last_seen: toIso(lastAt),
        state,
        see: { at: 'audit', tenant: proven ?? first.tenants[0] ?? '' },
      }),
    },
  ]
}

function isOf({ cause, rule, severity }: AuditCause, finding: AuditFinding): boolean {
  return finding.cause === cause && finding.rule === rule && finding.severity === severity
}

// A change of the structure after the audit may have removed the finding.
function stateOf(
  { changes }: Pick<TenantProblemDeps, 'changes'>,
  notes: readonly AuditNote[],
): ProblemState {
  const stale = notes.filter((note) => !isCurrent(changes, note))
  const [first] = stale
  if (first === undefined || stale.length < notes.length) return PRESENT
  const { at, change } = changes.of(first.schemaName, 'structure')
  return { is: 'quiet', change, changed_at: toIso(at), succeeded_at: null }
}

function isCurrent(changes: LastChanges, { at, schemaName }: AuditNote): boolean {
  return changes.of(schemaName, 'structure').at <= at
}

/** Returns the known drift, as one problem for all projects with the same differences. */
export function driftProblems(deps: TenantProblemDeps): readonly FoundProblem[] {
  const byCause = new Map<string, ComparedProject[]>()
  for (const compared of deps.drift.compared()) {
    if (compared.differences.length === 0) continue
    const key = JSON.stringify(
      compared.differences.map(({ kind, name, object }) => [kind, object, name]),
    )
    byCause.set(key, [...(byCause.get(key) ?? []), compared])
  }
  return [...byCause].flatMap(([key, projects]) => driftProblem(deps, key, projects) ?? [])
}

function driftProblem(
  { stores }: TenantProblemDeps,
  differences: string,
  compared: readonly ComparedProject[],
): FoundProblem | undefined {
  const [first] = compared
  const slugs = compared.flatMap(
    ({ schemaName }) => stores.projects.findProjectBySchema(schemaName)?.slug ?? [],
  )
  const project = first && stores.projects.findProjectBySchema(first.schemaName)
  if (first === undefined || project === undefined) return undefined
  const group =
    stores.tenants.findTenantOfProject(project.id)?.groupId ??
    stores.groups.groupsOfTemplate(project.id)[0]?.id
  if (group === undefined) return undefined
  const times = compared.map(({ at }) => at)
  const lastAt = epochMillis(Math.max(...times))
  const kind = 'drift'
  return {
    kind,
    lastAt,
    state: PRESENT,
    show: () => ({
      ...NO_REQUEST,
      key: JSON.stringify([kind, differences]),
      kind,
      cause: driftSentence(first),
      where: whereOf(first),
      code: null,
      tenants: slugs,
      count: slugs.length,
      first_seen: toIso(epochMillis(Math.min(...times))),
      last_seen: toIso(lastAt),
      state: PRESENT,
      see: { at: 'fleet', group, tenant: project.slug },
    }),
  }
}

function driftSentence({ comparedWith, differences }: ComparedProject): string {
  const count = `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`
  return `The structure has ${count} from ${SOURCES[comparedWith ?? ''] ?? comparedWith ?? 'what was expected'}.`
}

const SOURCES: Readonly<Record<string, string>> = {
  steps: 'what its migration steps build',
  fixture: 'what the SQL of its fixture builds',
}

function whereOf({ differences }: ComparedProject): string {
  return firstOf(differences.map(({ kind, name, object }) => `${kind} ${object} ${name}`))
}

const SHOWN_OBJECTS = 3

function firstOf(names: readonly string[]): string {
  const more = names.length - SHOWN_OBJECTS
  return [...names.slice(0, SHOWN_OBJECTS), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** Counts the tenants that were audited and compared since their structure changed. */
export function checksOf(deps: TenantProblemDeps): Home['checks'] {
  const { audits, changes, drift, ownerId, stores } = deps
  const isTenant = (schemaName: AuditNote['schemaName']): boolean => {
    const project = stores.projects.findProjectBySchema(schemaName)
    return project?.kind === 'tenant' && project.state === 'active'
  }
  return {
    tenants: stores.groups
      .listGroups(ownerId)
      .reduce((sum, { id }) => sum + stores.tenants.countActive(id), 0),
    audited: audits.list().filter((note) => isCurrent(changes, note) && isTenant(note.schemaName))
      .length,
    compared: drift.compared().filter(({ schemaName }) => isTenant(schemaName)).length,
  }
}
