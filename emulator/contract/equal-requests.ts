// Groups the differences of a comparison for people: equal differences of equal requests are shown once. Pure.
import type { ComparedDifference } from './comparisons.ts'

export interface EqualRequests {
  /** Numbers of the requests in the recording, ascending. */
  readonly requests: readonly number[]
  /** The differences of the first one. All others have the same. */
  readonly differences: readonly ComparedDifference[]
}

/** Groups by request, and joins requests of the same sender with the same address and the same differences. */
export function equalRequests(
  differences: readonly ComparedDifference[],
): readonly EqualRequests[] {
  const requests = [...Map.groupBy(differences, ({ request }) => request).values()]
  const equal = Map.groupBy(requests, (found) =>
    JSON.stringify(found.map((one) => ({ ...one, request: 0 }))),
  )
  return [...equal.values()].map((group) => ({
    requests: group.flatMap(([first]) => (first === undefined ? [] : [first.request])),
    differences: group[0] ?? [],
  }))
}

/** Says who sent the request, such as `as ana@acme.test in acme`. Empty when the request names neither. */
export function senderText({ identity, tenant }: ComparedDifference): string {
  return [identity === null ? '' : `as ${identity}`, tenant === null ? '' : `in ${tenant}`]
    .filter((part) => part !== '')
    .join(' ')
}
