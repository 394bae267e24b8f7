// Where a page's live events come from: the worker that all pages share, or a stream of its own where there is no such worker.
import type { EventBatch } from '../../emulator/contract/events.ts'
import { type LiveNews, type LiveSource, readLive } from './live-reader.ts'

export type PageMessage =
  | { readonly kind: 'join'; readonly token: string | undefined }
  | { readonly kind: 'leave' }

/** Joins the shared stream, for the page's whole life. */
export function openLiveSource(
  tell: (news: LiveNews) => void,
  token: string | undefined,
): LiveSource {
  if (typeof SharedWorker === 'undefined') return readLive(tell, token)
  let own: LiveSource | undefined
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
    type: 'module',
    name: 'tenantry-live',
  })
  const { port } = worker
  const send = (message: PageMessage): void => port.postMessage(message)
  port.onmessage = ({ data }: MessageEvent<LiveNews>) => tell(data)
  worker.onerror = () => {
    own ??= readLive(tell, token)
  }
  send({ kind: 'join', token })
  addEventListener('pagehide', () => send({ kind: 'leave' }))
  // A page that was put aside for "back" has its port still, and has missed what was told meanwhile.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    tell({
      kind: 'batch',
      data: JSON.stringify({ events: [{ kind: 'gap' }] } satisfies EventBatch),
    })
    send({ kind: 'join', token })
  })
  return {
    carryToken: (next) => {
      token = next
      if (own === undefined) send({ kind: 'join', token })
      else own.carryToken(token)
    },
  }
}
