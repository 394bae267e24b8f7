// Events about realtime traffic on the emulator's event stream.
import { describe, expect, it } from 'vitest'
import { tellTraffic } from '../../../emulator/api/emulator-api/events/tell-traffic.ts'
import type { LiveEvent } from '../../../emulator/contract/events.ts'
import { trusted } from '../../../emulator/core/names.ts'
import type { EventMaker } from '../../../emulator/insight/journal/live/event-feed.ts'

const ACME = trusted.schemaName('proj_acme')

function feedOf(isWatched: boolean) {
  const makers = new Map<string, EventMaker>()
  const feed = {
    isWatched,
    tell: (make: EventMaker, once = '') => {
      if (!makers.has(once)) makers.set(once, make)
    },
  }
  const flush = (): readonly (LiveEvent | undefined)[] => {
    const events = [...makers.values()].map((make) => make())
    makers.clear()
    return events
  }
  return { flush, traffic: tellTraffic(feed) }
}

describe('realtime traffic on the event stream', () => {
  it('has the number of messages of each topic since the last batch', () => {
    const { flush, traffic } = feedOf(true)
    for (const topic of ['realtime:a', 'realtime:b', 'realtime:a']) traffic.delivered(ACME, topic)
    const event = { kind: 'traffic', schema_name: ACME, has_changed: false }
    expect(flush()).toEqual([{ ...event, messages: { 'realtime:a': 2, 'realtime:b': 1 } }])
    traffic.changed(ACME)
    traffic.delivered(ACME, 'realtime:a')
    expect(flush()).toEqual([{ ...event, has_changed: true, messages: { 'realtime:a': 1 } }])
  })

  it('is not sent while no client reads the stream', () => {
    const { flush, traffic } = feedOf(false)
    traffic.changed(ACME)
    traffic.delivered(ACME, 'realtime:a')
    expect(flush()).toEqual([])
  })
})
