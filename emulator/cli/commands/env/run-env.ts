// Runs `tenantry env`: chooses the variables of one project or of all tenants, and writes them. The variables are for programs
// on a server, or for code that browsers load.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
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

/** Returns the named project, or the first tenant. Returns `undefined` when no project is named and no tenant exists. */
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

/**
 * Returns the variables for code in a browser: addresses, names and the public key, but no secret. Their names begin with
 * `prefix`.
 * @param project the project, or `undefined` for all tenants
 */
function frontendSettings(
  ready: ReadyLine,
  prefix: string,
  project: ProjectConnection | undefined,
): Settings {
  const settings = {
    AUTH_URL: ready.auth_url,
    DATA_URL: ready.data_url,
    STORAGE_URL: ready.storage_url,
    REALTIME_URL: ready.realtime_url,
    ...(project === undefined
      ? { TENANTS: tenantsText(ready, publicFacts) }
      : {
          PROJECT: project.slug,
          SCHEMA: project.schema_name,
          ANON_KEY: project.anon_key,
          BUCKETS: JSON.stringify(bucketsOf(project)),
        }),
  }
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`${prefix}TENANTRY_${name}`, value]),
  )
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

/** Returns all tenants in one variable, because bundlers replace only variables whose full name is in the code. */
function tenantsText(
  { groups }: ReadyLine,
  factsOf: (tenant: ReadyTenant, group: ReadyGroup) => object,
): string {
  return JSON.stringify(
    Object.fromEntries(
      groups.flatMap((group) =>
        group.tenants.map((tenant) => [tenant.slug, factsOf(tenant, group)]),
      ),
    ),
  )
}

function publicFacts(project: ProjectConnection) {
  const { anon_key, schema_name: schema } = project
  return { schema, anon_key, buckets: bucketsOf(project) }
}

/** Full names of buckets by their short names. Requests need the full name (docs/wire/storage.md#buckets). */
function bucketsOf({ buckets, schema_name: schema }: ProjectConnection): Settings {
  return Object.fromEntries(buckets.map((name) => [name.slice(schema.length + 1), name]))
}
