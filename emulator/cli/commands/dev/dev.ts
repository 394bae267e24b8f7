// `tenantry dev`: starts the emulator, and applies the application's folder after each save until Ctrl-C.
import { Command } from 'commander'
import type { StartOptions } from '../start/run-emulator.ts'
import { withStartOptions } from '../start/start.ts'

const JSON_LINES = `
With --json, the first line has addresses and keys. Each further line is one event:
  {"event":"applied"|"refused"|"waiting"|"rebuilt", "migrated":[{"project","steps"}], "redone":[{"project","steps"}],
   "rebuilt":[slug], "kept":[slug], "created":{…}, "types":file|null, "problems":[{"file","line","path","message","statement"}],
   "being_written":[file], "losses":[{"project","table","column","rows","example"}], "stuck":[{"project","reason"}],
   "people":[{"project","table","identity","gained","lost",…}], "duration_ms":number}`

/** Applies the save that waits in the `dev` of this folder. Returns false when none runs. */
async function rebuildRunning(options: Omit<StartOptions, 'detach'>): Promise<boolean> {
  const { findRunning } = await import('../../run-file.ts')
  const running = findRunning(options.dataDir)
  if (running === undefined) return false
  const { reachEmulator } = await import('../../../platform/http-client/running-emulator.ts')
  const { answerClient } = await import('../../answer-client.ts')
  const { devJson, devLines } = await import('./follow-report.ts')
  const emulator = reachEmulator(running.url, options.adminToken, answerClient())
  const report = await emulator.call('POST /fixtures/followed/rebuild')
  const shown = { ...report, types: null, hasNewTypes: false }
  const text = options.json ? devJson(shown) : devLines(report.fixture, shown)
  process.stdout.write(`${text}\n`)
  return true
}

export function devCommand(): Command {
  const command = new Command('dev').description(
    'start the emulator, and apply ./tenantry after each save until Ctrl-C',
  )
  return withStartOptions(command)
    .option(
      '--rebuild',
      'apply a save that waits because rows would be lost, in the running dev or at its start',
      false,
    )
    .option('--json', 'print addresses and keys, and then each event, as one JSON line', false)
    .addHelpText('after', JSON_LINES)
    .action(async (given: Omit<StartOptions, 'detach'>) => {
      if (given.rebuild === true && (await rebuildRunning(given))) return
      const { requireDevFolder } = await import('./dev-folder.ts')
      const folder = requireDevFolder(given.fixture)
      const { runEmulator } = await import('../start/run-emulator.ts')
      await runEmulator({ ...given, fixture: 'none', detach: false }, folder)
    })
}
