// `tenantry types`: TypeScript types of a tenant's tables, from a running emulator.
import { writeFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { reachEmulator } from '../running-emulator.ts'
import { DEFAULT_PORT } from './start.ts'

interface TypesOptions {
  readonly url: string
  readonly adminToken: string | undefined
  readonly project: string
  readonly out: string | undefined
}

export function typesCommand(): Command {
  return new Command('types')
    .description('write TypeScript types of a tenant’s tables, for the reference client')
    .requiredOption('--project <slug>', 'whose tables: slug, schema name or id')
    .option('--out <file>', 'where to write them, instead of standard output')
    .addOption(
      new Option('--url <url>', 'where the emulator runs')
        .env('TENANTRY_AUTH_URL')
        .default(`http://127.0.0.1:${DEFAULT_PORT}`),
    )
    .option('--admin-token <token>', 'the one the emulator was started with, if it was')
    .action(async ({ adminToken, out, project, url }: TypesOptions) => {
      const emulator = reachEmulator(url, adminToken)
      const types = await emulator.read('GET /projects/:ref/types', { params: { ref: project } })
      if (out === undefined) process.stdout.write(types)
      else writeFileSync(out, types)
    })
}
