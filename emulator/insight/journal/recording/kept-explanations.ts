// Keeps why requests were refused for longer than their recordings, because a reason is small and a body is not. The recorder
// calls it.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { AccessChain } from '../../../contract/explain.ts'

/** As many as the journal has entries by default. An explanation has 1 to 3 KB, and a third of that compressed (measured). */
const MAX_EXPLANATIONS = 10_000
const MAX_BYTES: number = 8 << 20

export interface KeptExplanations {
  keep(explanation: AccessChain): void
  find(requestId: string): AccessChain | undefined
  clear(): void
}

/** @param bounds for tests */
export function createKeptExplanations(
  bounds: { readonly count: number; readonly bytes: number } = {
    count: MAX_EXPLANATIONS,
    bytes: MAX_BYTES,
  },
): KeptExplanations {
  const kept = new Map<string, Uint8Array>()
  let bytes = 0
  const drop = (requestId: string): void => {
    bytes -= kept.get(requestId)?.length ?? 0
    kept.delete(requestId)
  }
  return {
    keep: (explanation) => {
      const packed = deflateRawSync(JSON.stringify(explanation))
      drop(explanation.request_id)
      kept.set(explanation.request_id, packed)
      bytes += packed.length
      for (const oldest of kept.keys()) {
        if (kept.size <= bounds.count && bytes <= bounds.bytes) break
        drop(oldest)
      }
    },
    find: (requestId) => {
      const packed = kept.get(requestId)
      return packed && (JSON.parse(inflateRawSync(packed).toString()) as AccessChain)
    },
    clear: () => {
      kept.clear()
      bytes = 0
    },
  }
}
