// PostgreSQL refuses to run as root. When Tenantry runs as root, the server runs as another account, which needs access to the
// server's programs and folder.
// cspell:ignore nobody
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ServerError } from '../running-server.ts'

export interface ServerAccount {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Accounts in the order of preference. Every Unix has the last one. */
const ACCOUNTS = ['postgres', '_postgres', 'nobody'] as const
const OTHERS_PASS = 0o001
const GROUP_PASSES = 0o010
const OWNER_PASSES = 0o100

/**
 * Returns the account for the server, or `undefined` when Tenantry's own account runs it. An existing cluster belongs to an
 * account already.
 * @throws {ServerError} server_not_started when root finds no other account
 */
export function findServerAccount(cluster: string): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = ownerOf(cluster)
  if (owner !== undefined) return owner
  for (const name of ACCOUNTS) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== undefined && gid !== undefined && uid !== 0) return { name, uid, gid }
  }
  throw new ServerError(
    'server_not_started',
    'PostgreSQL does not run as root, and this machine has no account "postgres" or "nobody".',
    { hint: 'Run Tenantry as another user, or name a server with --database-url.' },
  )
}

/**
 * Lets the account pass through folders that belong to Tenantry. The account's group gets the right to pass, and not the right
 * to list or read.
 */
export function letPass({ uid, gid }: ServerAccount, folders: readonly string[]): void {
  for (const folder of folders) {
    if (passes({ uid, gid }, folder)) continue
    chownSync(folder, statSync(folder).uid, gid)
    chmodSync(folder, (statSync(folder).mode & 0o7777) | GROUP_PASSES)
  }
}

/**
 * Checks that the account reaches `path`.
 * @throws {ServerError} server_not_started with the folder that stops the account
 */
export function requireWay(account: ServerAccount, path: string): void {
  const folders: string[] = []
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    folders.unshift(folder)
  const closed = folders.find((folder) => !passes(account, folder))
  if (closed === undefined) return
  throw new ServerError(
    'server_not_started',
    `PostgreSQL does not run as root, and the account ${account.name} may not pass ${closed} on the way to ${path}.`,
    {
      hint: `Run Tenantry as another user, run "chmod o+x ${closed}", or move the data directory and packages elsewhere.`,
    },
  )
}

function passes({ uid, gid }: Pick<ServerAccount, 'uid' | 'gid'>, folder: string): boolean {
  const stat = statSync(folder)
  if (stat.uid === uid) return (stat.mode & OWNER_PASSES) !== 0
  if (stat.gid === gid) return (stat.mode & GROUP_PASSES) !== 0
  return (stat.mode & OTHERS_PASS) !== 0
}

function ownerOf(cluster: string): ServerAccount | undefined {
  const stat = statSync(cluster, { throwIfNoEntry: false })
  if (stat === undefined || stat.uid === 0) return undefined
  return { name: `with the number ${stat.uid}`, uid: stat.uid, gid: stat.gid }
}

function idOf(option: '-u' | '-g', name: string): number | undefined {
  try {
    const text = execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' })
    return Number.parseInt(text, 10)
  } catch {
    return undefined
  }
}
