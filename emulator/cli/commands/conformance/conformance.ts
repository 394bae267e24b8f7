// `tenantry conformance`: checks a platform against the rules of docs/wire (docs/guide/conformance.md).
import { Command, Option } from 'commander'
import { parseNames } from '../../parse-options.ts'
import { withAdminToken } from '../../running-options.ts'
import { withTargetOptions } from '../../target-options.ts'
import { terminal } from '../../terminal.ts'
import type { ConformanceOptions } from './run-conformance-command.ts'

const NOTES = `
Exit codes: 0 no rule failed, 1 a rule failed or the throw-away group was not removed.

Without --write, the command sends requests that read, and requests that the contract refuses. With --write, it creates a group
with its own template and tenants, works in them, and removes them at the end. With --in-group, it creates tenants in the given
group, and purges them. Use a group without other tenants, whose template has no tables.

Credentials are read from the environment, and never printed. A missing one skips the rules that need it:
  TENANTRY_ANON_KEY               key of a tenant
  TENANTRY_SERVICE_ROLE_KEY       server-side key of this tenant
  TENANTRY_GROUP_ID               a group, as --group
  TENANTRY_REMOTE_GROUP_API_KEY   key of this group (or TENANTRY_GROUP_API_KEY)
  TENANTRY_REMOTE_SESSION_TOKEN   session of the dashboard (or TENANTRY_DEV_EMAIL and TENANTRY_DEV_PASSWORD)
An emulator without --admin-token names its credentials itself.`

export function conformanceCommand(): Command {
  const own = new Command('conformance').description(
    'check a platform against every rule of the wire contract',
  )
  const command = withTargetOptions(own, {
    storage: 'the auth address with "storage." for "auth."',
    realtime: 'the auth address with "realtime." for "auth."',
  })
    .option('--group <id>', 'check this group (default: TENANTRY_GROUP_ID)')
    .option('--write', 'also check what changes data, in a throw-away group', false)
    .option('--in-group', 'as --write, with tenants in the group of --group', false)
    .addOption(
      new Option('--only <rules>', 'check these pages or rules, e.g. auth.md,storage.md#upload')
        .argParser(parseNames)
        .default([], 'all'),
    )
    .option('--json', 'print the result as JSON', false)
    .option('--junit <file>', 'write the result to this file as JUnit XML (default: no file)')
  return withAdminToken(command)
    .addHelpText('after', NOTES)
    .action(async (options: ConformanceOptions) => {
      const { runConformanceCommand } = await import('./run-conformance-command.ts')
      terminal().exitCode = await runConformanceCommand(options)
    })
}
