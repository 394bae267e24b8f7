// Which additional events of a replay are late: those that the recorded client could no longer receive, and no others.
import { describe, expect, it } from 'vitest'
import { compareEvents } from '../../../emulator/workflow/traffic/compare/compare-events.ts'
import { Correspondence } from '../../../emulator/workflow/traffic/compare/correspondence.ts'
import type { ClientEnds } from '../../../emulator/workflow/traffic/compare/late-events.ts'
import { timeRules } from '../../../emulator/workflow/traffic/compare/time-rules.ts'

const TOPIC = 'realtime:room'
const frame = (event: string, payload: unknown = {}) => ({
  opcode: 1 as const,
  data: JSON.stringify([null, null, TOPIC, event, payload]),
})
const join = frame('phx_reply', { status: 'ok' })
const subscribed = frame('system', { message: 'Subscribed to PostgreSQL' })
const change = frame('postgres_changes', { id: 1 })
const close = frame('phx_close')

/**
 * Compares frames. The recorded client ended as given, and each frame of the replay arrived at the given second of the recording.
 */
function compared(
  recorded: readonly (typeof join)[],
  replayed: readonly (readonly [second: number, arrived: typeof join])[],
  ends: Partial<ClientEnds>,
) {
  const moment = { start: 0, now: 0, duration: 0 }
  const { differences, lateEvents } = compareEvents(
    recorded,
    replayed.map(([, arrived]) => arrived),
    {
      pairs: new Correspondence(),
      times: timeRules({ recorded: moment, replayed: moment, dataFrom: 0 }, []),
      recordedNow: 0,
      route: '',
      claimsOf: () => undefined,
      moved: (text) => text,
    },
    {
      ends: { socket: undefined, left: new Map(), ...ends },
      placeOf: (place) => (replayed[place]?.[0] ?? 0) * 1_000,
    },
  )
  return { kinds: differences.map(({ kind }) => kind), lateEvents }
}

describe('an additional event', () => {
  it('is late when the client closed the socket within two seconds after the event', () => {
    const replayed = [
      [0, join],
      [9, subscribed],
    ] as const
    expect(compared([join], replayed, { socket: 10_000 })).toEqual({ kinds: [], lateEvents: 1 })
  })

  it('is a difference when the client waited longer, or the server closed the socket', () => {
    const replayed = [
      [0, join],
      [1, subscribed],
    ] as const
    const found = { kinds: ['extra_event'], lateEvents: 0 }
    expect(compared([join], replayed, { socket: 10_000 })).toEqual(found)
    expect(compared([join], replayed, {})).toEqual(found)
  })

  it('is a difference when the recording received a later event of the channel', () => {
    const replayed = [
      [9, join],
      [9, subscribed],
      [9, change],
    ] as const
    expect(compared([join, change], replayed, { socket: 10_000 })).toEqual({
      kinds: ['extra_event'],
      lateEvents: 0,
    })
  })

  it('is late when the client had left the channel, and only the confirmation followed', () => {
    const replayed = [
      [0, join],
      [0, subscribed],
      [1, join],
      [1, close],
      [1, join],
      [1, change],
    ] as const
    const recorded = [join, join, close, join, change]
    const left = new Map([[TOPIC, [500]]])
    expect(compared(recorded, replayed, { socket: 60_000, left })).toEqual({
      kinds: [],
      lateEvents: 1,
    })
    expect(compared(recorded, replayed, { socket: 60_000 })).toEqual({
      kinds: ['extra_event'],
      lateEvents: 0,
    })
  })
})
