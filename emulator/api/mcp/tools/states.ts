// Tools over the state of the whole platform: snapshots and fixtures.
import { z } from 'zod'
import type { FixtureReport } from '../../../contract/fixtures.ts'
import type { Snapshot, SnapshotDiff } from '../../../contract/snapshots.ts'
import { Cursor, fromCursor, Limit, type Page } from '../inputs.ts'
import {
  defineTool,
  type Finding,
  needed,
  requireWrites,
  type Tool,
  type ToolDeps,
  ToolError,
} from '../tool.ts'

const SnapshotInput = z.strictObject({
  action: z.enum(['list', 'compare', 'save', 'restore', 'reset']).default('list'),
  name: z.string().optional().describe('compare, save, restore: name of the snapshot'),
  note: z.string().optional().describe('save: what the state is for'),
  cursor: Cursor,
  limit: Limit,
})

export const snapshots: Tool = defineTool({
  name: 'snapshots',
  title: 'Save and restore states',
  description:
    'list: saved states of the whole platform. compare: what changed since a snapshot. save, restore: as named. reset: returns to the state after the last fixture. save, restore and reset need a server that allows writes.',
  input: SnapshotInput,
  changes: 'if_allowed',
  run: async (deps, input) => {
    const { action, name } = input
    if (action === 'list') return list(deps, input)
    if (action === 'compare') {
      const params = { name: needed(name, 'name', action) }
      const diff = await deps.calls.call('GET /snapshots/:name/compare', { params })
      return fromCursor(diffLines(diff), input)
    }
    requireWrites(deps, 'save or replace the platform’s state')
    return { entries: [await change(deps, input)] }
  },
})

async function list({ calls }: ToolDeps, page: Page): Promise<Finding> {
  const { snapshots: saved } = await calls.call('GET /snapshots')
  return saved.length === 0
    ? { entries: ['No snapshot was saved yet.'] }
    : fromCursor(saved.map(snapshotLine), page)
}

async function change({ calls }: ToolDeps, input: z.output<typeof SnapshotInput>): Promise<string> {
  const { action, name, note } = input
  if (action === 'reset') {
    const { tenants_reset } = await calls.call('POST /reset')
    return `Reset ${tenants_reset} tenants to the state after the last fixture.`
  }
  const named = needed(name, 'name', action)
  if (action === 'restore') {
    const params = { name: named }
    return `Restored ${snapshotLine(await calls.call('POST /snapshots/:name/restore', { params }))}`
  }
  const body = { name: named, ...(note === undefined ? {} : { note }) }
  return `Saved ${snapshotLine(await calls.call('POST /snapshots', { body }))}`
}

function snapshotLine({ name, note, platform_time, saved_at, tenants }: Snapshot): string {
  return `${name}: saved ${saved_at}, platform time ${platform_time}, ${tenants} tenants${note === null ? '' : `, ${note}`}`
}

function diffLines({ tenants }: SnapshotDiff): readonly string[] {
  if (tenants.length === 0) return ['Nothing changed.']
  return tenants.flatMap((tenant) => [
    `${tenant.schema_name} ${tenant.change}: ${tenant.users_added} users added, ${tenant.users_removed} removed, ${tenant.objects_added} files added, ${tenant.objects_removed} removed`,
    ...tenant.tables.flatMap((table) => [
      `${table.table}: ${table.rows_added} rows added, ${table.rows_removed} removed, ${table.rows_changed} changed${table.structure_changed ? ', structure changed' : ''}`,
      ...table.rows.map(
        ({ cells, change: kind, key }) =>
          `${table.table} ${kind} ${JSON.stringify(key)}: ${cells.map(({ after, before, column }) => `${column} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`).join(', ')}`,
      ),
    ]),
  ])
}

export const fixtures: Tool = defineTool({
  name: 'fixtures',
  title: 'List and apply fixtures',
  description:
    'list: repeatable test data. check: lists the problems of a fixture. apply: creates its groups, tenants, users, rows and files, completely or not at all; needs a server that allows writes.',
  input: z.strictObject({
    action: z.enum(['list', 'check', 'apply']).default('list'),
    fixture: z
      .string()
      .optional()
      .describe('Name of a listed fixture, or an absolute path on the emulator’s machine'),
    cursor: Cursor,
    limit: Limit,
  }),
  changes: 'if_allowed',
  run: async (deps, { action, fixture, ...page }) => {
    if (action === 'list') {
      const { fixtures: known } = await deps.calls.call('GET /fixtures')
      const lines = known.map(
        ({ description, is_applied, name, path }) =>
          `${name}${is_applied ? ' (applied)' : ''} at ${path}: ${description ?? 'no description'}`,
      )
      return fromCursor(lines, page)
    }
    if (action === 'apply') requireWrites(deps, 'apply fixtures')
    const body = { fixture: needed(fixture, 'fixture', action) }
    if (action === 'check')
      return fromCursor(reportLines(await deps.calls.call('POST /fixtures/check', { body })), page)
    const report = await deps.calls.call('POST /fixtures/apply', { body })
    if (!report.applied) throw new ToolError('invalid_input', reportLines(report).join('\n'))
    return fromCursor(reportLines(report), page)
  },
})

function reportLines(report: FixtureReport): readonly string[] {
  const { applied, created, fixture, problems, rows } = report
  const counts = Object.entries(created).filter(([, count]) => count > 0)
  const result =
    problems.length > 0
      ? 'the fixture has problems, so nothing was applied'
      : `${applied ? 'applied' : 'no problems'}; new: ${counts.map(([what, count]) => `${what} ${count}`).join(', ') || 'nothing'}`
  return [
    `${fixture}: ${result}`,
    ...(rows.changed + rows.removed === 0
      ? []
      : [`rows changed ${rows.changed}, rows removed ${rows.removed}`]),
    ...rows.kept.map(
      ({ change, keys, project, reason, rows: count, table }) =>
        `kept ${count} rows of ${project}.${table} (${change} in the fixture; ${reason}): ${JSON.stringify(keys)}`,
    ),
    ...problems.map(
      ({ file, line, message, path }) =>
        `${file}${line === null ? '' : `:${line}`} ${path}: ${message}`,
    ),
  ]
}
