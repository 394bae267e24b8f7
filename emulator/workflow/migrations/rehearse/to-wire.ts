// Converts changes of visible rows to their form in JSON (contract/rehearsals.ts). Pure.
import type { VisibilityChange as WireChange } from '../../../contract/rehearsals.ts'
import type { ExampleRow, VisibilityChange } from '../../../insight/visibility/visibility.ts'

export function changeToWire(change: VisibilityChange): WireChange {
  const { error, gained, gainedExample, identity, lost, lostExample, table } = change
  return {
    table,
    identity: identity.label,
    gained: gained.length,
    lost: lost.length,
    example: rowToWire(gainedExample ?? lostExample),
    lost_example: rowToWire(lostExample),
    error: error ?? null,
  }
}

function rowToWire(row: ExampleRow | undefined): Record<string, string | null> | null {
  return row === undefined ? null : { ...row }
}
