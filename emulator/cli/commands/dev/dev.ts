// `tenantry dev`: starts the emulator, and applies the application's folder after each save until Ctrl-C.
import { Command } from 'commander'
import { withStartOptions } from '../start/start.ts'
import type { DevOptions } from './run-dev.ts'

const JSON_LINES = `
With --json, the first line has addresses and keys. Each further line is one event:
  {"event":"applied"|"refused"|"waiting"|"rebuilt", "migrated":[{"project","steps"}], "redone":[{"project","steps"}],
   "rebuilt":[slug], "kept":[slug], "created":{…}, "types":file|null, "problems":[{"file","line","path","message","statement"}],
   "being_written":[file], "losses":[{"project","table","column","rows","example"}], "stuck":[{"project","reason"}],
   "people":[{"project","table","identity","gained","lost",…}], "duration_ms":number}`

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
    .action(async (options: DevOptions) => {
      const { runDev } = await import('./run-dev.ts')
      await runDev(options)
    })
}
