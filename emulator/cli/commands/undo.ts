// `tenantry undo`: shows what undoing a request would change, asks, and does it. Exit code 1: something prevents the undo, and nothing
// was changed.
import { type Command, Option } from 'commander'
import type { Undo, UndoConflict, UndoneRow } from '../../contract/history.ts'
import { printable } from '../../core/printable.ts'
import { askAtTerminal } from '../ask-at-terminal.ts'
import { firstTenant } from '../first-tenant.ts'
import { counted } from '../report.ts'
import { emulatorOf, printAnswer, type RunningOptions, runningCommand } from '../running-options.ts'
import { terminal } from '../terminal.ts'
import { keyText, valueText } from './history.ts'

interface UndoOptions extends RunningOptions {
  readonly tenant: string | undefined
  readonly transaction: string | undefined
  readonly since: string | undefined
  readonly yes: boolean
}

export function undoCommand(): Command {
  return runningCommand('undo', 'take back what a request changed in a tenant’s rows')
    .argument('[request]', 'id of the request')
    .option(
      '--tenant <slug>',
      'name the project: slug, schema name or id (default: the first tenant)',
    )
    .addOption(
      new Option(
        '--transaction <number>',
        'take back this transaction instead, as "tenantry history --json" names it',
      ).conflicts('since'),
    )
    .option(
      '--since <instant>',
      'take back everything since: a request (its id), a change (its sequence) or a time',
    )
    .option('--yes', 'do it without asking', false)
    .addHelpText(
      'after',
      '\nThe undo is one ordinary transaction of the owner, which can be undone itself. Triggers of the project do not react.',
    )
    .action(run)
}

async function run(request: string | undefined, options: UndoOptions): Promise<void> {
  const emulator = emulatorOf(options)
  const ref = options.tenant ?? (await firstTenant(emulator, '--tenant'))
  const body = {
    ...(request === undefined ? {} : { request_id: request }),
    ...(options.transaction === undefined ? {} : { transaction: options.transaction }),
    ...(options.since === undefined ? {} : { since: options.since }),
  }
  const call = (apply: boolean): Promise<Undo> =>
    emulator.call('POST /projects/:ref/undo', { params: { ref }, body: { ...body, apply } })
  const preview = options.yes && options.json ? undefined : await call(false)
  if (preview !== undefined && !options.json)
    terminal().stdout.write(`${previewLines(preview).join('\n')}\n`)
  const goesOn = preview === undefined || (preview.is_possible && (await isWanted(options)))
  const answer = goesOn ? await call(true) : preview
  if (answer === undefined) return
  if (options.json) printAnswer(options, answer, '')
  else if (goesOn) terminal().stdout.write(`${outcomeLines(answer).join('\n')}\n`)
  if (!answer.is_possible) terminal().exitCode = 1
}

// Without a terminal the command only shows what it would change.
async function isWanted({ json, yes }: UndoOptions): Promise<boolean> {
  if (yes) return true
  if (json) return false
  const answer = await askAtTerminal('Undo this? [y/n] ')
  if (answer === undefined) terminal().stdout.write('Nothing was changed. Pass --yes to do it.\n')
  return answer !== undefined && /^y(es)?$/i.test(answer.trim())
}

function previewLines(undo: Undo): readonly string[] {
  const { changes, conflicts, notes, rows, rows_left_out: more } = undo
  if (conflicts.length > 0) return conflictLines(conflicts)
  if (rows.length === 0) return ['The rows are already as they were.', ...notes]
  return [
    `Undoing ${counted(changes, 'change')} would change ${counted(rows.length + more, 'row')}:`,
    ...rows.flatMap(rowLines),
    ...(more > 0 ? [`… and ${counted(more, 'more row')}`] : []),
    ...notes,
  ]
}

const VERBS = { INSERT: 'restore', UPDATE: 'change back', DELETE: 'delete' } as const

function rowLines({ action, columns, key, table }: UndoneRow): readonly string[] {
  const head = `  ${VERBS[action]} ${printable(table)} ${keyText(key)}`
  if (action !== 'UPDATE') return [head]
  return [
    head,
    ...Object.entries(columns).map(
      ([name, [now, before]]) =>
        `      ${printable(name)}: ${valueText(now)} → ${valueText(before)}`,
    ),
  ]
}

function conflictLines(conflicts: readonly UndoConflict[]): readonly string[] {
  return [
    'The undo is not possible:',
    ...conflicts.map(({ key, message, request_id: requestId, sequence }) => {
      const row = keyText(key)
      const where = [
        row,
        sequence === null ? '' : `change ${sequence}`,
        requestId === null ? '' : `request ${printable(requestId)}`,
      ].filter((part) => part !== '')
      return `  ${printable(message)}${where.length === 0 ? '' : ` (${where.join(', ')})`}`
    }),
  ]
}

function outcomeLines({ changes, conflicts, is_applied: isApplied }: Undo): readonly string[] {
  return isApplied ? [`Undone: ${counted(changes, 'change')}.`] : conflictLines(conflicts)
}
