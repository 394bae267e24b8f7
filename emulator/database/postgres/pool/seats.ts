// The logins that the pool has connections for, and the connections of each project together.
import type { PlatformScope } from '../../engine.ts'
import type { ServerAddress } from '../server/running-server.ts'
import { type ProjectShare, Seat } from './seat.ts'

export interface SeatLogin {
  /** The login with its present address. */
  readonly login: () => ServerAddress
  /** Settings of the login's sessions in libpq's form. */
  readonly options: string
}

export class Seats {
  readonly #seats = new Map<string, Seat>()
  readonly #shares = new Map<PlatformScope, ProjectShare>()

  /** @param loginOf called for a role that has no seat */
  seatOf(project: PlatformScope, role: string, loginOf: () => SeatLogin): Seat {
    const key = `${project} ${role}`
    const known = this.#seats.get(key)
    if (known !== undefined) return known
    const { login, options } = loginOf()
    const seat = new Seat(login, project, this.shareOf(project), options)
    this.#seats.set(key, seat)
    return seat
  }

  shareOf(project: PlatformScope): ProjectShare {
    const known = this.#shares.get(project)
    if (known !== undefined) return known
    const share: ProjectShare = {
      size: 0,
      evictions: 0,
      schemaChanges: 0,
      connections: new Set(),
    }
    this.#shares.set(project, share)
    return share
  }

  /** Counts a change of the project's schema. A project without a share has no connections. */
  schemaChanged(project: PlatformScope): void {
    const share = this.#shares.get(project)
    if (share !== undefined) share.schemaChanges += 1
  }

  seatsOf(share: ProjectShare): readonly Seat[] {
    return [...this.#seats.values()].filter((seat) => seat.share === share)
  }

  /** The promises that settle when the server has ended the connections of all projects. */
  ends(): readonly Promise<void>[] {
    return [...this.#shares.values()].flatMap(({ connections }) => [...connections])
  }

  /** Forgets a project without connections, so that projects that were dropped or renamed leave nothing behind. */
  dropUnused(project: PlatformScope, share: ProjectShare): void {
    if (share.evictions > 0 || share.size > 0) return
    for (const [key, seat] of this.#seats)
      if (seat.share === share && seat.waiting.length === 0) this.#seats.delete(key)
    if (this.seatsOf(share).length === 0) this.#shares.delete(project)
  }
}
