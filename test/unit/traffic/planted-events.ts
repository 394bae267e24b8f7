// The differences that planted-differences.test.ts plants into the events of sockets, and what a comparison reports.
import type { PlantFrames } from '../../support/mutating-proxy.ts'
import type { Json } from '../../support/test-emulator.ts'
import type { Found } from './plants.ts'

interface EventPlant {
  readonly change: PlantFrames
  readonly found: Found
}

const BROADCAST = (frame: Json): boolean => frame[3] === 'broadcast'
/** Planted differences in events, by the name of the channel. */
export const EVENTS: Readonly<Record<string, EventPlant>> = {
  twice: {
    change: (frame) =>
      BROADCAST(frame) && frame[4].payload.number === 1 ? [frame, frame] : [frame],
    found: ['extra_event', '[2]'],
  },
  lost: {
    change: (frame) => (BROADCAST(frame) && frame[4].payload.number === 2 ? [] : [frame]),
    found: ['missing_event', '[2]'],
  },
  swapped: {
    change: (() => {
      let held: Json
      return (frame: Json) => {
        if (!BROADCAST(frame)) return [frame]
        if (frame[4].payload.number === 2) return [frame, held]
        held = frame
        return []
      }
    })(),
    found: ['event_order', ''],
  },
  altered: {
    change: (frame) => {
      if (BROADCAST(frame) && frame[4].payload.number === 1) frame[4].payload.number = 7
      return [frame]
    },
    found: ['value', '[1].payload.payload.number'],
  },
  refused: {
    change: (frame) => {
      if (frame[3] === 'phx_reply') frame[4].status = 'error'
      return [frame]
    },
    found: ['value', '[0].payload.status'],
  },
  columns: {
    change: (frame) => {
      if (frame[3] === 'postgres_changes') delete frame[4].data.record.state
      return [frame]
    },
    found: ['missing', '[2].payload.data.record.state'],
  },
  late: {
    change: (frame) => {
      if (frame[3] === 'postgres_changes')
        frame[4].data.commit_timestamp = '2030-01-01T00:00:00.000Z'
      return [frame]
    },
    found: ['value', '[2].payload.data.commit_timestamp'],
  },
}

/** Names of the channels with row changes. */
export const ROW_EVENTS: readonly string[] = ['columns', 'late']
