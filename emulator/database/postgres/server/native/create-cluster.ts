// Creates the cluster of the native server with initdb, or checks that the installed server can run an existing one.
import { execFile } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ServerError } from '../running-server.ts'
import type { NativeServer } from './find-native-server.ts'
import type { ServerAccount } from './server-account.ts'
import { CLUSTER_OPTIONS } from './server-settings.ts'

/** The platform's account on a native server, a superuser. */
export const PLATFORM_ACCOUNT = 'tenantry'

export interface NewCluster {
  readonly server: NativeServer
  /** Folder that will hold the cluster's folder. */
  readonly folder: string
  readonly password: string
  readonly account: ServerAccount | undefined
}

const run = promisify(execFile)

/**
 * Returns the cluster's folder. A crash during initdb leaves a draft, which the next call replaces.
 * @throws {ServerError} server_not_started when initdb fails
 */
export async function ensureCluster(cluster: NewCluster): Promise<string> {
  const path = clusterOf(cluster.folder)
  if (existsSync(join(path, 'PG_VERSION'))) return path
  const draft = `${path}.draft`
  rmSync(draft, { recursive: true, force: true })
  await initialise(cluster, draft)
  rmSync(path, { recursive: true, force: true })
  renameSync(draft, path)
  return path
}

/** The cluster's folder inside the server's folder. */
export function clusterOf(folder: string): string {
  return join(folder, 'cluster')
}

/** The major version that created the cluster. */
export function clusterVersion(cluster: string): number {
  return Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10)
}

/** The environment of PostgreSQL's programs, without the variables that would change their settings. */
export function serverEnvironment({ libraries }: NativeServer): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    LD_LIBRARY_PATH: libraries,
    DYLD_LIBRARY_PATH: libraries,
  }
}

async function initialise(
  { server, folder, password, account }: NewCluster,
  draft: string,
): Promise<void> {
  const passwordFile = join(folder, 'password.draft')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(draft, { mode: 0o700 })
  if (account !== undefined)
    for (const path of [passwordFile, draft]) chownSync(path, account.uid, account.gid)
  try {
    await run(
      server.initdb,
      [
        `--pgdata=${draft}`,
        `--username=${PLATFORM_ACCOUNT}`,
        `--pwfile=${passwordFile}`,
        ...CLUSTER_OPTIONS,
      ],
      {
        env: serverEnvironment(server),
        cwd: draft,
        ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
      },
    )
  } catch (cause) {
    throw new ServerError(
      'server_not_started',
      `PostgreSQL could not create its cluster in ${draft}: ${complaintOf(cause)}`,
      { cause },
    )
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

// The last line of initdb's output names the failure; without output the program itself did not run.
function complaintOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const output = 'stderr' in cause ? String(cause.stderr).trim() : ''
  return output === ''
    ? cause.message
    : (output.split('\n').findLast((line) => line.includes('error')) ?? output)
}
