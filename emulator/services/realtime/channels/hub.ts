// Keeps the rooms of all sockets. A frame that is sent to a room reaches all members of the room. A private and a public room
// with the same name are different rooms. All projects share the public rooms (docs/wire/realtime.md#broadcast).
import { type SharedFrame, sharedText } from '../sockets/frames.ts'
import { Presence, type PresenceDiff } from './presence.ts'

/** The part of a channel that its room uses. */
export interface Member {
  /** Whether the channel receives `presence_diff`. */
  readonly followsPresence: boolean
  deliver(frame: SharedFrame): void
}

export interface Room {
  /** `realtime:<name>`. */
  readonly topic: string
  readonly name: string
  readonly isPrivate: boolean
  readonly members: ReadonlySet<Member>
  readonly presence: Presence<Member>
}

export class Hub {
  readonly #rooms = new Map<string, OpenRoom>()

  /** Adds a member to a room. Creates the room for its first member. */
  enter(name: string, isPrivate: boolean, member: Member): Room {
    const id = roomIdOf(name, isPrivate)
    const room = this.#rooms.get(id) ?? {
      topic: `realtime:${name}`,
      name,
      isPrivate,
      members: new Set<Member>(),
      presence: new Presence<Member>(),
    }
    this.#rooms.set(id, room)
    room.members.add(member)
    return room
  }

  /** Removes a member, and sends the presence change to the other members. */
  leave({ name, isPrivate }: Room, member: Member): void {
    const id = roomIdOf(name, isPrivate)
    const room = this.#rooms.get(id)
    if (room === undefined || !room.members.delete(member)) return
    this.tellPresence(room, room.presence.untrack(member))
    if (room.members.size === 0) this.#rooms.delete(id)
  }

  find(name: string, isPrivate: boolean): Room | undefined {
    return this.#rooms.get(roomIdOf(name, isPrivate))
  }

  /** Sends a frame to all members except `except`. */
  cast(room: Room, frame: SharedFrame, except?: Member): void {
    for (const member of room.members) if (member !== except) member.deliver(frame)
  }

  /** Sends a presence change to the members that follow presence. */
  tellPresence(room: Room, diff: PresenceDiff | undefined): void {
    if (diff === undefined) return
    const frame = sharedText(room.topic, 'presence_diff', diff)
    for (const member of room.members) if (member.followsPresence) member.deliver(frame)
  }
}

interface OpenRoom extends Room {
  readonly members: Set<Member>
}

function roomIdOf(name: string, isPrivate: boolean): string {
  return `${isPrivate ? 'private' : 'public'}:${name}`
}
