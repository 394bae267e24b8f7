// Counts the messages of realtime channels per second, from the event stream. Counts only while a component shows the numbers.
import { useEffect, useState } from 'react'
import type { LiveEvent } from '../../emulator/contract/events.ts'
import { onLiveEvents } from './live.ts'
import { queryClient } from './query-client.ts'
import { every, wallNow } from './time.ts'

type Traffic = Extract<LiveEvent, { readonly kind: 'traffic' }>

/** Messages per second for each topic, as an average of the last five seconds. */
export type MessageRates = ReadonlyMap<string, number>

interface Counted {
  readonly at: number
  readonly messages: Traffic['messages']
}

const WINDOW_MILLIS = 5_000
const TICK_MILLIS = 1_000
const NO_RATES: MessageRates = new Map()

/**
 * Returns the rates of a project. Also reloads the project's connections after sockets or channels changed, at most once a
 * second.
 */
export function useMessageRates(project: string): MessageRates {
  const [rates, setRates] = useState(NO_RATES)
  useEffect(() => {
    let counted: readonly Counted[] = []
    let hasChanged = false
    const stopEvents = onLiveEvents((events) => {
      for (const event of events) {
        if (event.kind !== 'traffic' || event.schema_name !== `proj_${project}`) continue
        counted = [...counted, { at: wallNow(), messages: event.messages }]
        hasChanged ||= event.has_changed
      }
    })
    const stopTicks = every(TICK_MILLIS, () => {
      counted = counted.filter(({ at }) => at > wallNow() - WINDOW_MILLIS)
      setRates((before) => (counted.length + before.size === 0 ? before : ratesOf(counted)))
      if (!hasChanged) return
      hasChanged = false
      void queryClient.invalidateQueries({ queryKey: ['realtime', project] })
    })
    return () => {
      stopEvents()
      stopTicks()
    }
  }, [project])
  return rates
}

function ratesOf(counted: readonly Counted[]): MessageRates {
  const sums = new Map<string, number>()
  for (const { messages } of counted)
    for (const [topic, count] of Object.entries(messages))
      sums.set(topic, (sums.get(topic) ?? 0) + (count * 1_000) / WINDOW_MILLIS)
  return sums
}
