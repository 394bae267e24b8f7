// migrations: which tenants are behind the template or the migration steps, and what pending steps would do.
import { z } from 'zod'
import { differencesText, stepsText } from '../../../contract/fact-words.ts'
import type { Fleet, FleetTenant, FleetVersion } from '../../../contract/fleet.ts'
import type { ProjectRehearsal, VisibilityChange } from '../../../contract/rehearsals.ts'
import { Cursor, fromCursor, Limit } from '../inputs.ts'
import { defineTool, type Tool, type ToolDeps, ToolError } from '../tool.ts'

export const migrations: Tool = defineTool({
  name: 'migrations',
  title: 'Show and rehearse migrations',
  description:
    'status: which steps ran and are pending in each tenant of a group, and how its structure differs. rehearse: runs pending steps in the template and every tenant, compares who sees which rows, and rolls back.',
  input: z.strictObject({
    action: z.enum(['status', 'rehearse']).default('status'),
    group: z.string().optional().describe('Name of a group (default: the only one)'),
    tenants: z
      .array(z.string())
      .max(200)
      .optional()
      .describe('rehearse: only these (default: all)'),
    steps: z
      .array(z.strictObject({ file: z.string(), sql: z.string() }))
      .optional()
      .describe(
        'rehearse: all steps of the folder "migrations", such as {"file": "20261122120000_add_reviews.sql", "sql": "…"} (default: those that the emulator knows)',
      ),
    cursor: Cursor,
    limit: Limit,
  }),
  changes: 'never',
  run: async (deps, { action, group: named, steps, tenants, ...page }) => {
    const group = named ?? (await onlyGroup(deps))
    if (action === 'status') {
      const fleet = await deps.calls.call('GET /groups/:group/fleet', { params: { group } })
      return { head: fleetHead(fleet), ...fromCursor(fleetLines(fleet), page) }
    }
    const report = await deps.calls.call('POST /groups/:group/migrations/rehearse', {
      params: { group },
      // `remember: false`, because steps that an agent tries out do not belong to the application.
      body: {
        tenants: tenants ?? 'all',
        remember: false,
        ...(steps === undefined ? {} : { steps }),
      },
    })
    const projects = [report.template, ...report.tenants]
    const failing = projects.filter(({ ok }) => !ok).length
    return {
      head: `Rehearsed in ${projects.length} projects of ${report.group}: ${failing === 0 ? 'all pass' : `${failing} fail`}. Everything was rolled back.`,
      ...fromCursor(
        projects.toSorted((a, b) => Number(a.ok) - Number(b.ok)).flatMap(rehearsalLines),
        page,
      ),
    }
  },
})

async function onlyGroup({ calls }: ToolDeps): Promise<string> {
  const { groups } = await calls.call('GET /overview')
  const [group] = groups
  if (group !== undefined && groups.length === 1) return group.id
  throw new ToolError(
    'invalid_input',
    groups.length === 0 ? 'The emulator has no group.' : 'The emulator has several groups.',
    groups.length === 0
      ? 'Apply a fixture with the tool fixtures.'
      : `Give "group": ${groups.map(({ name }) => name).join(', ')}.`,
  )
}

function fleetHead({ group, steps, template, tenants, versions }: Fleet): string {
  const shown = tenants.filter(({ state }) => state !== 'deleted')
  const newest = versions.at(-1)?.number
  const unchecked = shown.filter(({ facts }) => facts.differences.state === 'not_checked').length
  return [
    `Group ${group.name}: template ${template?.slug ?? 'removed'}${newest === undefined ? '' : `, newest version ${newest}`}, ${steps.length} steps.`,
    `${shown.filter(hasOpenSteps).length} of ${shown.length} tenants have pending steps, ${shown.filter(isDifferent).length} have differences${unchecked === 0 ? '' : `, ${unchecked} are not checked yet`}.`,
  ].join(' ')
}

function fleetLines(fleet: Fleet): readonly string[] {
  const isEven = (tenant: FleetTenant) => !(hasOpenSteps(tenant) || isDifferent(tenant))
  return [
    ...(fleet.template === null ? [] : [`template ${placed(fleet, fleet.template)}`]),
    ...fleet.tenants
      .toSorted((a, b) => Number(isEven(a)) - Number(isEven(b)))
      .map((tenant) => `tenant ${placed(fleet, tenant)}`),
  ]
}

function hasOpenSteps({ facts: { steps } }: FleetTenant): boolean {
  return steps.pending === null ? steps.problem !== null : steps.pending > 0
}

function isDifferent({ facts: { differences } }: FleetTenant): boolean {
  return (differences.count ?? 0) > 0
}

function placed({ steps, versions }: Fleet, project: FleetTenant | FleetVersion): string {
  const { facts, slug } = project
  const open = project.steps.flatMap((state, index) => {
    const step = steps[index]
    return state === null || state === 'applied' || step === undefined
      ? []
      : [`${state} ${step.version}_${step.name}`]
  })
  const from = facts.differences.compared_with
  const newest = versions.at(-1)?.number ?? 1
  return [
    'state' in project && project.state === 'deleted' ? `${slug}: deleted` : slug,
    'template_version' in project ? versionText(project.template_version, newest) : '',
    stepsText(facts.steps),
    ...open,
    `${differencesText(facts.differences)}${from === null ? '' : ` from ${from}`}`,
    project.problem ?? '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function versionText(version: number | null, newest: number): string {
  if (version === null) return 'template version unknown'
  return `template version ${version}${version < newest ? ` (newest ${newest})` : ''}`
}

function rehearsalLines(project: ProjectRehearsal): readonly string[] {
  const { duration_ms, error, line, notes, ok, pending, rows_changed, slug, step } = project
  const result =
    error === null
      ? `${rows_changed} rows changed in ${Math.round(duration_ms)} ms`
      : `fails in ${step ?? 'no step'}${line === null ? '' : ` line ${line}`} with ${error.code}: ${error.message}`
  return [
    `${slug}: ${ok ? 'ok' : 'FAILS'}, ${pending.length} pending, ${result}`,
    ...project.visibility.map((change) => `${slug}: ${visibilityLine(change)}`),
    ...notes.map((note) => `${slug}: ${note}`),
  ]
}

function visibilityLine({
  error,
  example,
  gained,
  identity,
  lost,
  table,
}: VisibilityChange): string {
  if (error !== null) return `${identity} can no longer read ${table}: ${error}`
  const row = example === null ? '' : `, e.g. ${JSON.stringify(example)}`
  return `${identity} sees ${gained} more and ${lost} fewer rows of ${table}${row}`
}
