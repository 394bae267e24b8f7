// Finds PostgreSQL 18's client programs: on the system, or unpacked by scripts/postgres-client-18.sh.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../emulator/core/package-files.ts'

/** Folder of the programs; `undefined` when this machine has none. */
export const CLIENT_18 = [
  '/usr/lib/postgresql/18/bin',
  packageFile('.cache', 'postgres-client-18', 'bin'),
].find((folder) => existsSync(join(folder, 'pg_dump')))

/** A part of the title of skipped tests. */
export const CLIENT_18_HINT =
  CLIENT_18 === undefined ? ' (skipped: no pg_dump 18 here; "scripts/postgres-client-18.sh")' : ''

export type ClientProgram = 'pg_dump' | 'pg_restore' | 'psql'

export interface ClientOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

export function runClient18(
  program: ClientProgram,
  args: readonly string[],
  input = '',
): Promise<ClientOutcome> {
  return new Promise((resolve) => {
    const child = execFile(
      join(CLIENT_18 ?? '', program),
      [...args],
      { env: { ...process.env, PAGER: 'cat', LC_ALL: 'C.UTF-8' }, maxBuffer: 64 << 20 },
      (error, out, err) => {
        const code = typeof error?.code === 'number' ? error.code : 0
        resolve({ code, out, err })
      },
    )
    child.stdin?.end(input)
  })
}
