// describe_schema: the tables of a tenant in one line each, or one table with its columns, keys, grants and policies.
import { z } from 'zod'
import type { PolicyOverview } from '../../../contract/explain.ts'
import type { ForeignKey, TableColumn, TableStructure } from '../../../contract/tables.ts'
import { Cursor, fromCursor, Limit, Tenant } from '../inputs.ts'
import { defineTool, type Tool, type ToolDeps, ToolError } from '../tool.ts'

type TablePolicies = PolicyOverview['tables'][number]

export const describeSchema: Tool = defineTool({
  name: 'describe_schema',
  title: 'Describe the schema',
  description:
    'Without "table": the tables and views of a tenant with their columns, rows and row security (RLS). With "table": its columns, keys, grants, policies and warnings.',
  input: z.strictObject({
    tenant: Tenant,
    table: z.string().optional().describe('Table or view'),
    cursor: Cursor,
    limit: Limit,
  }),
  changes: 'never',
  run: async (deps, { table, tenant, ...page }) => {
    if (table !== undefined)
      return {
        ...fromCursor(await linesOf(deps, tenant, table), page),
        head: `${tenant}.${table}`,
      }
    const { tables } = await deps.calls.call('GET /projects/:ref/structure', {
      params: { ref: tenant },
    })
    return {
      head: `Tables of ${tenant}. "*" marks a key column, "?" a nullable one.`,
      ...fromCursor(summariesOf(tables), page),
    }
  },
})

function summariesOf(tables: readonly TableStructure[]): readonly string[] {
  const closed = tables.filter(({ is_closed }) => is_closed).map(({ name }) => name)
  return [
    ...tables.filter(({ is_closed }) => !is_closed).map(summaryOf),
    ...(closed.length === 0 ? [] : [`Tables of the platform: ${closed.join(', ')}`]),
  ]
}

function summaryOf(table: TableStructure): string {
  const columns = table.columns.map(
    ({ is_key, is_nullable, name }) =>
      `${name}${is_key ? '*' : ''}${is_nullable ? '?' : ''}${targetOf(table, name)}`,
  )
  const rows = table.rows === null ? table.kind.replace('_', ' ') : `${table.rows} rows`
  const security = table.kind.endsWith('view')
    ? ''
    : `, ${table.rls_enabled ? `RLS with ${table.policies} policies` : 'RLS OFF'}`
  return `${table.name} (${rows}${security}): ${columns.join(', ')}`
}

function targetOf({ foreign_keys }: TableStructure, column: string): string {
  const key = foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column)
  return key === undefined ? '' : `->${key.target_table}`
}

async function linesOf({ calls }: ToolDeps, ref: string, name: string): Promise<readonly string[]> {
  const [table, overview] = await Promise.all([
    calls.call('GET /projects/:ref/tables/:table', { params: { ref, table: name } }),
    calls.call('GET /projects/:ref/policies', { params: { ref } }),
  ])
  const policies = overview.tables.find((one) => one.name === name)
  return [
    `${table.kind.replace('_', ' ')}, ${table.rows ?? 'unknown'} rows${table.comment === null ? '' : `: ${table.comment}`}`,
    ...table.columns.map(columnLine),
    ...table.foreign_keys.map((key) => `references ${keyLine(key)}`),
    ...table.referenced_by.map((key) => `referenced by ${key.table} (${key.columns.join(', ')})`),
    ...(policies === undefined ? [] : policyLines(policies)),
  ]
}

function columnLine(column: TableColumn): string {
  return [
    `column ${column.name} ${column.type}`,
    column.is_key ? 'key' : '',
    column.is_nullable ? 'null' : 'not null',
    column.is_generated ? 'generated' : '',
    column.default === null ? '' : `default ${column.default}`,
    column.choices === null ? '' : `one of ${column.choices.join(', ')}`,
    column.comment === null ? '' : `-- ${column.comment}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function keyLine({ columns, target_columns, target_table }: ForeignKey): string {
  return `${target_table} (${target_columns.join(', ')}) by ${columns.join(', ')}`
}

function policyLines({
  grants,
  policies,
  rls_enabled,
  warnings,
}: TablePolicies): readonly string[] {
  return [
    `row security ${rls_enabled ? 'on' : 'OFF'}`,
    ...Object.entries(grants).map(
      ([role, commands]) => `grant to ${role}: ${commands.join(', ') || 'nothing'}`,
    ),
    ...policies.map(policyLine),
    ...warnings.map(
      ({ sentence, suggested_fix }) =>
        `warning: ${sentence}${suggested_fix === null ? '' : ` Fix: ${suggested_fix}`}`,
    ),
  ]
}

/** One policy as SQL without its table. */
export function policyLine(policy: TablePolicies['policies'][number]): string {
  const clauses = [
    policy.using === null ? '' : ` using ${policy.using}`,
    policy.check === null ? '' : ` with check ${policy.check}`,
  ]
  const kind = policy.permissive ? 'policy' : 'restrictive policy'
  return `${kind} ${policy.name} for ${policy.command} to ${policy.roles.join(', ')}${clauses.join('')}`
}

/** @throws {ToolError} when the tenant has no such table, with the names of those it has */
export async function requireTable({ calls }: ToolDeps, ref: string, name: string): Promise<void> {
  const { tables } = await calls.call('GET /projects/:ref/tables', { params: { ref } })
  if (tables.some((table) => table.name === name)) return
  throw new ToolError(
    'not_found',
    `${ref} has no table ${JSON.stringify(name)}.`,
    `Its tables: ${tables.map((table) => table.name).join(', ')}.`,
  )
}
