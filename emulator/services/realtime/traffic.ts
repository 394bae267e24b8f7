// The interface through which realtime reports its traffic. The event stream implements it.
import type { SchemaName } from '../../core/names.ts'

export interface RealtimeTraffic {
  /** A socket was opened or closed, or a channel was joined or left. */
  changed(schemaName: SchemaName): void
  /** Realtime sent a broadcast, a presence message or a row change to one channel. */
  delivered(schemaName: SchemaName, topic: string): void
}

export const NO_TRAFFIC: RealtimeTraffic = { changed: () => {}, delivered: () => {} }
