// `tenantry env`: prints or writes the environment with which an application connects to a running emulator.
import { Command, InvalidArgumentError, Option } from 'commander'
import { withAddress } from '../../running-options.ts'
import type { EnvironmentFormat } from './render-environment.ts'
import type { EnvOptions } from './run-env.ts'

const FORMATS: readonly EnvironmentFormat[] = ['dotenv', 'json', 'shell', 'github']

const HELP = `
Load it into a shell: eval "$(tenantry env --format shell)"
For a frontend: tenantry env --prefix VITE_ --out .env.local
With --out, the formats dotenv and shell replace only their own block of the file, one for each prefix.
With --format github, later steps of the job get the variables, and the log hides the secrets.`

export function envCommand(): Command {
  return withAddress(new Command('env'))
    .description('print addresses and keys as environment variables')
    .option(
      '--tenant <slug>',
      'give the keys of this tenant, template or project (default: the first tenant)',
    )
    .addOption(
      new Option('--all-tenants', 'give the keys of all tenants as one JSON variable')
        .default(false)
        .conflicts('tenant'),
    )
    .option(
      '--prefix <prefix>',
      'begin the names with it, e.g. VITE_, and give only what a frontend may know (default: none)',
      parsePrefix,
    )
    .addOption(
      new Option('--format <format>', 'choose how the variables are written')
        .choices(FORMATS)
        .default('dotenv'),
    )
    .option('--out <file>', 'write to this file (default: standard output)')
    .addHelpText('after', HELP)
    .action(async (options: EnvOptions) => {
      const { runEnv } = await import('./run-env.ts')
      await runEnv(options)
    })
}

function parsePrefix(prefix: string): string {
  if (/^[A-Za-z_]\w*$/.test(prefix)) return prefix
  throw new InvalidArgumentError('It needs letters, digits and underscores, e.g. NEXT_PUBLIC_.')
}
