// Keeps one event stream open: reads it with fetch, so that a header may carry the admin token, and opens it again by itself
// whenever it ended. Knows no page: it runs in a page or in the worker that all pages share.
import { createFrameReader } from './event-frames.ts'
import { after } from './time.ts'

export type LiveNews =
  | { readonly kind: 'open' }
  /** The JSON of one `EventBatch`; the first after `open` begins with `hello`. */
  | { readonly kind: 'batch'; readonly data: string }
  | { readonly kind: 'lost' }
  /** The emulator refuses the stream for want of its admin token. */
  | { readonly kind: 'token_wanted' }

export interface LiveSource {
  /** Carries this token from the next attempt on, which is made at once. */
  carryToken(token: string | undefined): void
}

/** Wall milliseconds before the first and at most before any further attempt. */
const RETRY_MILLIS = { first: 250, most: 5_000 }

/** Reads for as long as the page or worker lives. */
export function readLive(
  tell: (news: LiveNews) => void,
  firstToken: string | undefined,
): LiveSource {
  let token = firstToken
  let lastEventId: string | undefined
  let tryNow = (): void => {}

  async function keepReading(): Promise<never> {
    let pause = RETRY_MILLIS.first
    for (;;) {
      try {
        await readStream(() => {
          pause = RETRY_MILLIS.first
        })
      } catch {
        // What is told next says it; why the emulator does not answer is shown by the screens' own requests.
      }
      tell({ kind: 'lost' })
      await sleep(pause)
      pause = Math.min(pause * 2, RETRY_MILLIS.most)
    }
  }

  async function readStream(onOpen: () => void): Promise<void> {
    const response = await fetch('/_emulator/v1/events', {
      headers: {
        accept: 'text/event-stream',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    })
    if (response.status === 401) tell({ kind: 'token_wanted' })
    if (!response.ok || response.body === null) return
    onOpen()
    tell({ kind: 'open' })
    const read = createFrameReader()
    for await (const piece of response.body.pipeThrough(new TextDecoderStream()))
      for (const { id, data } of read(piece)) {
        if (id !== undefined) lastEventId = id
        tell({ kind: 'batch', data })
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

  void keepReading()
  return {
    carryToken: (next) => {
      token = next
      tryNow()
    },
  }
}
