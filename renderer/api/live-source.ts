// Opens a page's live events: from the worker that all pages share, or from its own stream without shared workers.
import type { EventBatch } from '../../emulator/contract/events.ts'
import { type LiveNews, type LiveSource, readLive } from './live-reader.ts'

export type PageMessage =
  | { readonly kind: 'join'; readonly token: string | undefined }
  | { readonly kind: 'leave' }

/** Joins the shared stream until the page closes. */
export function openLiveSource(
  report: (news: LiveNews) => void,
  token: string | undefined,
): LiveSource {
  if (typeof SharedWorker === 'undefined') return readLive(report, token)
  let own: LiveSource | undefined
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
    type: 'module',
    name: 'tenantry-live',
  })
  const { port } = worker
  const send = (message: PageMessage): void => port.postMessage(message)
  port.onmessage = ({ data }: MessageEvent<LiveNews>) => report(data)
  worker.onerror = () => {
    own ??= readLive(report, token)
  }
  send({ kind: 'join', token })
  addEventListener('pagehide', () => send({ kind: 'leave' }))
  // A page restored by “Back” still has its port but missed events.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    report({
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
