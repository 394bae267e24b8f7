// Tools over the history of row changes: the life of a row, and what a request changed.
import { z } from 'zod'
import type { RowHistory, RowHistoryEntry } from '../../../contract/history.ts'
import { Before, Limit, Tenant } from '../inputs.ts'
import { defineTool, type Finding, type Tool } from '../tool.ts'

export const rowHistory: Tool = defineTool({
  name: 'row_history',
  title: 'Show the life of a row',
  description:
    'Lists the committed changes of a table or of one row, newest first: which request and identity changed which columns, with old and new values.',
  input: z.strictObject({
    tenant: Tenant,
    table: z.string(),
    key: z
      .string()
      .optional()
      .describe('Primary key of one row; for several columns a JSON array of texts'),
    cursor: Before,
    limit: Limit,
  }),
  changes: 'never',
  run: async (deps, { cursor, key, limit, table, tenant }) =>
    finding(
      await deps.calls.call('GET /projects/:ref/history', {
        params: { ref: tenant },
        query: {
          table,
          limit,
          ...(key === undefined ? {} : { key }),
          ...(cursor === undefined ? {} : { before: cursor }),
        },
      }),
    ),
})

export const whatChanged: Tool = defineTool({
  name: 'what_changed',
  title: 'Show what a request changed',
  description:
    'Lists the rows that a request changed, also through triggers and cascades, with old and new values. recent_requests names the requests.',
  input: z.strictObject({
    tenant: Tenant,
    request_id: z.string().describe('As in the header x-request-id'),
    limit: Limit,
  }),
  changes: 'never',
  run: async (deps, { limit, request_id, tenant }) =>
    finding(
      await deps.calls.call('GET /projects/:ref/history', {
        params: { ref: tenant },
        query: { request_id, limit },
      }),
    ),
})

function finding({ changes, has_more, is_recorded }: RowHistory): Finding {
  const nothing = is_recorded
    ? 'No change is recorded.'
    : 'This emulator records no changes of rows. Start it without --no-history.'
  return {
    entries: changes.length === 0 ? [nothing] : changes.map(changeLine),
    hasMore: has_more,
    readOn: (shown) => `Continue with "cursor": ${changes[shown - 1]?.sequence ?? 0}.`,
  }
}

function changeLine(change: RowHistoryEntry): string {
  const { at, columns, key, kind, request_id, role, sequence, table, user_id } = change
  const by = `${role} ${user_id ?? ''}`.trimEnd()
  const request = request_id === null ? '' : `, request ${request_id}`
  return `${sequence} ${at} ${kind} ${table} ${JSON.stringify(key)} by ${by}${request}: ${JSON.stringify(columns)}`
}
