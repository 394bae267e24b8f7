// Groups the channels of all sockets by room. A private and a public room with the same name are different rooms. Pure.
import type { RealtimeConnection } from '../../../emulator/contract/realtime.ts'

export interface Room {
  readonly topic: string
  readonly isPrivate: boolean
  /** Number of channels that joined the room. */
  readonly members: number
}

/** Returns the rooms with the most members first. */
export function roomsOf(connections: readonly RealtimeConnection[]): readonly Room[] {
  const channels = connections.flatMap((connection) => connection.channels)
  const rooms = Map.groupBy(channels, ({ is_private: isPrivate, topic }) => `${isPrivate} ${topic}`)
  return [...rooms.values()]
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : { topic: first.topic, isPrivate: first.is_private, members: 1 + others.length },
    )
    .toSorted((one, other) => other.members - one.members)
}
