// Groups the differences of a comparison, so that equal differences of equal requests are shown once. Pure.
import type { ComparedDifference } from './comparisons.ts'

export interface EqualRequests {
  /** Numbers of the requests in the recording, ascending. */
  readonly requests: readonly number[]
  /** The differences of the first request. All other requests of the group have the same differences. */
  readonly differences: readonly ComparedDifference[]
}

/** Joins the requests that have the same sender, address and differences. */
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

/** Says who sent the request, such as `as ana@acme.test in acme`. Returns an empty text without identity and tenant. */
export function senderText({ identity, tenant }: ComparedDifference): string {
  return [identity === null ? '' : `as ${identity}`, tenant === null ? '' : `in ${tenant}`]
    .filter((part) => part !== '')
    .join(' ')
}
