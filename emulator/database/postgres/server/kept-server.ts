// The file in the data directory with what belongs to its server: passwords, the port, and the prefix of databases.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IdSource } from '../../../core/id-source.ts'
import { isJsonObject, parseJson } from '../../../core/json.ts'

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
 * @throws {Error} when the folder cannot be written
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

/** The bytes of the secret. */
export function secretBytes({ secret }: KeptServer): Uint8Array {
  return new Uint8Array(Buffer.from(secret, 'base64url'))
}

function write(folder: string, kept: KeptServer): void {
  writeFileSync(join(folder, NAME), `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 })
}

function read(folder: string): KeptServer | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, NAME), 'utf8')
  } catch {
    return undefined
  }
  const value = parseJson(text)
  if (!isJsonObject(value)) return undefined
  const { secret, prefix, password, port } = value
  if (typeof secret !== 'string' || typeof prefix !== 'string' || typeof password !== 'string')
    return undefined
  return { secret, prefix, password, port: typeof port === 'number' ? port : undefined }
}
