// Builds example commands. Each command has a version that runs, and a version with shortened keys for the screen.
// Pure.
import type { ReadyGroup, ReadyLine, ReadyTenant } from '../../../emulator/contract/addresses.ts'
import type { Step } from './home-search.ts'

export interface StepLine {
  readonly title: string
  readonly explanation: string
  /** The command with complete keys, for the clipboard. */
  readonly command: string
  /** The command with shortened keys, for the screen. */
  readonly shown: string
}

export interface StepWorld {
  readonly info: ReadyLine
  readonly group: ReadyGroup
  readonly tenant: ReadyTenant
  /** The first table of the tenant, or `undefined` when the tenant has no tables. */
  readonly table: string | undefined
}

/** Finds a tenant by slug, with its group. */
export function tenantIn(
  { groups }: ReadyLine,
  slug: string | undefined,
): Pick<StepWorld, 'group' | 'tenant'> | undefined {
  for (const group of groups)
    for (const tenant of group.tenants) if (tenant.slug === slug) return { group, tenant }
  return undefined
}

export function stepLine(step: Step, world: StepWorld): StepLine {
  switch (step) {
    case 'rows':
      return rowsLine(world)
    case 'identity':
      return identityLine(world)
    case 'tenant':
      return tenantLine(world)
    case 'code':
      return codeLine(world)
  }
}

function rowsLine({ info, tenant, table }: StepWorld): StepLine {
  return line(
    'Read rows',
    'The service_role key reads every row. Policies decide which rows the anon key reads.',
    [tenant.anon_key, tenant.service_role_key],
    `curl "${info.data_url}/${table ?? ''}?limit=5" \\
  -H "Accept-Profile: ${tenant.schema_name}" \\
  -H "apikey: ${tenant.anon_key}" \\
  -H "Authorization: Bearer ${tenant.service_role_key}"`,
  )
}

function identityLine({ info, tenant }: StepWorld): StepLine {
  const user = tenant.users[0]
  const who = user === undefined ? { role: 'anon' } : { role: 'authenticated', user: user.email }
  return line(
    'Sign in as a user',
    'Returns a token that acts as the user, without a password.',
    [],
    `curl "${info.auth_url}/_emulator/v1/principals" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ project: tenant.slug, ...who })}'`,
  )
}

function tenantLine({ info, group }: StepWorld): StepLine {
  return line(
    'Provision tenant',
    'Creates a schema, roles, tables, policies and keys for a new customer.',
    [group.group_api_key],
    `curl "${info.auth_url}/groups/v1/${group.id}/tenants" \\
  -H "Authorization: Bearer ${group.group_api_key}" \\
  -H "Content-Type: application/json" \\
  -d '{"slug":"new_customer"}'`,
  )
}

function codeLine({ info, tenant }: StepWorld): StepLine {
  const email = tenant.users[0]?.email ?? 'person@example.test'
  return line(
    'Send code',
    'Creates a sign-in code. No message is sent: the code appears in the mailbox at once.',
    [tenant.anon_key],
    `curl "${info.auth_url}/auth/v1/otp/send" \\
  -H "apikey: ${tenant.anon_key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ email, channel: 'email' })}'`,
  )
}

function line(
  title: string,
  explanation: string,
  secrets: readonly string[],
  command: string,
): StepLine {
  const shown = secrets.reduce(
    (text, secret) => (secret === '' ? text : text.replaceAll(secret, `${secret.slice(0, 10)}…`)),
    command,
  )
  return { title, explanation, command, shown }
}
