// Reads the requests of a running emulator from its live events, each once and in order, and the reasons of refusals.
import type { EventBatch } from '../../contract/events.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import { type RunningEmulator, RunningEmulatorError } from './running-emulator.ts'

/** Maximum number of requests that one page of the journal contains. */
const PAGE = 1_000

export interface LiveRequests {
  /** Sequence number of the newest request before the stream. */
  readonly sequence: number
  /** Each later request, until the emulator stops. */
  readonly entries: AsyncIterable<JournalEntry>
}

/**
 * @param signal ends the stream, which then throws the signal's reason
 * @throws {RunningEmulatorError} when the emulator does not answer
 */
export async function openRequests(
  emulator: RunningEmulator,
  signal?: AbortSignal,
): Promise<LiveRequests> {
  // The stream opens before the journal is read, so that no request is missed between the two calls.
  const opened = await emulator.open('GET /events', { query: { watches: 'false' } })
  const stream = signal ? opened.pipeThrough(new TransformStream(), { signal }) : opened
  const newest = await emulator.call('GET /journal', { query: { limit: 1 } })
  const sequence = newest.entries[0]?.sequence ?? 0
  return { sequence, entries: entriesOf(stream, emulator, sequence) }
}

/** Returns why the request was refused; the journal may have dropped the request since. @throws {RunningEmulatorError} */
export async function reasonOf(
  emulator: RunningEmulator,
  entry: JournalEntry,
): Promise<string | null> {
  const chain = await orNothing(
    emulator.call('GET /journal/:request_id/chain', {
      params: { request_id: entry.request_id },
      query: { as_of: 'refusal' },
    }),
  )
  return chain?.sentence ?? entry.error_message
}

/** Awaits the answer; `undefined` when the emulator refuses the call. @throws {RunningEmulatorError} */
export async function orNothing<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RunningEmulatorError && error.code === 'refused') return undefined
    throw error
  }
}

// Yields each request after `sequence` once.
async function* entriesOf(
  stream: ReadableStream<Uint8Array>,
  emulator: RunningEmulator,
  sequence: number,
): AsyncGenerator<JournalEntry> {
  let newest = sequence
  for await (const batch of batchesOf(stream))
    for (const event of batch.events) {
      const entries =
        event.kind === 'request'
          ? [event.entry]
          : event.kind === 'gap'
            ? await requestsAfter(emulator, newest)
            : []
      for (const entry of entries) {
        if (entry.sequence <= newest) continue
        newest = entry.sequence
        yield entry
      }
    }
}

async function requestsAfter(
  emulator: RunningEmulator,
  after: number,
): Promise<readonly JournalEntry[]> {
  const { entries } = await emulator.call('GET /journal', { query: { after, limit: PAGE } })
  return entries.toReversed()
}

// The stream ends without its last chunk when the emulator is killed.
async function* batchesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<EventBatch> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1]
        if (data !== undefined) yield JSON.parse(data) as EventBatch
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}
