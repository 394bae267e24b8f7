// This file holds all texts of the snapshots screen, so that you can review them together. Pure.
import { countOf } from '../../ui/form-values.ts'
import { formatDuration } from '../../ui/format.ts'

export const EMPTY = {
  snapshots: {
    title: 'No snapshots yet',
    detail:
      'A snapshot contains all tenants, users and files, and the clock. Save a snapshot before a test, and restore the snapshot afterwards.',
  },
  differences: { title: 'No differences', detail: 'Both states contain the same data.' },
} as const

// What a reset forgets in addition to data (`forgetPast`, emulator/assembly/build-services.ts).
const FORGETS =
  'Also deletes all recorded requests and refusals, the realtime changes, the history of faults and the list of issued tokens.'

export const CONFIRM: Readonly<Record<'restore' | 'delete' | 'reset' | 'reseed', string>> = {
  restore:
    'Restores all tenants, users and files, and the clock. Later changes are lost unless you save a snapshot first.',
  delete: 'Deletes the snapshot. The running platform does not change.',
  reset: `Restores the state after the last fixture, or an empty platform when no fixture was applied. ${FORGETS}`,
  reseed: `Drops everything that was made by hand: rows, users, files, tables and tenants. ${FORGETS} Then applies the fixtures again that were applied since the start. Keys stay valid.`,
}

export const NAME_PROBLEM = 'Use letters, digits, “-”, “_” and “.”, at most 64 characters.'

export function resetText(tenants: number, millis: number): string {
  return `${countOf(tenants, 'tenant')} reset in ${formatDuration(millis)}`
}
