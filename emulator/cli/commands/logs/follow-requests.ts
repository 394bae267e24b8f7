// Reads the requests of a running emulator as they are answered, each once and in order.
import type { EventBatch } from '../../../contract/events.ts'
import type { JournalEntry } from '../../../contract/journal.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import {
  createSelect,
  journalQueryOf,
  type RequestFilter,
  type Select,
  type SelectedRequest,
} from './select-requests.ts'

/** Maximum number of requests that one page of the journal contains. */
const PAGE = 1_000

export interface RequestSelection {
  readonly filter: RequestFilter
  /** Maximum number of past requests to yield first. */
  readonly last: number
}

/**
 * Yields the newest `last` selected requests, then each new one until the emulator stops.
 * @throws {RunningEmulatorError} when the emulator does not answer
 */
export async function* followRequests(
  emulator: RunningEmulator,
  selection: RequestSelection,
): AsyncGenerator<SelectedRequest> {
  const select = createSelect(emulator, selection.filter)
  // The stream opens before the journal is read, so that no request is missed between the two calls.
  const stream = await emulator.open('GET /events', { query: { watches: 'false' } })
  const newest = await emulator.call('GET /journal', { query: { limit: 1 } })
  const sequence = newest.entries[0]?.sequence ?? 0
  yield* await newestSelected(emulator, { ...selection, before: sequence + 1, select })
  for await (const entry of entriesOf(stream, emulator, sequence)) {
    const selected = await select(entry)
    if (selected !== undefined) yield selected
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

/**
 * Yields the newest `last` selected requests of the journal, oldest first.
 * @throws {RunningEmulatorError} when the emulator does not answer
 */
export async function* newestRequests(
  emulator: RunningEmulator,
  selection: RequestSelection,
): AsyncGenerator<SelectedRequest> {
  const select = createSelect(emulator, selection.filter)
  yield* await newestSelected(emulator, { ...selection, before: undefined, select })
}

interface Search extends RequestSelection {
  /** Only requests with a lower sequence number are searched. */
  readonly before: number | undefined
  readonly select: Select
}

// Reads page after page, because the selected requests may be far back in the journal.
async function newestSelected(
  emulator: RunningEmulator,
  { filter, last, select, ...search }: Search,
): Promise<readonly SelectedRequest[]> {
  const found: SelectedRequest[] = []
  let { before } = search
  while (found.length < last) {
    const query = { ...journalQueryOf(filter), before, limit: PAGE }
    const { entries } = await emulator.call('GET /journal', { query })
    for (const entry of entries) {
      const selected = found.length < last ? await select(entry) : undefined
      if (selected !== undefined) found.push(selected)
    }
    if (entries.length < PAGE) break
    before = entries.at(-1)?.sequence
  }
  return found.toReversed()
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
