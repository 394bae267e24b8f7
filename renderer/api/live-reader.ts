// Keeps one event stream open and reopens the stream when it ends. The reader uses fetch, because only fetch can send
// the admin token as a header. The reader runs in a page, or in the worker that all pages share.
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { EventBatch } from '../../emulator/contract/events.ts'
import { after } from './time.ts'

export type LiveNews =
  | { readonly kind: 'open' }
  /** `data` is the JSON of one `EventBatch`. The first batch after `open` begins with the `hello` event. */
  | { readonly kind: 'batch'; readonly data: string }
  | { readonly kind: 'lost' }
  /** The emulator refused the stream, because the admin token is missing or wrong. */
  | { readonly kind: 'token_wanted'; readonly hadToken: boolean }

export interface LiveSource {
  /** Uses this token for later attempts to connect. When the stream is down, the reader reconnects immediately. */
  carryToken(token: string | undefined): void
  /** Chooses whether the stream contains single requests, changes and messages. A change opens another stream. */
  wantRequests(isWanted: boolean): void
}

/**
 * The delay before the first retry, and the longest delay before later retries, in wall-clock milliseconds. All pages of a browser
 * share one reader, and the emulator runs on the same machine, so a retry each second costs nothing.
 */
const RETRY_MILLIS = { first: 250, most: 1_000 }

const STREAM = '/_emulator/v1/events'
const QUIET_STREAM = `${STREAM}?requests=false`

/** A batch that makes the screens load their data again. */
export const GAP: string = JSON.stringify({ events: [{ kind: 'gap' }] } satisfies EventBatch)

function openStream(options: {
  readonly wantsRequests: boolean
  readonly token: string | undefined
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
}): Promise<Response> {
  const { lastEventId, signal, token, wantsRequests } = options
  return fetch(wantsRequests ? STREAM : QUIET_STREAM, {
    signal,
    headers: {
      accept: 'text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  })
}

/** Reads the stream until the page or worker ends. */
export function readLive(
  report: (news: LiveNews) => void,
  firstToken: string | undefined,
  wantsRequests: boolean,
): LiveSource {
  let token = firstToken
  let current = new AbortController()
  /** The stream before a switch. The reader reads it until the new stream is open, so that no event is missed in between. */
  let former: AbortController | undefined
  let hasBegun = false
  let lastEventId: string | undefined
  let tryNow = (): void => {}

  async function keepReading(reading: AbortController): Promise<void> {
    let pause = RETRY_MILLIS.first
    while (reading === current) {
      try {
        await readStream(reading, () => {
          pause = RETRY_MILLIS.first
        })
      } catch {
        // The code below reports `lost`. The screens' own requests show why the emulator does not answer.
      }
      if (reading !== current) return
      report({ kind: 'lost' })
      await sleep(pause)
      pause = Math.min(pause * 2, RETRY_MILLIS.most)
    }
  }

  async function readStream(reading: AbortController, onOpen: () => void): Promise<void> {
    const hadToken = token !== undefined
    const response = await openStream({ wantsRequests, token, lastEventId, signal: reading.signal })
    if (response.status === 401) report({ kind: 'token_wanted', hadToken })
    if (!response.ok || response.body === null) return
    onOpen()
    if (reading === current) {
      former?.abort()
      former = undefined
    }
    report({ kind: 'open' })
    const frames = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const { id, data } of frames) {
      if (id !== undefined && reading === current) lastEventId = id
      hasBegun = true
      report({ kind: 'batch', data })
    }
  }

  function sleep(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = after(millis, resolve)
      tryNow = () => {
        cancel()
        resolve()
      }
    })
  }

  void keepReading(current)
  return {
    wantRequests: (isWanted) => {
      if (isWanted === wantsRequests) return
      wantsRequests = isWanted
      // The new stream has other event numbers. After the quiet stream, the screens load what that stream left out.
      lastEventId = undefined
      if (isWanted && hasBegun) report({ kind: 'batch', data: GAP })
      former?.abort()
      former = current
      current = new AbortController()
      tryNow()
      void keepReading(current)
    },
    carryToken: (next) => {
      token = next
      tryNow()
    },
  }
}
