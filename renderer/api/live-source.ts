// Opens the live events of a page. The events come from the worker that all pages share, or from a separate stream when
// the browser has no shared workers.
import type { EventBatch } from '../../emulator/contract/events.ts'
import { type LiveNews, type LiveSource, readLive } from './live-reader.ts'

export type PageMessage =
  | { readonly kind: 'join'; readonly token: string | undefined }
  | { readonly kind: 'leave' }

/** Connects the page to the shared stream until the page closes. */
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
  // The page has missed events when the user returns to it, although its port still works.
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
