// Reads the requests of a running emulator as they are answered, each once and in order.
import { openRequests } from '../../../platform/http-client/live-requests.ts'
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
  const { entries, sequence } = await openRequests(emulator)
  yield* await newestSelected(emulator, { ...selection, before: sequence + 1, select })
  for await (const entry of entries) {
    const selected = await select(entry)
    if (selected !== undefined) yield selected
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
