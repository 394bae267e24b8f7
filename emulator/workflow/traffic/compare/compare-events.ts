// Compares what a socket received: events, their content and their order within each topic.
import type { DifferenceKind } from '../../../contract/comparisons.ts'
import type { HarFrame } from '../har/har.ts'
import { compareValues } from './compare-values.ts'
import type { Comparing } from './comparing.ts'
import { type Difference, difference } from './difference.ts'
import { readFrame } from './frames.ts'
import { type Endings, lateOf, type ReplayedEvent } from './late-events.ts'

export type ReceivedFrame = Pick<HarFrame, 'data' | 'opcode' | '_size'>

export interface ComparedEvents {
  readonly differences: readonly Difference[]
  /**
   * Number of events that do not count as differences, because the recording may lack them only because its client had ended.
   */
  readonly lateEvents: number
}

const KINDS: Readonly<Partial<Record<DifferenceKind, DifferenceKind>>> = {
  extra: 'extra_event',
  missing: 'missing_event',
  order: 'event_order',
}
/** The name under which differences contain the list of a topic's events. */
const LIST = 'events'
const WHOLE_EVENT = new RegExp(`^${LIST}(?:\\[(\\d+)\\])?$`)

/** @param endings absent while the socket is open, because no event is late then */
export function compareEvents(
  recorded: readonly ReceivedFrame[],
  replayed: readonly ReceivedFrame[],
  comparing: Comparing,
  endings?: Endings,
): ComparedEvents {
  const sizesOnly = recorded.some(({ _size }) => _size !== undefined)
  const [then, here] = [byTopic(recorded, sizesOnly), byTopic(replayed, sizesOnly)]
  // The names of topics can contain generated values.
  const topics = new Map([...then.keys()].map((topic) => [comparing.pairs.translate(topic), topic]))
  const names = [...new Set([...topics.keys(), ...here.keys()])]
  const compared = names.map((name) => {
    const topic = topics.get(name) ?? name
    const events = here.get(name) ?? []
    const found = compareValues(
      (then.get(topic) ?? []).map(({ value }) => value),
      events.map(({ value }) => value),
      { at: LIST, member: '' },
      comparing,
    )
    const extra = new Set(found.flatMap(extraPlace))
    const late = endings === undefined ? NONE : lateOf(events, extra, topic, endings)
    return {
      differences: found
        .filter((one) => !extraPlace(one).some((place) => late.has(place)))
        .map((one) => namedEvent(one, name)),
      lateEvents: late.size,
    }
  })
  return {
    differences: compared.flatMap(({ differences }) => differences),
    lateEvents: compared.reduce((sum, { lateEvents }) => sum + lateEvents, 0),
  }
}

const NONE: ReadonlySet<number> = new Set()

/** Returns the index of an event that only the replay has. */
function extraPlace({ at, kind }: Difference): readonly number[] {
  const place = WHOLE_EVENT.exec(at)?.[1]
  return kind === 'extra' && place !== undefined ? [Number(place)] : []
}

// Gives a difference the kind of an event when a whole event is missing or additional.
function namedEvent({ at, kind, recorded, replayed }: Difference, topic: string): Difference {
  const place = at.replace(new RegExp(`^${LIST}`), topic === '' ? 'event' : `event ${topic}`)
  return difference(
    WHOLE_EVENT.test(at) ? (KINDS[kind] ?? kind) : kind,
    place,
    recorded ?? undefined,
    replayed ?? undefined,
  )
}

function byTopic(
  frames: readonly ReceivedFrame[],
  sizesOnly: boolean,
): ReadonlyMap<string, readonly ReplayedEvent[]> {
  const topics = new Map<string, ReplayedEvent[]>()
  for (const [number, frame] of frames.entries()) {
    const { topic, value } = readFrame(frame, sizesOnly)
    const events = topics.get(topic) ?? []
    events.push({ value, frame: number })
    topics.set(topic, events)
  }
  return topics
}
