// `tenantry env`: prints or writes the environment with which an application connects to a running emulator as one tenant.
import { appendFileSync, writeFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { connectionSettings } from '../../connection-settings.ts'
import type { ReadyLine } from '../../contract/addresses.ts'
import { writingTo } from '../../core/named-files.ts'
import { makePrivateFile } from '../../core/private-files.ts'
import {
  ENVIRONMENT_FORMATS,
  EnvironmentError,
  type EnvironmentFormat,
  maskCommands,
  renderEnvironment,
} from '../render-environment.ts'
import { type EmulatorAddress, emulatorOf, withAddress } from '../running-options.ts'

interface EnvOptions extends EmulatorAddress {
  readonly tenant: string | undefined
  readonly format: EnvironmentFormat
  readonly out: string | undefined
}

const HELP = `
Load it into a shell: eval "$(tenantry env --format shell)"
With --format github, later steps of the job get the variables, and the log hides the secrets.`

export function envCommand(): Command {
  return withAddress(new Command('env'))
    .description('print the addresses and keys of one tenant as environment variables')
    .option('--tenant <slug>', 'give the keys of this tenant (default: the first tenant)')
    .addOption(
      new Option('--format <format>', 'choose how the variables are written')
        .choices(ENVIRONMENT_FORMATS)
        .default('dotenv'),
    )
    .option('--out <file>', 'write to this file (default: standard output)')
    .addHelpText('after', HELP)
    .action(async ({ format, out, tenant, ...address }: EnvOptions) => {
      const ready = await emulatorOf(address).call('GET /info')
      requireTenant(ready, tenant)
      const settings = connectionSettings(ready, tenant)
      write(renderEnvironment(settings, format), format, out)
      if (format === 'github') process.stdout.write(maskCommands(settings))
    })
}

function requireTenant(ready: ReadyLine, tenant: string | undefined): void {
  const slugs = ready.groups.flatMap(({ tenants }) => tenants.map(({ slug }) => slug))
  if (tenant === undefined || slugs.includes(tenant)) return
  throw new EnvironmentError(
    'unknown_tenant',
    `There is no tenant ${JSON.stringify(tenant)}.`,
    slugs.length === 0 ? 'The emulator has no tenants.' : `There are: ${slugs.join(', ')}.`,
  )
}

// The runner of GitHub Actions reads the file named by GITHUB_ENV after each step.
function write(text: string, format: EnvironmentFormat, out: string | undefined): void {
  const given = process.env['GITHUB_ENV']
  if (out !== undefined)
    writingTo(out, () => {
      makePrivateFile(out)
      writeFileSync(out, text)
    })
  else if (format === 'github' && given !== undefined) appendFileSync(given, text)
  else process.stdout.write(text)
}
