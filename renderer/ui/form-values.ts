// Values between forms and orders: choices from a table of labels, JSON objects, whole numbers. Pure.
import type { Option } from './select.tsx'

/** The members of a closed set, from its labels. A `Record` over the set fails to compile when a member lacks its label. */
export function membersOf<Member extends string>(
  labels: Readonly<Record<Member, unknown>>,
): readonly Member[] {
  return Object.keys(labels) as Member[]
}

/** A choice for each member of a closed set. */
export function optionsOf<Member extends string>(
  labels: Readonly<Record<Member, string>>,
): readonly Option<Member>[] {
  return membersOf(labels).map((value) => ({ value, label: labels[value] }))
}

/** A choice for each member of a closed set whose members are shown as they are. */
export function plainOptionsOf<Member extends string>(
  members: readonly Member[],
): readonly Option<Member>[] {
  return members.map((value) => ({ value, label: value }))
}

export const NOT_A_JSON_OBJECT = 'Enter a JSON object, for example {"key": "value"}.'

/** The JSON object in a field: `{}` when the field is empty, `undefined` when it holds anything else. */
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

/** `1 tenant`, `2,000 tenants`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
