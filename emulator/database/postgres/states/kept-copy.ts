// A copy of a project's database that belongs to saved states, and the file in a state's folder that lists its copies.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { type SchemaName, trusted } from '../../../core/names.ts'

/** A role by its name when the copy was made, and by its oid, which does not change when the role is renamed. */
export interface KeptRole {
  readonly name: string
  readonly oid: string
}

/** No session can be opened in a copy, so that it never changes. */
export interface KeptCopy {
  readonly database: string
  /** Distinguishes the copy from a later database of the same name. */
  readonly oid: string
  /** The roles of the project. */
  readonly roles: readonly KeptRole[]
  /** The comment of the project's database: the version of the platform's objects in it (projects/). */
  readonly comment: string
}

export type CopiesByProject = ReadonlyMap<SchemaName, KeptCopy>

const FILE = 'databases.json'

/** Writes the list of a state's copies into its folder. */
export function writeCopies(folder: string, copies: CopiesByProject): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeWhole(join(folder, FILE), JSON.stringify(Object.fromEntries(copies)))
}

/** Returns `undefined` when the folder has no such list. @throws {TypeError} when the list is damaged */
export function readCopies(folder: string): CopiesByProject | undefined {
  const file = join(folder, FILE)
  if (!existsSync(file)) return undefined
  const value = parseJson(readFileSync(file, 'utf8'))
  if (!isJsonObject(value)) throw new TypeError(`${file} is damaged`)
  return new Map(
    Object.entries(value).map(([name, copy]) => [decodeSchema(name), decodeCopy(copy)]),
  )
}

/** @throws {TypeError} for a value that `writeCopies` has not written */
export function decodeCopy(value: JsonValue | undefined): KeptCopy {
  const { comment, database, oid, roles } = isJsonObject(value) ? value : {}
  return {
    database: decodeName(database),
    oid: decodeOid(oid),
    comment: String(comment),
    roles: (Array.isArray(roles) ? roles : []).map((role: JsonValue) => ({
      name: decodeName(isJsonObject(role) ? role['name'] : undefined),
      oid: decodeOid(isJsonObject(role) ? role['oid'] : undefined),
    })),
  }
}

/**
 * Returns the name of a database or role. The platform's names need no quotes. @throws {TypeError} for a name that needs quotes
 */
export function decodeName(value: JsonValue | undefined): string {
  if (typeof value === 'string' && /^[a-z\d_]{1,63}$/.test(value)) return value
  throw new TypeError(`the list of a saved state names ${JSON.stringify(value)}`)
}

/** Returns the name of a project's schema. Also accepts the longer names of prepared clones' schemas. @throws {TypeError} */
export function decodeSchema(value: JsonValue | undefined): SchemaName {
  const name = decodeName(value)
  if (name.startsWith('proj_')) return trusted.schemaName(name)
  throw new TypeError(`the list of a saved state names the project ${JSON.stringify(value)}`)
}

function decodeOid(value: JsonValue | undefined): string {
  if (typeof value === 'string' && /^\d{1,10}$/.test(value)) return value
  throw new TypeError(`the list of a saved state has the oid ${JSON.stringify(value)}`)
}

/** Writes a file so that it is complete or absent after a crash of the process. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.draft`, text, { mode: 0o600 })
  renameSync(`${file}.draft`, file)
}
