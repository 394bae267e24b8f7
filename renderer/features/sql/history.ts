// Stores earlier statements of each tenant in the browser, newest first.

export interface HistoryEntry {
  readonly sql: string
  /** The time at which the statement ran, in platform time (ISO 8601). */
  readonly at: string
  /** The label of the identity that ran the statement: `owner`, or an e-mail address. */
  readonly as: string
  readonly outcome: 'ran' | 'failed' | 'cancelled'
  readonly millis: number
}

const KEPT = 100

export function readHistory(tenant: string): readonly HistoryEntry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(tenant)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isEntry) : []
  } catch {
    return []
  }
}

/** Adds a statement at the top, or moves an existing statement to the top. */
export function remember(tenant: string, entry: HistoryEntry): void {
  const others = readHistory(tenant).filter(({ sql }) => sql !== entry.sql)
  localStorage.setItem(keyOf(tenant), JSON.stringify([entry, ...others].slice(0, KEPT)))
}

export function clearHistory(tenant: string): void {
  localStorage.removeItem(keyOf(tenant))
}

function keyOf(tenant: string): string {
  return `tenantry.sql.history.${tenant}`
}

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== 'object' || value === null) return false
  const { sql, at, as, millis } = value as Readonly<Record<string, unknown>>
  return [sql, at, as].every((one) => typeof one === 'string') && typeof millis === 'number'
}
