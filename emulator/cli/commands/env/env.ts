// `tenantry env`: prints or writes the environment with which an application connects to a running emulator.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ProjectConnection, ReadyLine } from '../../../contract/addresses.ts'
import { writingTo } from '../../../core/named-files.ts'
import { makePrivateFile } from '../../../core/private-files.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import { type EmulatorAddress, emulatorOf, withAddress } from '../../running-options.ts'
import {
  frontendSettings,
  type Settings,
  serverSettings,
  serverSettingsOfAll,
} from './env-settings.ts'
import { withOwnBlock } from './own-block.ts'
import {
  ENVIRONMENT_FORMATS,
  type EnvironmentFormat,
  maskCommands,
  renderEnvironment,
} from './render-environment.ts'

interface EnvOptions extends EmulatorAddress {
  readonly allTenants: boolean
  readonly tenant: string | undefined
  readonly prefix: string | undefined
  readonly format: EnvironmentFormat
  readonly out: string | undefined
}

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
        .choices(ENVIRONMENT_FORMATS)
        .default('dotenv'),
    )
    .option('--out <file>', 'write to this file (default: standard output)')
    .addHelpText('after', HELP)
    .action(async (options: EnvOptions) => {
      const settings = await settingsOf(emulatorOf(options), options)
      write(renderEnvironment(settings, options.format), options)
      if (options.format === 'github') process.stdout.write(maskCommands(settings))
    })
}

async function settingsOf(
  emulator: RunningEmulator,
  { allTenants, prefix, tenant }: EnvOptions,
): Promise<Settings> {
  const ready = await emulator.call('GET /info')
  const project = allTenants ? undefined : await projectOf(emulator, ready, tenant)
  if (prefix !== undefined) return frontendSettings(ready, prefix, project)
  return allTenants ? serverSettingsOfAll(ready) : serverSettings(ready, project)
}

/** Returns `undefined` when no project is named and there is no tenant. */
async function projectOf(
  emulator: RunningEmulator,
  { groups }: ReadyLine,
  slug: string | undefined,
): Promise<ProjectConnection | undefined> {
  const tenants = groups.flatMap((group) => group.tenants)
  if (slug === undefined) return tenants[0]
  return (
    tenants.find((tenant) => tenant.slug === slug) ??
    (await emulator.call('GET /projects/:ref/connection', { params: { ref: slug } }))
  )
}

function parsePrefix(prefix: string): string {
  if (/^[A-Za-z_]\w*$/.test(prefix)) return prefix
  throw new InvalidArgumentError('It needs letters, digits and underscores, e.g. NEXT_PUBLIC_.')
}

// The runner of GitHub Actions reads the file named by GITHUB_ENV after each step. Neither this file nor JSON has comments.
function write(text: string, { format, out, prefix }: EnvOptions): void {
  const given = process.env['GITHUB_ENV']
  if (out === undefined) {
    if (format === 'github' && given !== undefined) appendFileSync(given, text)
    else process.stdout.write(text)
    return
  }
  const label = prefix === undefined ? 'tenantry env' : `tenantry env --prefix ${prefix}`
  const hasBlock = format === 'dotenv' || format === 'shell'
  writingTo(out, () => {
    const before = existsSync(out) ? readFileSync(out, 'utf8') : ''
    const after = hasBlock ? withOwnBlock(before, label, text) : text
    makePrivateFile(out)
    // Development servers restart when a file of variables is written.
    if (after !== before) writeFileSync(out, after)
  })
}
