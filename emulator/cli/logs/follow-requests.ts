// Reads the requests of a running emulator as they are answered, each once and in order.
import type { EventBatch } from '../../contract/events.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import type { RunningEmulator } from '../../http-client/running-emulator.ts'

/** Maximum number of requests that one page of the journal contains. */
const PAGE = 1_000

/**
 * Yields the newest `last` requests, then each new one until the emulator stops.
 * @throws {RunningEmulatorError} when the emulator does not answer
 */
export async function* followRequests(
  emulator: RunningEmulator,
  last: number,
): AsyncGenerator<JournalEntry> {
  // The stream opens first, so that no request falls between the two.
  const stream = await emulator.open('GET /events', { query: { watches: 'false' } })
  const begun = await newestRequests(emulator, Math.max(last, 1))
  let sequence = begun.at(-1)?.sequence ?? 0
  if (last > 0) yield* begun
  for await (const batch of batchesOf(stream))
    for (const event of batch.events) {
      const entries =
        event.kind === 'request'
          ? [event.entry]
          : event.kind === 'gap'
            ? await requestsAfter(emulator, sequence)
            : []
      for (const entry of entries) {
        if (entry.sequence <= sequence) continue
        sequence = entry.sequence
        yield entry
      }
    }
}

/** Returns the newest requests of the journal, oldest first. */
export async function newestRequests(
  emulator: RunningEmulator,
  count: number,
): Promise<readonly JournalEntry[]> {
  if (count === 0) return []
  const { entries } = await emulator.call('GET /journal', { query: { limit: count } })
  return entries.toReversed()
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
