// The decision to restore a state, as a file in the data directory. The next start carries out a plan that a killed process
// left.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { RestoreMark } from '../../engine-states.ts'
import { decodeCopy, decodeName, decodeSchema, type KeptCopy, writeWhole } from './kept-copy.ts'

/** Replaces a project's database by a prepared one, which gets its name. */
export interface Replacement {
  readonly schemaName: SchemaName
  readonly from: KeptCopy
  /** The name that the present database gets. */
  readonly aside: string
}

/** Removes a project that is not part of the state. */
export interface Removal {
  readonly schemaName: SchemaName
  /** The name that the present database gets. */
  readonly aside: string
}

export interface RestorePlan {
  readonly replace: readonly Replacement[]
  readonly remove: readonly Removal[]
}

const PLANNED = 'restoring.json'
const DONE = 'restored.json'

/** Returns the record of restores for the server whose files are in `folder`. */
export function serverRestoreMark(folder: string): RestoreMark {
  return {
    isSet: () => existsSync(join(folder, PLANNED)) || existsSync(join(folder, DONE)),
    clear: () => rmSync(join(folder, DONE), { force: true }),
  }
}

/** Records the decision. After this call, the restore is carried out, now or at the next start. */
export function writePlan(folder: string, plan: RestorePlan): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeWhole(join(folder, PLANNED), JSON.stringify(plan))
}

/** Records that the plan was carried out. */
export function notePlanDone(folder: string): void {
  renameSync(join(folder, PLANNED), join(folder, DONE))
}

/** Withdraws a plan before any part of it was carried out. */
export function withdrawPlan(folder: string): void {
  rmSync(join(folder, PLANNED), { force: true })
}

/** Returns the plan that was decided but not carried out yet. @throws {TypeError} when the file is damaged */
export function readPlan(folder: string): RestorePlan | undefined {
  const file = join(folder, PLANNED)
  if (!existsSync(file)) return undefined
  const plan = parseJson(readFileSync(file, 'utf8'))
  const { remove, replace } = isJsonObject(plan) ? plan : {}
  if (!(Array.isArray(remove) && Array.isArray(replace))) throw new TypeError(`${file} is damaged`)
  return { replace: replace.map(decodeReplacement), remove: remove.map(decodeRemoval) }
}

function decodeReplacement(value: JsonValue): Replacement {
  const { schemaName, aside, from } = isJsonObject(value) ? value : {}
  return {
    schemaName: decodeSchema(schemaName),
    aside: decodeName(aside),
    from: decodeCopy(from),
  }
}

function decodeRemoval(value: JsonValue): Removal {
  const { schemaName, aside } = isJsonObject(value) ? value : {}
  return {
    schemaName: decodeSchema(schemaName),
    aside: decodeName(aside),
  }
}
