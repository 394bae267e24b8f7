// Runs `tenantry env`: chooses the variables of one project or of all tenants, and writes them. The variables are for programs
// on a server, or for code that browsers load.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  frontendSettings,
  projectOf,
  publicFacts,
  tenantsText,
} from '../../../assembly/frontend-settings.ts'
import {
  connectionSettings,
  projectSettings,
} from '../../../assembly/library/connection-settings.ts'
import type {
  ProjectConnection,
  ReadyGroup,
  ReadyLine,
  ReadyTenant,
} from '../../../contract/addresses.ts'
import { writingTo } from '../../../core/named-files.ts'
import { makePrivateFile } from '../../../core/private-files.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import { type EmulatorAddress, emulatorOf } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import {
  type EnvironmentFormat,
  maskCommands,
  renderEnvironment,
  type Settings,
  withOwnBlock,
} from './render-environment.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface EnvOptions extends EmulatorAddress {
  readonly allTenants: boolean
  readonly tenant: string | undefined
  readonly prefix: string | undefined
  readonly format: EnvironmentFormat
  readonly out: string | undefined
}

/** Prints the variables or writes them into a file. @throws {EmulatorError} */
export async function runEnv(options: EnvOptions): Promise<void> {
  const settings = await settingsOf(emulatorOf(options), options)
  write(renderEnvironment(settings, options.format), options)
  if (options.format === 'github') terminal().stdout.write(maskCommands(settings))
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

// The runner of GitHub Actions reads the file named by GITHUB_ENV after each step. That file and JSON cannot contain comments, so
// they get no block with marks.
function write(text: string, { format, out, prefix }: EnvOptions): void {
  const given = process.env['GITHUB_ENV']
  if (out === undefined) {
    if (format === 'github' && given !== undefined) appendFileSync(given, text)
    else terminal().stdout.write(text)
    return
  }
  const label = prefix === undefined ? 'tenantry env' : `tenantry env --prefix ${prefix}`
  const hasBlock = format === 'dotenv' || format === 'shell'
  writingTo(out, () => {
    const before = existsSync(out) ? readFileSync(out, 'utf8') : ''
    const after = hasBlock ? withOwnBlock(before, label, text) : text
    makePrivateFile(out)
    // Writes only a changed text, because development servers restart when a file of variables is written.
    if (after !== before) writeFileSync(out, after)
  })
}

/** Returns addresses and keys of one project, secrets included. A tenant also has its group's id and key. */
function serverSettings(ready: ReadyLine, project: ProjectConnection | undefined): Settings {
  const isTenant = ready.groups.some(({ tenants }) =>
    tenants.some(({ project_id }) => project_id === project?.project_id),
  )
  if (project === undefined || isTenant) return connectionSettings(ready, project?.slug)
  return { ...connectionSettings({ ...ready, groups: [] }), ...projectSettings(project) }
}

/** Returns addresses and the keys of all tenants, secrets included. */
function serverSettingsOfAll(ready: ReadyLine): Settings {
  const secretFacts = (tenant: ReadyTenant, group: ReadyGroup) => ({
    ...publicFacts(tenant),
    service_role_key: tenant.service_role_key,
    group_id: group.id,
    group_api_key: group.group_api_key,
    postgres_url: tenant.postgres_url,
  })
  return {
    ...connectionSettings({ ...ready, groups: [] }),
    TENANTRY_TENANTS: tenantsText(ready, secretFacts),
  }
}
