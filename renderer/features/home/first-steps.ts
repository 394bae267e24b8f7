// Lines for a terminal that work as they are, and how they show: keys shortened. Pure.
import type { ReadyGroup, ReadyLine, ReadyTenant } from '../../../emulator/contract/addresses.ts'
import type { Step } from './home-search.ts'

export interface StepLine {
  readonly title: string
  readonly explanation: string
  /** Whole, with keys. */
  readonly command: string
  /** The same with keys shortened. */
  readonly shown: string
}

export interface StepWorld {
  readonly info: ReadyLine
  readonly group: ReadyGroup
  readonly tenant: ReadyTenant
  /** A table of the tenant; `undefined` when it has none. */
  readonly table: string | undefined
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
    'The server side sees every row; with the anon key in its place the policies decide.',
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
    'Act as a user',
    'Answers with a token that acts as the user, without a password.',
    [],
    `curl "${info.auth_url}/_emulator/v1/principals" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ project: tenant.slug, ...who })}'`,
  )
}

function tenantLine({ info, group }: StepWorld): StepLine {
  return line(
    'Provision a tenant',
    'A new customer: schema, roles, tables, policies and keys in well under a second.',
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
    'Send a code',
    'Nothing is sent: the code lies in the mailbox the same moment.',
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
