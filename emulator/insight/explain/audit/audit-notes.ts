// Remembers the findings of each tenant's last audit, so that the home screen can show them without another audit.
import type { Audit, AuditFinding } from '../../../contract/audit.ts'
import type { Clock } from '../../../core/clock.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { EpochMillis } from '../../../core/time.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'
import type { Project } from '../../../platform/projects/project.ts'

export interface AuditNote {
  readonly schemaName: SchemaName
  readonly tenant: string
  /** Open findings. */
  readonly findings: readonly AuditFinding[]
  /** Wall-clock time of the audit. */
  readonly at: EpochMillis
  /** Returns when an audit first found the finding. Every audit since then has found it again. */
  firstSeen(finding: AuditFinding): EpochMillis
}

export interface AuditNotes {
  keep(project: Pick<Project, 'schemaName'>, audit: Pick<Audit, 'findings' | 'tenant'>): void
  list(): readonly AuditNote[]
}

/** Bounds the memory. The note of the tenant that was audited longest ago is removed first. */
const MAX_TENANTS = 500

export function createAuditNotes(
  lifecycle: Pick<Lifecycle, 'listen'>,
  wallClock: Clock,
): AuditNotes {
  const notes = new Map<string, AuditNote>()
  lifecycle.listen({
    offline: ({ schemaName }) => {
      notes.delete(schemaName)
    },
    stateReplaced: () => notes.clear(),
  })
  return {
    keep: ({ schemaName }, { findings, tenant }) => {
      const at = wallClock.now()
      const before = notes.get(schemaName)
      const earlier = new Set(before?.findings.map(keyOf))
      const open = findings.filter(({ accepted }) => accepted === null)
      const first = new Map(
        open.map((finding) => {
          const wasSeen = before !== undefined && earlier.has(keyOf(finding))
          return [keyOf(finding), wasSeen ? before.firstSeen(finding) : at]
        }),
      )
      notes.delete(schemaName)
      notes.set(schemaName, {
        schemaName,
        tenant,
        findings: open,
        at,
        firstSeen: (finding) => first.get(keyOf(finding)) ?? at,
      })
      for (const oldest of notes.keys())
        if (notes.size > MAX_TENANTS) notes.delete(oldest)
        else break
    },
    list: () => [...notes.values()],
  }
}

function keyOf({ cause, object, rule }: AuditFinding): string {
  return JSON.stringify([rule, cause, object])
}
