// Lists the requests that were refused while the command of `tenantry exec` ran. These requests usually explain a failed test
// run.

import type { BareEmulator } from '../../assembly/library/emulator.ts'
import type { AccessChain } from '../../contract/explain.ts'
import type { JournalEntry, JournalPage } from '../../contract/journal.ts'
import { refusalText } from '../../contract/refusal-text.ts'

export interface RefusedRequest {
  readonly entry: JournalEntry
  /** Why the request was refused, in one sentence. */
  readonly sentence: string
}

const LOOKED_THROUGH = 1_000

/** Returns the last `count` requests that were refused or failed, oldest first. */
export async function refusedRequests(
  emulator: Pick<BareEmulator, 'fetch'>,
  adminToken: string | undefined,
  count: number,
): Promise<readonly RefusedRequest[]> {
  const read = async <Body>(path: string): Promise<Body | undefined> => {
    const answer = await emulator.fetch(
      new Request(`http://127.0.0.1/_emulator/v1${path}`, {
        headers: adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` },
      }),
    )
    return answer.ok ? ((await answer.json()) as Body) : undefined
  }
  const page = await read<JournalPage>(`/journal?limit=${LOOKED_THROUGH}`)
  const refused = (page?.entries ?? []).filter(({ status }) => status >= 400).slice(0, count)
  const explained: RefusedRequest[] = []
  for (const entry of refused.toReversed()) {
    const chain = await read<AccessChain>(`/journal/${entry.request_id}/chain?as_of=refusal`)
    explained.push({ entry, sentence: chain?.sentence ?? entry.error_message ?? '' })
  }
  return explained
}

/** Formats the requests for the terminal, one paragraph each. */
export function tailLines(refused: readonly RefusedRequest[]): string {
  if (refused.length === 0) return 'No request was refused.\n'
  const head =
    refused.length === 1
      ? 'The request that was refused:'
      : `The last ${refused.length} requests that were refused:`
  return `${[head, ...refused.map(({ entry, sentence }) => refusalText(entry, sentence))].join('\n')}\n`
}
