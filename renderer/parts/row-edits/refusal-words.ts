// Explains in plain words why Postgres refused a value that the user typed. Pure.
import type { SqlRefusal } from '../../api/client.ts'
import { shortType } from '../short-type.ts'

/** The column in which the user typed the value, and the value. */
export interface TypedValue {
  readonly column: string
  readonly type: string
  readonly value: string | null
}

/**
 * Explains the refusal. Uses Postgres's own message when its SQLSTATE has no plain words, as for an exception of a trigger.
 * @param message the message of the error response
 */
export function refusalWords(
  sql: SqlRefusal | undefined,
  message: string,
  typed: TypedValue | undefined,
): string {
  return (sql && plainWords(sql, typed)) ?? withoutPath(message)
}

/**
 * Explains that another client has changed the cell.
 * @param now the cell's present value, as the editor shows it
 * @param seen the value that the user saw. The sentence has the part of a long value that differs from it
 */
export function changedWords(now: string | null, seen: string | null): string {
  return `The cell has changed since you saw it: it is now ${presentValue(now, seen ?? '')}. Your value was not written.`
}

function presentValue(now: string | null, seen: string): string {
  if (now === null) return 'null'
  if (now.trim() === '') return 'an empty text'
  let different = 0
  while (different < now.length && now[different] === seen[different]) different += 1
  const from = different - LONGEST / 2
  return quoted(now.length <= LONGEST || from <= 0 ? now : `…${now.slice(from)}`)
}

function plainWords(sql: SqlRefusal, typed: TypedValue | undefined): string | undefined {
  const { state, details, constraint } = sql
  const value = typed?.value == null ? 'The value' : quoted(typed.value)
  const type = typed === undefined ? 'its type' : shortType(typed.type)
  switch (state) {
    case '22P02':
    case '22007':
      return `${value} is not a valid ${type}.`
    case '22003':
    case '22008':
      return `${value} is out of range for ${type}.`
    case '22001':
      return `The text is too long for ${type}.`
    case '23502':
      return `${sql.column ?? typed?.column ?? 'The column'} cannot be null.`
    case '23503':
      return foreignKeyWords(details)
    case '23505':
      return `Another row already has ${pairOf(details) ?? 'this value'}.`
    case '23514':
      return `The check ${constraint ?? 'constraint'} does not accept ${typed === undefined ? 'the row' : value}.`
    case '23P01':
      return `The row conflicts with another row (${constraint ?? 'exclusion constraint'}).`
    case '428C9':
      return `${typed?.column ?? 'The column'} is generated. Postgres computes its value.`
    default:
      return undefined
  }
}

// Postgres's details: `Key (room_id)=(9) is not present in table "rooms".` or `Key (id)=(1) is still referenced from …`.
function foreignKeyWords(details: string | undefined): string {
  const table = /table "(.+)"/.exec(details ?? '')?.[1] ?? 'the referenced table'
  if (details?.includes('still referenced') === true)
    return `Rows of ${table} still reference ${pairOf(details) ?? 'this value'}.`
  const value = /=\((.*)\) is not present/.exec(details ?? '')?.[1]
  return `${table} has no row ${value ?? 'with this value'}.`
}

function pairOf(details: string | undefined): string | undefined {
  const [, names, values] = /^Key \((.+?)\)=\((.*?)\) /.exec(details ?? '') ?? []
  return names === undefined ? undefined : `${names} = ${values}`
}

/** The longest value to repeat in a sentence. */
const LONGEST = 40

function quoted(value: string): string {
  const bare = value.trim()
  if (bare === '') return 'An empty text'
  return `“${bare.length > LONGEST ? `${bare.slice(0, LONGEST)}…` : bare}”`
}

// The emulator's message begins with the path of the value in the request, which the user has not written.
function withoutPath(message: string): string {
  return message.replace(/^edits\.\d+\.\S+?: /, '')
}
