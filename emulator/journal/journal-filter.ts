// Converts a filter of journal entries to an SQL condition, for journal-rows.ts. Pure.

/** Conditions of a journal query. Absent members don't filter. */
export interface JournalConditions {
  /** Only entries older than this sequence number. */
  readonly before?: number
  /** Only entries newer than this sequence number. */
  readonly after?: number
  readonly requestId?: string
  readonly schemaName?: string
  readonly service?: string
  readonly method?: string
  readonly status?: { readonly from: number; readonly to: number }
  readonly role?: string
  /** Text to find in target, statement, subject, error, request id or fault. Ignores case. */
  readonly search?: string
}

export interface SqlCondition {
  readonly text: string
  readonly params: readonly (string | number)[]
}

const SEARCHED = [
  'target',
  'statement',
  'subject',
  'error_code',
  'error_message',
  'request_id',
  'fault',
]

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
  if (filter.status !== undefined)
    add('status between ? and ?', filter.status.from, filter.status.to)
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
