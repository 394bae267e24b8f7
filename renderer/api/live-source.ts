// Opens the live events of a page. The events come from the worker that all pages share, or from a separate stream when
// the browser has no shared workers.
import { GAP, type LiveNews, type LiveSource, readLive } from './live-reader.ts'

export type PageMessage =
  | {
      readonly kind: 'join'
      readonly token: string | undefined
      readonly wantsRequests: boolean
    }
  | { readonly kind: 'leave' }

/** Connects the page to the shared stream until the page closes. */
export function openLiveSource(
  report: (news: LiveNews) => void,
  token: string | undefined,
): LiveSource {
  let wantsRequests = true
  if (typeof SharedWorker === 'undefined') return readLive(report, token, wantsRequests)
  let own: LiveSource | undefined
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
    type: 'module',
    name: 'tenantry-live',
  })
  const { port } = worker
  const send = (message: PageMessage): void => port.postMessage(message)
  port.onmessage = ({ data }: MessageEvent<LiveNews>) => report(data)
  worker.onerror = () => {
    own ??= readLive(report, token, wantsRequests)
  }
  const join = (): void => send({ kind: 'join', token, wantsRequests })
  join()
  addEventListener('pagehide', () => send({ kind: 'leave' }))
  // A page that the browser restores from its cache has missed events, although its port still works.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    report({ kind: 'batch', data: GAP })
    join()
  })
  return {
    carryToken: (next) => {
      token = next
      if (own === undefined) join()
      else own.carryToken(token)
    },
    wantRequests: (isWanted) => {
      wantsRequests = isWanted
      if (own === undefined) join()
      else own.wantRequests(isWanted)
    },
  }
}
