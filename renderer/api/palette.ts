// Finds what the user typed into the palette: users of a tenant, a request by its id, and a row by its table and key.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { JournalEntry } from '../../emulator/contract/journal.ts'
import type { ProjectUser } from '../../emulator/contract/users.ts'
import { ApiError, call } from './client.ts'

export interface FoundRow {
  readonly table: string
  /** The values of the primary key's columns. */
  readonly key: Readonly<Record<string, string>>
}

export interface Found {
  readonly users: readonly Pick<ProjectUser, 'id' | 'email' | 'phone'>[]
  readonly request: Pick<JournalEntry, 'request_id' | 'method' | 'target' | 'status'> | undefined
  readonly row: FoundRow | undefined
}

const MOST_USERS = 5
const LEAST_LETTERS = 2
/** `req_` and 20 characters (emulator/core/id-source.ts). For any other text, the browser's console would show an answer 404. */
const REQUEST_ID = /^req_[a-z2-7]{20}$/

/** Finds users, a request and a row. Finds nothing while the text is too short. @param tables names of the project's tables */
export function useFound(
  project: string | undefined,
  text: string,
  tables: readonly string[],
): UseQueryResult<Found> {
  const typed = text.trim()
  return useQuery({
    queryKey: ['palette', project, typed, tables],
    enabled: typed.length >= LEAST_LETTERS,
    retry: false,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Found> => {
      const [users, request, row] = await Promise.all([
        project === undefined ? [] : findUsers(project, typed, signal),
        REQUEST_ID.test(typed) ? findRequest(typed, signal) : undefined,
        project === undefined ? undefined : findRow({ project, tables }, typed, signal),
      ])
      return { users, request, row }
    },
  })
}

async function findUsers(project: string, search: string, signal: AbortSignal) {
  const query = { limit: MOST_USERS, offset: 0, search }
  const { users } = await call('GET /projects/:ref/users', {
    params: { ref: project },
    query,
    signal,
  })
  return users
}

async function findRequest(id: string, signal: AbortSignal): Promise<Found['request']> {
  const params = { request_id: id }
  const detail = await found(call('GET /journal/:request_id', { params, signal }))
  return detail?.entry
}

/** Finds the row that a text such as `patients 3` names. With a key of two columns, the text is `invoice_lines 1,2`. */
async function findRow(
  { project, tables }: { readonly project: string; readonly tables: readonly string[] },
  text: string,
  signal: AbortSignal,
): Promise<FoundRow | undefined> {
  const [, table, values] = /^(\S+)\s+(\S.*)$/.exec(text) ?? []
  if (table === undefined || values === undefined || !tables.includes(table)) return undefined
  const params = { ref: project, table }
  const structure = await found(call('GET /projects/:ref/tables/:table', { params, signal }))
  const names = (structure?.columns ?? []).filter(({ is_key }) => is_key).map(({ name }) => name)
  const parts = names.length === 1 ? [values] : values.split(',').map((value) => value.trim())
  if (names.length === 0 || parts.length !== names.length) return undefined
  const key = Object.fromEntries(names.map((name, index) => [name, parts[index] ?? '']))
  const filters = names.map((column) => ({
    column,
    operator: 'eq' as const,
    value: key[column] ?? '',
  }))
  const body = { identity: null, filters, limit: 1 }
  const page = await found(call('POST /projects/:ref/tables/:table/rows', { params, body, signal }))
  return page?.rows.length === 1 ? { table, key } : undefined
}

/** Returns `undefined` when the emulator refuses, because the typed text is often unfinished. */
async function found<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return undefined
    throw error
  }
}
