// explain_rows: which rows of a table an identity may see or change, and the policy that decides each.
import { z } from 'zod'
import type { Explanation, RowVerdict } from '../../../contract/explain.ts'
import { identityNamed } from '../../../contract/identities.ts'
import { Cells, Cursor, Identity, Limit, rest, Tenant } from '../inputs.ts'
import { defineTool, type Finding, type Tool, ToolError } from '../tool.ts'
import { policyLine, requireTable } from './describe-schema.ts'

/** Maximum number of rows that one call explains. The explanations of fewer rows already fill an answer. */
const ROWS_AT_ONCE = 50

export const explainRows: Tool = defineTool({
  name: 'explain_rows',
  title: 'Explain rows',
  description:
    'Says for each row of a table whether an identity may select, insert, update or delete it, and which policy, grant or condition decides. Changes nothing.',
  input: z.strictObject({
    tenant: Tenant,
    table: z.string(),
    identity: Identity,
    command: z.enum(['select', 'insert', 'update', 'delete']).default('select'),
    where: Cells.default({}).describe('Only rows with these values, as text, such as {"id": "3"}'),
    new_row: z
      .record(z.string(), z.json())
      .optional()
      .describe('insert: the row. update: the columns that change'),
    cursor: Cursor,
    limit: Limit,
  }),
  changes: 'never',
  run: async (deps, input) => {
    const { command, cursor, identity, limit, new_row, table, tenant, where } = input
    if (command === 'insert' && new_row === undefined)
      throw new ToolError('invalid_input', 'The command insert needs a row.', 'Give "new_row".')
    const explanation = await deps.calls.call('POST /projects/:ref/explain', {
      params: { ref: tenant },
      body: {
        relation: table,
        identity: identityNamed(identity),
        command,
        filters: filtersOf(where),
        offset: cursor,
        limit: Math.min(limit, ROWS_AT_ONCE),
        ...(new_row === undefined ? {} : { new_row }),
      },
    })
    if (explanation.table.verdict === 'unknown_relation') await requireTable(deps, tenant, table)
    return findingOf(explanation, cursor)
  },
})

type Filters = readonly {
  readonly column: string
  readonly operator: 'eq' | 'is_null'
  readonly value?: string
}[]

function filtersOf(where: Readonly<Record<string, string | null>>): Filters {
  return Object.entries(where).map(([column, value]) =>
    value === null ? { column, operator: 'is_null' } : { column, operator: 'eq', value },
  )
}

function findingOf(explanation: Explanation, cursor: number): Finding {
  const { allowed_total, command, identity, policies, relation, rows, table, total } = explanation
  const count = allowed_total === undefined ? '' : ` ${allowed_total} of ${total} rows allowed.`
  const fix = table.suggested_fix === null ? '' : ` Possible fix: ${table.suggested_fix}`
  const applying = policies.filter(({ applies }) => applies)
  return {
    head: [
      `${command} on ${relation} as ${identity.label} (role ${identity.role}):${count} ${table.sentence}${fix}`,
      ...applying.map(policyLine),
    ].join('\n'),
    entries: rows.map((row, index) => rowLine(row, rows[index - 1])),
    ...rest(total, cursor),
  }
}

function rowLine(row: RowVerdict, previous: RowVerdict | undefined): string {
  const key = JSON.stringify(
    row.new_row !== null && Object.keys(row.key).length === 0 ? row.new_row : row.key,
  )
  if (row.allowed) return `allowed ${key}: ${row.reason}`
  const why = row.sentence === '' ? row.reason : row.sentence
  return `refused ${key}: ${previous?.sentence === row.sentence ? 'for the same reason' : why}`
}
