// The id of the request that the present work belongs to, for services whose calls do not pass it on.
import { AsyncLocalStorage } from 'node:async_hooks'

const ids = new AsyncLocalStorage<string>()

/** Runs `work` as part of the request, including everything that `work` awaits. */
export function asPartOf<Result>(requestId: string, work: () => Result): Result {
  return ids.run(requestId, work)
}

/** Returns undefined outside a request of such a service. */
export function currentRequestId(): string | undefined {
  return ids.getStore()
}
