// `tenantry snapshot save|restore|list|delete|compare` and `tenantry reset`: saves and restores the whole state of a running
// emulator.
import { Command, Option } from 'commander'
import type { ChangeMaker, ResetTarget, Snapshot, SnapshotDiff } from '../../contract/snapshots.ts'
import { defined } from '../../core/defined.ts'
import { printable } from '../../core/printable.ts'
import { emulatorOf, printAnswer, type RunningOptions, runningCommand } from '../running-options.ts'

interface ResetOptions extends RunningOptions {
  readonly to: ResetTarget
}

export function resetCommand(): Command {
  const description = 'restore the state after the last fixture, or drop everything made by hand'
  return runningCommand('reset', description)
    .addOption(
      new Option(
        '--to <state>',
        'restore the state after the last applied fixture or save ("start"), or drop all edits and apply the fixtures again ("fixture")',
      )
        .choices(['start', 'fixture'])
        .default('start'),
    )
    .action(async (options: ResetOptions) => {
      const answer = await emulatorOf(options).call('POST /reset', { body: { to: options.to } })
      const what = options.to === 'fixture' ? 'Reset to the fixture' : 'Reset'
      printAnswer(options, answer, `${what} in ${answer.duration_ms} ms.`)
    })
}

export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description('save and restore the whole state of a running emulator')
    .addCommand(saveCommand())
    .addCommand(
      runningCommand('restore', 'restore a saved state')
        .argument('<name>')
        .action(async (name: string, options: RunningOptions) => {
          const params = { name }
          const answer = await emulatorOf(options).call('POST /snapshots/:name/restore', { params })
          printAnswer(options, answer, `Restored ${snapshotLine(answer)}`)
        }),
    )
    .addCommand(
      runningCommand('list', 'list the saved states, newest first').action(
        async (options: RunningOptions) => {
          const answer = await emulatorOf(options).call('GET /snapshots')
          const lines = answer.snapshots.map(snapshotLine).join('\n')
          printAnswer(options, answer, lines || 'There are no snapshots.')
        },
      ),
    )
    .addCommand(
      runningCommand('delete', 'delete a saved state')
        .argument('<name>')
        .action(async (name: string, options: RunningOptions) => {
          const params = { name }
          const answer = await emulatorOf(options).call('DELETE /snapshots/:name', { params })
          printAnswer(options, answer, `Deleted ${name}.`)
        }),
    )
    .addCommand(compareCommand())
}

interface SaveOptions extends RunningOptions {
  readonly note?: string
  readonly replace: boolean
}

function saveCommand(): Command {
  return runningCommand('save', 'save the present state')
    .argument('<name>', 'letters, digits, "-", "_" and "."')
    .option('--note <text>', 'describe the snapshot (default: no note)')
    .option('--replace', 'replace a snapshot of the same name', false)
    .action(async (name: string, options: SaveOptions) => {
      const { note, replace } = options
      const body = defined({ name, replace, note })
      const saved = await emulatorOf(options).call('POST /snapshots', { body })
      printAnswer(options, saved, `Saved ${snapshotLine(saved)}`)
    })
}

function compareCommand(): Command {
  const description = 'compare a saved state with another one or with the present state'
  return runningCommand('compare', description)
    .argument('<name>')
    .argument('[other]', 'second saved state (default: the present state)')
    .action(async (name: string, other: string | undefined, options: RunningOptions) => {
      const inputs = { params: { name }, query: { with: other } }
      const diff = await emulatorOf(options).call('GET /snapshots/:name/compare', inputs)
      const lines = diff.tenants.flatMap(tenantLines).join('\n')
      printAnswer(options, diff, lines || 'Nothing differs.')
    })
}

function snapshotLine({ name, note, saved_at, size_bytes, tenants }: Snapshot): string {
  const size = `${(size_bytes / 1_000_000).toFixed(1)} MB`
  const inside = `${tenants} ${tenants === 1 ? 'tenant' : 'tenants'}`
  return `${name}  ${saved_at}  ${inside}  ${size}${note === null ? '' : `  ${note}`}`
}

function tenantLines(tenant: SnapshotDiff['tenants'][number]): readonly string[] {
  return [
    `${tenant.schema_name} ${tenant.change}`,
    ...tenant.tables.flatMap((table) => [
      `  ${table.table}  ${counts(table.rows_added, table.rows_removed, table.rows_changed)}${table.structure_changed ? '  structure' : ''}`,
      ...table.rows.flatMap((row) => [rowLine(row), ...row.made_by.map(makerLine)]),
    ]),
    ...tenant.history_gaps.map((gap) => `  ${printable(gap)}`),
    ...pair('objects', tenant.objects_added, tenant.objects_removed),
    ...pair('users', tenant.users_added, tenant.users_removed),
  ]
}

type RowDifference = SnapshotDiff['tenants'][number]['tables'][number]['rows'][number]

const SIGNS = { added: '+', removed: '-', changed: '~' } as const

// A row without a key is identified by its cells.
function rowLine({ change, key, cells }: RowDifference): string {
  const name = Object.entries(key).map(([column, text]) => `${column}=${text ?? 'null'}`)
  const texts = cells.map(({ column, before, after }) =>
    change === 'changed'
      ? `${column}: ${quoted(before)} → ${quoted(after)}`
      : `${column}: ${quoted(after ?? before)}`,
  )
  const shown = change === 'changed' || name.length === 0 ? [...name, ...texts] : name
  return `    ${SIGNS[change]} ${shown.join(', ')}`
}

function makerLine({ at, method, request_id, role, target, user_id }: ChangeMaker): string {
  const identity = user_id === null ? role : `${role} ${user_id}`
  const request =
    request_id === null
      ? 'no request'
      : [request_id, ...(method === null ? [] : [method, target])].join(' ')
  return printable(`        ${at}  ${request}  by ${identity}`)
}

function quoted(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text)
}

function pair(what: string, added: number, removed: number): readonly string[] {
  return added + removed === 0 ? [] : [`  (${what})  ${counts(added, removed, 0)}`]
}

function counts(added: number, removed: number, changed: number): string {
  return `+${added} -${removed} ~${changed}`
}
