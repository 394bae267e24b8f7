// Builds entries of the journal for tests of the requests screen.
import type { JournalEntry } from '../../../../../emulator/contract/journal.ts'

export function entryWith(members: Partial<JournalEntry> = {}): JournalEntry {
  const sequence = members.sequence ?? 1
  return {
    sequence,
    request_id: `req_${sequence}`,
    service: 'data',
    method: 'GET',
    target: '/appointments?select=id',
    status: 200,
    received_at: '2026-11-21T10:00:00.000Z',
    arrived_at: '2026-11-21T10:00:00.000Z',
    duration_ms: 3,
    schema_name: 'proj_aurora',
    schema_is_claimed: false,
    group_id: null,
    role: 'anon',
    subject: 'apikey:anon',
    credential_kind: 'anonKey',
    statement: null,
    parameters: null,
    row_count: 1,
    error_code: null,
    error_message: null,
    fault: null,
    is_from_inspector: false,
    ...members,
  }
}
