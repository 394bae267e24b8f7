// `tenantry dev`: starts the emulator, and applies the application's folder after each save until Ctrl-C.
import { Command } from 'commander'
import type { StartOptions } from '../run-emulator.ts'
import { withStartOptions } from './start.ts'

const JSON_LINES = `
With --json, the first line has addresses and keys. Each further line is one event:
  {"event":"applied"|"refused"|"rebuilt", "migrated":[{"project","steps"}], "rebuilt":[slug], "kept":[slug], "created":{…},
   "types":file|null, "problems":[{"file","line","path","message","statement"}], "duration_ms":number}`

export function devCommand(): Command {
  const command = new Command('dev').description(
    'start the emulator, and apply ./tenantry after each save until Ctrl-C',
  )
  return withStartOptions(command)
    .option('--json', 'print addresses and keys, and then each event, as one JSON line', false)
    .addHelpText('after', JSON_LINES)
    .action(async (given: Omit<StartOptions, 'detach'>) => {
      const { requireDevFolder } = await import('../dev/dev-folder.ts')
      const folder = requireDevFolder(given.fixture)
      const { runEmulator } = await import('../run-emulator.ts')
      await runEmulator({ ...given, fixture: 'none', detach: false }, folder)
    })
}
