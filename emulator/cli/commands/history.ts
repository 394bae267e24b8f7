// `tenantry history`: lists the committed changes of a tenant's rows, the newest first.

import type { Command } from 'commander'
import type { RowHistory, RowHistoryEntry } from '../../contract/history.ts'
import { printable, shortened } from '../../core/printable.ts'
import { firstTenant } from '../first-tenant.ts'
import { parseCount } from '../parse-options.ts'
import { emulatorOf, printAnswer, type RunningOptions, runningCommand } from '../running-options.ts'

interface HistoryOptions extends RunningOptions {
  readonly tenant: string | undefined
  readonly request: string | undefined
  readonly limit: number
}

export function historyCommand(): Command {
  return runningCommand('history', 'list who changed a tenant’s rows, and how')
    .argument('[table]', 'list only changes of this table')
    .argument(
      '[key]',
      'list only changes of the row with this primary key; write a key of several columns as a JSON array',
    )
    .option(
      '--tenant <slug>',
      'name the project: slug, schema name or id (default: the first tenant)',
    )
    .option('--request <id>', 'list only what this request changed')
    .option('--limit <number>', 'list at most this many changes, 1 to 1000', parseCount, 100)
    .action(run)
}

async function run(
  table: string | undefined,
  key: string | undefined,
  options: HistoryOptions,
): Promise<void> {
  const emulator = emulatorOf(options)
  const ref = options.tenant ?? (await firstTenant(emulator, '--tenant'))
  const answer = await emulator.call('GET /projects/:ref/history', {
    params: { ref },
    query: {
      limit: options.limit,
      ...(table === undefined ? {} : { table }),
      ...(key === undefined ? {} : { key }),
      ...(options.request === undefined ? {} : { request_id: options.request }),
    },
  })
  printAnswer(options, answer, linesOf(answer).join('\n'))
}

function linesOf({ changes, has_more: hasMore, is_recorded: isRecorded }: RowHistory) {
  const lines = changes.flatMap(changeLines)
  if (!isRecorded)
    lines.push('This emulator does not record changes. Start it without --no-history.')
  else if (changes.length === 0) lines.push('No change is recorded.')
  if (hasMore) lines.push('Older changes are not shown. Pass a higher --limit.')
  return lines
}

export function changeLines(change: RowHistoryEntry): string[] {
  const { at, columns, key, kind, request_id: requestId, sequence, table } = change
  const place = requestId === null ? '' : `, request ${requestId}`
  const head = `${sequence}  ${at}  ${kind} ${printable(table)} ${keyText(key)}`.trimEnd()
  return [
    `${head}  by ${identityText(change)}${printable(place)}`,
    ...Object.entries(columns).map(([name, [old, fresh]]) =>
      kind === 'UPDATE'
        ? `    ${printable(name)}: ${valueText(old)} → ${valueText(fresh)}`
        : `    ${printable(name)}: ${valueText(kind === 'INSERT' ? fresh : old)}`,
    ),
  ]
}

function identityText({ role, user_id: userId }: RowHistoryEntry): string {
  return printable(userId === null ? role : `${role} ${userId}`)
}

export function keyText(key: RowHistoryEntry['key']): string {
  return Object.entries(key)
    .map(([name, value]) => `${printable(name)}=${valueText(value)}`)
    .join(' ')
}

const MOST_CHARACTERS = 80

export function valueText(value: string | null): string {
  return value === null ? 'null' : shortened(printable(value), MOST_CHARACTERS)
}
