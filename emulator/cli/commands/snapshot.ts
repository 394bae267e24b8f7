// `tenantry snapshot save|restore|list|delete|compare` and `tenantry reset`: saves and restores the whole state of a running
// emulator.
import { Command } from 'commander'
import {
  emulatorOf,
  printAnswer,
  type RunningOptions,
  withRunningOptions,
} from '../running-options.ts'
import { diffLines, snapshotLines } from '../snapshot-report.ts'

export function snapshotCommand(): Command {
  const snapshot = new Command('snapshot').description(
    'save and restore the whole state of a running emulator',
  )
  for (const each of [save(), restore(), list(), remove(), compare()]) snapshot.addCommand(each)
  return snapshot
}

export function resetCommand(): Command {
  return withRunningOptions(new Command('reset'))
    .description('restore the state after the last fixture, or after the start')
    .action(async (options: RunningOptions) => {
      const answer = await emulatorOf(options).call('POST /reset')
      printAnswer(options, answer, `Reset in ${answer.duration_ms} ms.`)
    })
}

interface SaveOptions extends RunningOptions {
  readonly note?: string
  readonly replace: boolean
}

function save(): Command {
  return withRunningOptions(new Command('save'))
    .description('save the present state')
    .argument('<name>', 'letters, digits, "-", "_" and "."')
    .option('--note <text>', 'describe the snapshot (default: no note)')
    .option('--replace', 'replace a snapshot of the same name', false)
    .action(async (name: string, options: SaveOptions) => {
      const { note, replace } = options
      const order = { name, replace, ...(note === undefined ? {} : { note }) }
      const saved = await emulatorOf(options).call('POST /snapshots', { body: order })
      printAnswer(options, saved, `Saved ${snapshotLines([saved])}`)
    })
}

function restore(): Command {
  return withRunningOptions(new Command('restore'))
    .description('restore a saved state')
    .argument('<name>')
    .action(async (name: string, options: RunningOptions) => {
      const restored = await emulatorOf(options).call('POST /snapshots/:name/restore', {
        params: { name },
      })
      printAnswer(options, restored, `Restored ${snapshotLines([restored])}`)
    })
}

function list(): Command {
  return withRunningOptions(new Command('list'))
    .description('list the saved states, newest first')
    .action(async (options: RunningOptions) => {
      const answer = await emulatorOf(options).call('GET /snapshots')
      printAnswer(options, answer, snapshotLines(answer.snapshots))
    })
}

function remove(): Command {
  return withRunningOptions(new Command('delete'))
    .description('delete a saved state')
    .argument('<name>')
    .action(async (name: string, options: RunningOptions) => {
      const deleted = await emulatorOf(options).call('DELETE /snapshots/:name', {
        params: { name },
      })
      printAnswer(options, deleted, `Deleted ${name}.`)
    })
}

function compare(): Command {
  return withRunningOptions(new Command('compare'))
    .description('compare a saved state with another one or with the present state')
    .argument('<name>')
    .argument('[other]', 'second saved state (default: the present state)')
    .action(async (name: string, other: string | undefined, options: RunningOptions) => {
      const diff = await emulatorOf(options).call('GET /snapshots/:name/compare', {
        params: { name },
        query: { with: other },
      })
      printAnswer(options, diff, diffLines(diff))
    })
}
