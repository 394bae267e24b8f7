// The feed of live events: pace, sequence numbers, and readers that are slow, reconnect or disconnect.
import { describe, expect, it } from 'vitest'
import type { LiveEvent } from '../../../../emulator/contract/events.ts'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { createEventFeed } from '../../../../emulator/insight/journal/live/event-feed.ts'

const START = epochMillis(1_000_000)

function openFeed() {
  const wallClock = new ManualClock(START)
  const feed = createEventFeed({ wallClock, version: '1' })
  const tell = (reason: string) =>
    feed.tell(() => ({ kind: 'engine', change: 'restarted', reason }))
  return { wallClock, feed, tell }
}

function readerOf(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  const events = async () => {
    const text = await next()
    return JSON.parse(text.slice(text.indexOf('data: ') + 6)).events as LiveEvent[]
  }
  return { next, events, cancel: () => reader.cancel() }
}

const reasons = (events: readonly LiveEvent[]) =>
  events.map((event) => ('reason' in event ? event.reason : event.kind))

describe('the feed of events', () => {
  it('creates no events while no reader is open', () => {
    const { feed, wallClock } = openFeed()
    let made = 0
    feed.tell(() => {
      made += 1
      return { kind: 'gap' }
    })
    wallClock.advance(1_000)
    expect(made).toBe(0)
  })

  it('sends equal events of a batch only once', async () => {
    const { feed, wallClock } = openFeed()
    const reader = readerOf(feed.open())
    await reader.next()
    wallClock.advance(100)
    for (const part of [1, 2]) {
      for (const schemaName of ['a', 'b', 'a'])
        feed.tell(() => ({ kind: 'written', schema_name: schemaName, events: 1 }), schemaName)
      wallClock.advance(50)
      expect([part, ...(await reader.events())]).toEqual([
        part,
        { kind: 'written', schema_name: 'a', events: 1 },
        { kind: 'written', schema_name: 'b', events: 1 },
      ])
    }
  })

  it('puts the events of 50 ms into one batch, with the next number', async () => {
    const { feed, wallClock, tell } = openFeed()
    const reader = readerOf(feed.open())
    await reader.next()
    wallClock.advance(100)
    tell('first')
    wallClock.advance(0)
    tell('second')
    wallClock.advance(49)
    tell('third')
    wallClock.advance(1)
    expect(reasons(await reader.events())).toEqual(['first'])
    const batch = await reader.next()
    expect(batch).toMatch(new RegExp(`^id: ${START + 2}\n`))
    expect(batch).toMatch(/second.*third/)
  })

  it('reports a gap instead of a batch of more than eight million characters', async () => {
    const { feed, wallClock, tell } = openFeed()
    const reader = readerOf(feed.open())
    await reader.next()
    for (let told = 0; told < 100; told++) tell('x'.repeat(100_000))
    wallClock.advance(50)
    expect(reasons(await reader.events())).toEqual(['gap'])
    tell('after')
    wallClock.advance(50)
    expect(reasons(await reader.events())).toEqual(['after'])
  })

  it('sends a comment after every 15 s without an event', async () => {
    const { feed, wallClock } = openFeed()
    const reader = readerOf(feed.open())
    await reader.next()
    const next = reader.next()
    wallClock.advance(15_000)
    expect(await next).toBe(':\n\n')
  })

  it('sends a gap to a reader that is too far behind, then the stored events', async () => {
    const { feed, wallClock, tell } = openFeed()
    const slow = readerOf(feed.open())
    await slow.next()
    for (let number = 0; number < 5_000; number += 1) {
      tell(`n${number}`)
      wallClock.advance(50)
    }
    expect(reasons(await slow.events())).toEqual(['gap'])
    expect(reasons(await slow.events())).toEqual(['n904'])
  })

  it('reports a gap when more events happen at once than a batch holds', async () => {
    const { feed, wallClock, tell } = openFeed()
    const reader = readerOf(feed.open())
    await reader.next()
    for (let number = 0; number < 2_001; number += 1) tell(`n${number}`)
    wallClock.advance(50)
    expect(reasons(await reader.events())).toEqual(['gap', 'n2000'])
  })

  it('keeps batches for half a minute, so that a reader can reconnect', async () => {
    const { feed, wallClock, tell } = openFeed()
    const first = readerOf(feed.open())
    await first.next()
    await first.cancel()
    expect(feed.isWatched).toBe(false)
    tell('missed')
    wallClock.advance(29_000)
    const second = readerOf(feed.open(START))
    expect(reasons(await second.events())).toEqual(['hello'])
    expect(reasons(await second.events())).toEqual(['missed'])
    await second.cancel()
    wallClock.advance(31_000)
    const third = readerOf(feed.open(START + 1))
    expect(reasons(await third.events())).toEqual(['hello', 'gap'])
  })

  it('ends waiting readers when it closes, and ends later readers at once', async () => {
    const { feed, wallClock } = openFeed()
    const reader = feed.open().getReader()
    await reader.read()
    const waiting = reader.read()
    const closed = feed.close()
    wallClock.advance(20)
    await closed
    expect((await waiting).done).toBe(true)
    expect((await feed.open().getReader().read()).done).toBe(true)
  })
})
