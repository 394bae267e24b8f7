// The shared worker of all inspector pages in one browser. The worker keeps one event stream for all pages. A browser
// opens at most six connections to a host, so separate streams would block the seventh tab.
import { type LiveNews, type LiveSource, readLive } from './live-reader.ts'
import type { PageMessage } from './live-source.ts'

const pages = new Set<MessagePort>()
/** Messages for each page that joins later: the latest `open` and the batch with `hello`, or `lost`. */
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
    return
  }
  if (!pages.has(page)) {
    pages.add(page)
    for (const news of latest) page.postMessage(news)
  }
  if (source === undefined) source = readLive(report, message.token)
  else if (message.token !== undefined) source.carryToken(message.token)
}

function report(news: LiveNews): void {
  const isGreeting = news.kind === 'batch' && latest.at(-1)?.kind === 'open'
  if (isGreeting) latest = [...latest, news]
  else if (news.kind !== 'batch') latest = [news]
  for (const page of pages) page.postMessage(news)
}
