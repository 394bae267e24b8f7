// The journal's record of a request that storage refused: answers carry no id, so it is the latest refusal of the same attempt.
import { useMemo } from 'react'
import { useLive } from '../../api/live.ts'
import { StorageRefusal } from '../../api/storage-door.ts'

/** Its id once the event stream has told of it. */
export function useRefusedRequest(error: unknown): string | undefined {
  const requests = useLive((snapshot) => snapshot.requests)
  return useMemo(() => {
    if (!(error instanceof StorageRefusal)) return undefined
    const { method, path } = error.attempt
    return requests.findLast(
      (entry) =>
        entry.service === 'storage' &&
        entry.status >= 400 &&
        entry.method === method &&
        (entry.target.split('?')[0] ?? '').endsWith(path),
    )?.request_id
  }, [error, requests])
}
