// Converts form values: options from a table of labels, JSON objects, counts. Pure.
import type { Option } from './select.tsx'

/** Returns the keys of a label table, typed as a closed set. A `Record` over the set does not compile when a label is missing. */
export function membersOf<Member extends string>(
  labels: Readonly<Record<Member, unknown>>,
): readonly Member[] {
  return Object.keys(labels) as Member[]
}

/** Returns a select option for each member of a closed set. */
export function optionsOf<Member extends string>(
  labels: Readonly<Record<Member, string>>,
): readonly Option<Member>[] {
  return membersOf(labels).map((value) => ({ value, label: labels[value] }))
}

/** Returns a select option for each member, with the member itself as the label. */
export function plainOptionsOf<Member extends string>(
  members: readonly Member[],
): readonly Option<Member>[] {
  return members.map((value) => ({ value, label: value }))
}

export const NOT_A_JSON_OBJECT = 'Enter a JSON object, for example {"key": "value"}.'

/** Parses a field as a JSON object. Returns `{}` for an empty field and `undefined` for anything else. */
export function jsonObjectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

/** A count with its noun: `1 tenant`, `2,000 tenants`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
