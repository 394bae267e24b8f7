// Sends realtime's traffic to the feed: one event for each project in a batch. Without readers, a message costs one comparison.
import type { LiveEvent } from '../../../contract/events.ts'
import type { EventFeed } from '../../../insight/journal/live/event-feed.ts'
import type { RealtimeTraffic } from '../../../services/realtime/traffic.ts'

interface Counts {
  hasChanged: boolean
  readonly messages: Map<string, number>
}

export function tellTraffic(feed: Pick<EventFeed, 'isWatched' | 'tell'>): RealtimeTraffic {
  const waiting = new Map<string, Counts>()
  const countsOf = (schemaName: string): Counts => {
    const counts = waiting.get(schemaName) ?? { hasChanged: false, messages: new Map() }
    waiting.set(schemaName, counts)
    feed.tell(() => take(schemaName), `traffic ${schemaName}`)
    return counts
  }
  const take = (schemaName: string): LiveEvent | undefined => {
    const counts = waiting.get(schemaName)
    waiting.delete(schemaName)
    return (
      counts && {
        kind: 'traffic',
        schema_name: schemaName,
        has_changed: counts.hasChanged,
        messages: Object.fromEntries(counts.messages),
      }
    )
  }
  return {
    changed: (schemaName) => {
      if (feed.isWatched) countsOf(schemaName).hasChanged = true
      else waiting.clear()
    },
    delivered: (schemaName, topic) => {
      if (!feed.isWatched) return
      const { messages } = countsOf(schemaName)
      messages.set(topic, (messages.get(topic) ?? 0) + 1)
    },
  }
}
