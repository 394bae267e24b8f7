// Runs `tenantry migrate rehearse`: shows what pending steps would do to each tenant of the emulator or the hosted platform. The
// tenants do not change.
import type { RehearsalReport } from '../../../contract/rehearsals.ts'
import { readSources } from '../../../workflow/migrations/steps/step-files.ts'
import { type LiveLine, showing } from '../../live-line.ts'
import { emulatorOf, printAnswer } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { rehearsalLines, rehearsalMarkdown } from './rehearse-report.ts'
import { groupOf, type MigrateOptions, readingFleetOf } from './targets.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface RehearseOptions extends MigrateOptions {
  readonly tenants: string
  readonly markdown: boolean
  readonly rowLimit: number
}

/** Prints what the steps would do, and sets the exit code. @throws {EmulatorError} */
export async function runRehearse(options: RehearseOptions): Promise<void> {
  const { remote } = options
  const report = await showing(
    'Rehearsing the steps',
    (line) => (remote === undefined ? rehearseHere(options) : rehearseThere(options, remote, line)),
    { afterInterrupt: 'A rehearsal changes nothing.' },
  )
  const words = options.markdown ? rehearsalMarkdown(report) : rehearsalLines(report)
  printAnswer(options, report, words)
  if (!report.ok) terminal().exitCode = 1
}

async function rehearseHere(options: RehearseOptions): Promise<RehearsalReport> {
  const emulator = emulatorOf(options)
  return emulator.call('POST /groups/:group/migrations/rehearse', {
    params: { group: await groupOf(emulator, options.group) },
    body: { steps: [...readSources(options.dir)], tenants: tenantsOf(options) },
  })
}

async function rehearseThere(
  options: RehearseOptions,
  url: string,
  line: LiveLine,
): Promise<RehearsalReport> {
  const { dir, group = '', rowLimit } = options
  const fleet = readingFleetOf(url, options.group)
  const { rehearseRemote } = await import('./remote-rehearsal.ts')
  const sources = readSources(dir)
  return rehearseRemote(fleet, { group, sources, tenants: tenantsOf(options), rowLimit }, line)
}

function tenantsOf({ tenants }: RehearseOptions): 'all' | 'none' | string[] {
  return tenants === 'all' || tenants === 'none' ? tenants : tenants.split(',')
}
