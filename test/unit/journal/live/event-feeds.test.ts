// A page without a list of requests causes no events about single requests, and few recorded bodies.
import { expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { createEventFeeds } from '../../../../emulator/insight/journal/live/event-feeds.ts'

function open() {
  const wallClock = new ManualClock(epochMillis(1_000_000))
  return { wallClock, feeds: createEventFeeds({ wallClock, version: '1' }) }
}

const event = { kind: 'faults', armed: 1 } as const

it('no events of single requests are created while only the quiet feed has a reader', () => {
  const { feeds } = open()
  feeds.quiet.open()
  let made = 0
  for (let request = 0; request < 5_000; request += 1)
    feeds.whole.tell(() => {
      made += 1
      return event
    })
  expect(made).toBe(0)
})

it('at most 20 requests a second are recorded for the quiet feed, and all requests for the whole feed', () => {
  const { feeds, wallClock } = open()
  const recorded = (): number => {
    let count = 0
    for (let request = 0; request < 1_000; request += 1)
      if (feeds.isWatched) {
        feeds.countWatched()
        count += 1
      }
    return count
  }
  expect(recorded()).toBe(0)
  feeds.quiet.open()
  expect(recorded()).toBe(20)
  expect(recorded()).toBe(0)
  wallClock.advance(1_000)
  expect(recorded()).toBe(20)
  feeds.whole.open()
  expect(recorded()).toBe(1_000)
})

it('both feeds send the same boot_id in their first event', async () => {
  const { feeds } = open()
  const hellos = await Promise.all(
    [feeds.whole, feeds.quiet].map(async (feed) => {
      const { value } = await feed.open().getReader().read()
      return /"boot_id":"([^"]+)"/.exec(new TextDecoder().decode(value))?.[1]
    }),
  )
  expect(hellos[0]).toBe(hellos[1])
  expect(hellos[0]).toBeDefined()
})
