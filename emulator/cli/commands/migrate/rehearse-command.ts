// `tenantry migrate rehearse`: shows what pending steps would do to each tenant, here or on the hosted platform, without doing it.
import { type Command, Option } from 'commander'
import type { RehearsalReport } from '../../../contract/rehearsals.ts'
import { readSources } from '../../../workflow/migrations/steps/step-files.ts'
import { parseRowLimit } from '../../parse-options.ts'
import { emulatorOf, printAnswer } from '../../running-options.ts'
import { type MigrateOptions, migrateCommandOf } from './migrate-options.ts'
import { rehearsalLines, rehearsalMarkdown } from './rehearse-report.ts'
import { groupOf, readingFleetOf } from './targets.ts'

interface RehearseOptions extends MigrateOptions {
  readonly tenants: string
  readonly markdown: boolean
  readonly rowLimit: number
}

export function rehearseCommand(): Command {
  return migrateCommandOf(
    'rehearse',
    'run pending steps in the template and tenants and roll them back; ends with exit code 1 when one would fail. With --remote, they run in a copy of each project, and nothing changes there',
  )
    .option('--tenants <which>', 'rehearse all, none or these tenants, comma-separated', 'all')
    .option(
      '--row-limit <count>',
      'copy at most this many rows of each table that matters to the steps, with --remote',
      parseRowLimit,
      1_000,
    )
    .addOption(
      new Option('--markdown', 'print Markdown for a pull request')
        .default(false)
        .conflicts('json'),
    )
    .action(async (options: RehearseOptions) => {
      const report =
        options.remote === undefined
          ? await rehearseHere(options)
          : await rehearseThere(options, options.remote)
      const words = options.markdown ? rehearsalMarkdown(report) : rehearsalLines(report)
      printAnswer(options, report, words)
      if (!report.ok) process.exitCode = 1
    })
}

async function rehearseHere(options: RehearseOptions): Promise<RehearsalReport> {
  const emulator = emulatorOf(options)
  return emulator.call('POST /groups/:group/migrations/rehearse', {
    params: { group: await groupOf(emulator, options.group) },
    body: { steps: [...readSources(options.dir)], tenants: tenantsOf(options) },
  })
}

async function rehearseThere(options: RehearseOptions, url: string): Promise<RehearsalReport> {
  const { dir, group = '', rowLimit } = options
  const fleet = readingFleetOf(url, options.group)
  const { rehearseRemote } = await import('./remote-rehearsal.ts')
  const sources = readSources(dir)
  return rehearseRemote(fleet, { group, sources, tenants: tenantsOf(options), rowLimit })
}

function tenantsOf({ tenants }: RehearseOptions): 'all' | 'none' | string[] {
  return tenants === 'all' || tenants === 'none' ? tenants : tenants.split(',')
}
