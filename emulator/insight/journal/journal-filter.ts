// Converts a filter of journal entries to an SQL condition, for journal-rows.ts. Pure.
import type { JournalEntry } from '../../contract/journal.ts'

/** The table to read. `temp.every_entry` also contains the unwritten entries. */
export type Source = 'main.journal' | 'temp.every_entry'

/** Conditions of a journal query. An absent member does not filter. */
export interface JournalConditions {
  /** Selects only entries with a lower sequence number. */
  readonly before?: number
  /** Selects only entries with a higher sequence number. */
  readonly after?: number
  readonly requestId?: string
  readonly schemaName?: string
  readonly service?: string
  readonly method?: string
  readonly status?: { readonly from: number; readonly to: number }
  readonly role?: string
  /** Id of the user of a verified credential. */
  readonly subject?: string
  /** Whether the status is 400 or above. */
  readonly refused?: boolean
  readonly fromInspector?: boolean
  /** Selects failures of the emulator itself: no injected faults, and no errors of the application's SQL that answer 500. */
  readonly ownFailures?: true
  /** Text to find in the target, statement, subject, error, request id or fault. The search ignores case. */
  readonly search?: string
}

/**
 * Whether the error code is an SQLSTATE that the application's SQL caused. The classes 53, 57, 58 and XX are failures of the
 * database itself.
 */
const OF_APPLICATION = `coalesce(error_code glob '[0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z]'
  and substr(error_code, 1, 2) not in ('53', '57', '58', 'XX'), false)`

/** SQL of `ownFailures`, which is 0, 1 or NULL. */
export const OWN_FAILURE: string = `(status >= 500 and fault is null and not ${OF_APPLICATION})`

export interface SqlCondition {
  readonly text: string
  readonly params: readonly (string | number)[]
}

const IS_SEARCHED = {
  sequence: false,
  request_id: true,
  service: false,
  method: false,
  target: true,
  status: false,
  received_at: false,
  arrived_at: false,
  duration_ms: false,
  schema_name: false,
  schema_is_claimed: false,
  group_id: false,
  role: false,
  subject: true,
  credential_kind: false,
  statement: true,
  parameters: false,
  row_count: false,
  error_code: true,
  error_message: true,
  fault: true,
  is_from_inspector: false,
} as const satisfies Record<keyof JournalEntry, boolean>

const SEARCHED = Object.entries(IS_SEARCHED).flatMap(([column, is]) => (is ? [column] : []))

/** Combines all conditions with AND. */
export function conditionOf(filter: JournalConditions): SqlCondition {
  const parts: SqlCondition[] = []
  const add = (text: string, ...params: (string | number)[]) => parts.push({ text, params })
  if (filter.before !== undefined) add('sequence < ?', filter.before)
  if (filter.after !== undefined) add('sequence > ?', filter.after)
  if (filter.requestId !== undefined) add('request_id = ?', filter.requestId)
  if (filter.schemaName !== undefined) add('schema_name = ?', filter.schemaName)
  if (filter.service !== undefined) add('service = ?', filter.service)
  if (filter.method !== undefined) add('method = ?', filter.method)
  if (filter.role !== undefined) add('role = ?', filter.role)
  if (filter.subject !== undefined) add('subject = ?', filter.subject)
  if (filter.status !== undefined)
    add('status between ? and ?', filter.status.from, filter.status.to)
  if (filter.refused !== undefined) add(filter.refused ? 'status >= 400' : 'status < 400')
  if (filter.fromInspector !== undefined) add('is_from_inspector = ?', filter.fromInspector ? 1 : 0)
  if (filter.ownFailures !== undefined) add(OWN_FAILURE)
  if (filter.search !== undefined) {
    const pattern = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`
    add(
      `(${SEARCHED.map((column) => `${column} like ? escape '\\'`).join(' or ')})`,
      ...SEARCHED.map(() => pattern),
    )
  }
  if (parts.length === 0) return { text: 'true', params: [] }
  return {
    text: parts.map(({ text }) => text).join(' and '),
    params: parts.flatMap(({ params }) => params),
  }
}
