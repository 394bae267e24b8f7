// The file in the data directory with the facts about its server: passwords, the port, and the prefix of databases.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IdSource } from '../../../core/id-source.ts'
import { isJsonObject, parseJson } from '../../../core/json.ts'
import { ServerError } from './running-server.ts'

export interface KeptServer {
  /** Base64url text of 32 bytes. The passwords of the projects' logins derive from them. */
  readonly secret: string
  /** Distinguishes this data directory's databases from others on a given server. */
  readonly prefix: string
  /** Password of the platform's account on a native server. */
  readonly password: string
  /** The loopback port of a native server, once it has one. */
  readonly port: number | undefined
}

const NAME = 'server.json'
const PREFIX_LENGTH = 6

/**
 * Reads the file, or creates it with new secrets. Only the account of the emulator can read it.
 * @throws {ServerError} server_refused when the file is damaged
 */
export function keepServer(folder: string, ids: IdSource): KeptServer {
  const kept = read(folder)
  if (kept !== undefined) return kept
  const created: KeptServer = {
    secret: ids.secret(''),
    prefix: `${ids.id('t').slice(0, 1 + PREFIX_LENGTH)}_`,
    password: ids.secret(''),
    port: undefined,
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  write(folder, created)
  return created
}

/** Remembers the port, so that addresses in settings of other programs stay valid. */
export function keepPort(folder: string, kept: KeptServer, port: number): void {
  if (kept.port !== port) write(folder, { ...kept, port })
}

export function secretBytes({ secret }: KeptServer): Uint8Array {
  return new Uint8Array(Buffer.from(secret, 'base64url'))
}

// Replaces the file with a rename, so that a crash leaves the old or the new file. Without the password in the file, the cluster
// would be lost.
function write(folder: string, kept: KeptServer): void {
  const path = join(folder, NAME)
  const draft = `${path}.draft`
  writeFileSync(draft, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

function read(folder: string): KeptServer | undefined {
  const path = join(folder, NAME)
  if (!existsSync(path)) return undefined
  const value = parseJson(readFileSync(path, 'utf8'))
  const { secret, prefix, password, port } = isJsonObject(value) ? value : {}
  if (typeof secret !== 'string' || typeof prefix !== 'string' || typeof password !== 'string')
    throw new ServerError(
      'server_refused',
      `${path} is damaged. It has the passwords of the server.`,
      {
        hint: 'Restore the file from a copy, or delete the data directory.',
      },
    )
  return { secret, prefix, password, port: typeof port === 'number' ? port : undefined }
}
