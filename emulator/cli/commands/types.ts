// `tenantry types`: generates TypeScript types of a tenant's tables from a running emulator.
import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { writingTo } from '../../core/named-files.ts'
import { firstTenant } from '../first-tenant.ts'
import { type EmulatorAddress, emulatorOf, withAddress } from '../running-options.ts'
import { terminal } from '../terminal.ts'

interface TypesOptions extends EmulatorAddress {
  readonly project: string | undefined
  readonly out: string | undefined
}

export function typesCommand(): Command {
  return withAddress(new Command('types'))
    .description('write TypeScript types of a tenant’s tables for the client library')
    .option(
      '--project <slug>',
      'name the project: slug, schema name or id (default: the first tenant)',
    )
    .option('--out <file>', 'write to this file (default: standard output)')
    .action(async ({ out, project, ...address }: TypesOptions) => {
      const emulator = emulatorOf(address)
      const ref = project ?? (await firstTenant(emulator, '--project'))
      const types = await emulator.read('GET /projects/:ref/types', { params: { ref } })
      if (out === undefined) terminal().stdout.write(types)
      else writingTo(out, () => writeFileSync(out, types))
    })
}
