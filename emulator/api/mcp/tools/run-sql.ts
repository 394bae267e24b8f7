// run_sql: SQL as the owner or as an identity of a tenant, read-only unless the server allows writes.
import { z } from 'zod'
import { identityNamed } from '../../../contract/identities.ts'
import type { SqlAnswer, SqlFailure, SqlResult } from '../../../contract/sql-console.ts'
import { asSentence } from '../../../core/errors.ts'
import { Identity, Limit, Tenant } from '../inputs.ts'
import { defineTool, type Finding, requireWrites, type Tool, ToolError } from '../tool.ts'

export const runSql: Tool = defineTool({
  name: 'run_sql',
  title: 'Run SQL',
  description:
    'Runs SQL in one transaction in the schema of a tenant, as its owner (sees all rows) or as an identity (policies apply). Mode read_only is enforced by Postgres. Modes run (commits) and rollback (undoes) need a server that allows writes.',
  input: z.strictObject({
    tenant: Tenant,
    sql: z.string(),
    identity: Identity.default('owner').describe(
      'owner, or an identity: anon, service_role, the e-mail address or id of a user, or request:<id>',
    ),
    mode: z.enum(['read_only', 'rollback', 'run']).default('read_only'),
    limit: Limit,
  }),
  changes: 'if_allowed',
  run: async (deps, { identity, limit, mode, sql, tenant }) => {
    if (mode !== 'read_only') requireWrites(deps, `run SQL in mode ${mode}`)
    const answer = await deps.calls.call('POST /projects/:ref/sql', {
      params: { ref: tenant },
      body: {
        sql,
        mode,
        max_rows: limit,
        identity: identity === 'owner' ? identity : identityNamed(identity),
      },
    })
    if (answer.error !== null) throw failureOf(answer.error)
    return { head: `${mode} as ${identity}`, tail: noticesOf(answer), ...rowsOf(answer) }
  },
})

function rowsOf({ results }: SqlAnswer): Pick<Finding, 'entries' | 'readOn' | 'total'> {
  const [only] = results
  const entries = results.flatMap(linesOf)
  return {
    entries,
    readOn: () => 'Read the rest with LIMIT and OFFSET, or select fewer columns.',
    ...(only !== undefined && results.length === 1
      ? { total: entries.length + only.rows_left_out }
      : {}),
  }
}

function linesOf(
  { columns, command_tag, rows, rows_left_out }: SqlResult,
  _: number,
  results: readonly SqlResult[],
): readonly string[] {
  if (columns.length === 0) return [command_tag]
  const names = columns.map(({ name, type }) => `${name} ${type}`)
  const lines = [`${command_tag}: ${names.join(', ')}`, ...rows.map((row) => JSON.stringify(row))]
  // For a single result, the last sentence of the answer already counts the omitted rows.
  const more = results.length > 1 && rows_left_out > 0 ? [`… ${rows_left_out} more rows`] : []
  return [...lines, ...more]
}

function noticesOf({ notices }: SqlAnswer): string {
  return notices.map(({ message, severity }) => `${severity}: ${message}`).join('\n')
}

const HINTS: Readonly<Record<string, string>> = {
  '25006':
    'The transaction is read-only. Mode "run" keeps changes, on a server that allows writes.',
  '42501': 'A grant or a policy refused it. explain_rows and suggest_fix say which.',
}

function failureOf({ code, detail, hint, message, position }: SqlFailure): ToolError {
  const where = position === null ? '' : ` at character ${position}`
  const advice = [detail, hint, HINTS[code]].filter((part) => part != null).join(' ')
  return new ToolError(
    'sql_failed',
    `Postgres refused the SQL with ${code}${where}, and nothing was changed: ${asSentence(message)}`,
    advice,
  )
}
