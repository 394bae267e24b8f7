// Converts rehearsals and changes of visible rows to their form in JSON (contract/rehearsals.ts). Pure.
import type {
  ProjectRehearsal,
  VisibilityChange as WireChange,
} from '../../../contract/rehearsals.ts'
import type { ExampleRow, VisibilityChange } from '../../../insight/visibility/visibility.ts'
import type { Drift } from '../drift/drift.ts'
import type { TenantRehearsal } from './rehearse-tenant.ts'

/** @param drift the differences from the structure that the applied steps build, if the structure was compared */
export function rehearsalToWire(
  slug: string,
  found: TenantRehearsal,
  drift?: Pick<Drift, 'differences' | 'note'>,
): ProjectRehearsal {
  const { notes, ok, pending, problem } = found
  return {
    slug,
    ok,
    pending: [...pending],
    step: problem?.step ?? null,
    statement: problem?.statement ?? null,
    line: problem?.line ?? null,
    error: problem === undefined ? null : { code: problem.code, message: problem.message },
    rows_changed: found.rowsChanged,
    duration_ms: found.durationMillis,
    longest_job_ms: found.longestJobMillis,
    drift: [...(drift?.differences ?? [])],
    visibility: found.visibility.map(changeToWire),
    losses: found.losses.map((loss) => ({ ...loss })),
    notes: [...(drift?.note === undefined ? [] : [drift.note]), ...notes],
  }
}

export function changeToWire(change: VisibilityChange): WireChange {
  const { error, gained, gainedExample, hasKey, identity, lost, lostExample, table } = change
  return {
    table,
    identity: identity.label,
    gained: gained.length,
    lost: lost.length,
    has_key: hasKey,
    example: rowToWire(gainedExample ?? lostExample),
    lost_example: rowToWire(lostExample),
    error: error ?? null,
  }
}

function rowToWire(row: ExampleRow | undefined): Record<string, string | null> | null {
  return row === undefined ? null : { ...row }
}
