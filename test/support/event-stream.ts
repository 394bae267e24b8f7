// Reads GET /_emulator/v1/events as a page does. Parses frames and keeps the events in order.

import type { Json } from './test-emulator.ts'
import { until } from './until.ts'

export interface EventReader extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** The frames that have arrived so far, each with its events. */
  readonly frames: readonly { readonly id: number; readonly events: readonly Json[] }[]
  /** All events so far, in order. */
  events(kind?: string): readonly Json[]
  /** Waits for the first event that `fits` accepts. */
  next(fits: (event: Json) => boolean): Promise<Json>
  /** Fulfilled when the stream ends: `whole` when HTTP's framing was complete, else `cut`. */
  readonly ended: Promise<'whole' | 'cut'>
}

/** Opens the stream. */
export async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  query = '',
): Promise<EventReader> {
  const gone = new AbortController()
  const response = await fetch(`${url}/_emulator/v1/events${query}`, {
    headers,
    signal: gone.signal,
  })
  const frames: { id: number; events: readonly Json[] }[] = []
  const all = () => frames.flatMap(({ events }) => events)
  const ended = pump(response, (id, events) => frames.push({ id, events }))
  return {
    status: response.status,
    headers: response.headers,
    frames,
    events: (kind) => all().filter((event) => kind === undefined || event.kind === kind),
    next: async (fits) => {
      await until(() => all().some(fits))
      return all().find(fits)
    },
    ended,
    [Symbol.asyncDispose]: async () => {
      gone.abort()
      await ended
    },
  }
}

async function pump(
  response: Response,
  onFrame: (id: number, events: readonly Json[]) => void,
): Promise<'whole' | 'cut'> {
  let text = ''
  try {
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(
      new TextDecoderStream(),
    )) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const id = Number(/^id: (\d+)$/m.exec(part)?.[1])
        const data = /^data: (.*)$/m.exec(part)?.[1]
        if (data !== undefined) onFrame(id, JSON.parse(data).events)
      }
    }
    return 'whole'
  } catch {
    return 'cut'
  }
}
