// Compares what a socket received: events, their content and their order within each topic.
import type { DifferenceKind } from '../../contract/comparisons.ts'
import type { JsonValue } from '../../core/json.ts'
import type { HarFrame } from '../har/har.ts'
import { compareValues } from './compare-values.ts'
import type { Comparing } from './comparing.ts'
import { type Difference, difference } from './difference.ts'
import { readFrame } from './frames.ts'

export type ReceivedFrame = Pick<HarFrame, 'data' | 'opcode' | '_size'>

const KINDS: Readonly<Partial<Record<DifferenceKind, DifferenceKind>>> = {
  extra: 'extra_event',
  missing: 'missing_event',
  order: 'event_order',
}
/** The list of a topic's events is at this place. */
const LIST = 'events'

export function compareEvents(
  recorded: readonly ReceivedFrame[],
  replayed: readonly ReceivedFrame[],
  comparing: Comparing,
): readonly Difference[] {
  const sizesOnly = recorded.some(({ _size }) => _size !== undefined)
  const [then, here] = [byTopic(recorded, sizesOnly), byTopic(replayed, sizesOnly)]
  // The names of topics can contain generated values.
  const topics = new Map([...then.keys()].map((topic) => [comparing.pairs.translate(topic), topic]))
  const names = new Set([...topics.keys(), ...here.keys()])
  return [...names].flatMap((name) =>
    compareValues(
      [...(then.get(topics.get(name) ?? '') ?? [])],
      [...(here.get(name) ?? [])],
      { at: LIST, member: '' },
      comparing,
    ).map((found) => namedEvent(found, name)),
  )
}

// A whole event that is absent or additional is named as such.
function namedEvent({ at, kind, recorded, replayed }: Difference, topic: string): Difference {
  const isWhole = new RegExp(`^${LIST}(\\[\\d+\\])?$`).test(at)
  const place = at.replace(new RegExp(`^${LIST}`), topic === '' ? 'event' : `event ${topic}`)
  return difference(
    isWhole ? (KINDS[kind] ?? kind) : kind,
    place,
    recorded ?? undefined,
    replayed ?? undefined,
  )
}

function byTopic(
  frames: readonly ReceivedFrame[],
  sizesOnly: boolean,
): ReadonlyMap<string, readonly JsonValue[]> {
  const topics = new Map<string, JsonValue[]>()
  for (const frame of frames) {
    const { topic, value } = readFrame(frame, sizesOnly)
    topics.set(topic, [...(topics.get(topic) ?? []), value])
  }
  return topics
}
