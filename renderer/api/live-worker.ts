// The shared worker of all inspector pages in one browser. The worker keeps one event stream for all pages. A browser
// opens at most six connections to a host, so separate streams would block the seventh tab.
import { type LiveNews, type LiveSource, readLive } from './live-reader.ts'
import type { PageMessage } from './live-source.ts'

/** All pages, each with a flag that says whether the page wants single requests. */
const pages = new Map<MessagePort, boolean>()
/** Messages for each page that connects later: the latest `open` and the batch with `hello`, or `lost`. */
let latest: readonly LiveNews[] = []
let source: LiveSource | undefined

self.addEventListener('connect', (event) => {
  const port = event instanceof MessageEvent ? event.ports[0] : undefined
  if (port === undefined) return
  port.onmessage = ({ data }: MessageEvent<PageMessage>) => receive(port, data)
})

function receive(page: MessagePort, message: PageMessage): void {
  if (message.kind === 'leave') {
    pages.delete(page)
    wantRequests()
    return
  }
  const isNew = !pages.has(page)
  pages.set(page, message.wantsRequests)
  if (isNew) for (const news of latest) page.postMessage(news)
  if (source === undefined) source = readLive(report, message.token, message.wantsRequests)
  else if (message.token !== undefined) source.carryToken(message.token)
  wantRequests()
}

// Keeps the present stream when the last page has left, because no page reads it.
function wantRequests(): void {
  if (pages.size > 0) source?.wantRequests([...pages.values()].includes(true))
}

function report(news: LiveNews): void {
  const isGreeting = news.kind === 'batch' && latest.at(-1)?.kind === 'open'
  if (isGreeting) latest = [...latest, news]
  else if (news.kind !== 'batch') latest = [news]
  for (const page of pages.keys()) page.postMessage(news)
}
