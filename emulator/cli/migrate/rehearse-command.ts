// `tenantry migrate rehearse`: shows what pending steps would do to each tenant of the running emulator, without doing it.
import { type Command, Option } from 'commander'
import { DEFAULT_STEPS, readSources } from '../../migrations/steps/step-files.ts'
import { emulatorOf, printAnswer, type RunningOptions, runningCommand } from '../running-options.ts'
import { rehearsalLines, rehearsalMarkdown } from './rehearse-report.ts'
import { groupOf } from './targets.ts'

interface RehearseOptions extends RunningOptions {
  readonly dir: string
  readonly group: string | undefined
  readonly tenants: string
  readonly markdown: boolean
}

export function rehearseCommand(): Command {
  return runningCommand(
    'rehearse',
    'run pending steps in the template and tenants and roll them back; ends with exit code 1 when one would fail',
  )
    .option('--dir <folder>', 'read the steps of this folder', DEFAULT_STEPS)
    .option('--group <group>', 'name the group by id or name (default: the only group)')
    .option('--tenants <which>', 'rehearse all, none or these tenants, comma-separated', 'all')
    .addOption(
      new Option('--markdown', 'print Markdown for a pull request')
        .default(false)
        .conflicts('json'),
    )
    .action(async (options: RehearseOptions) => {
      const emulator = emulatorOf(options)
      const report = await emulator.call('POST /groups/:group/migrations/rehearse', {
        params: { group: await groupOf(emulator, options.group) },
        body: { steps: [...readSources(options.dir)], tenants: tenantsOf(options) },
      })
      const words = options.markdown ? rehearsalMarkdown(report) : rehearsalLines(report)
      printAnswer(options, report, words)
      if (!report.ok) process.exitCode = 1
    })
}

function tenantsOf({ tenants }: RehearseOptions): 'all' | 'none' | string[] {
  return tenants === 'all' || tenants === 'none' ? tenants : tenants.split(',')
}
