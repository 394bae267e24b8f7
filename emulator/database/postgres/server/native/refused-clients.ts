// Reports clients that PostgreSQL refused because their project has its connections. PostgreSQL's own refusal cannot name the
// option that admits more.
import type { Clock } from '../../../../core/clock.ts'
import type { Observer } from '../../../../core/observation.ts'

export interface RefusedClientsDeps {
  readonly clientConnections: number
  readonly wallClock: Clock
  readonly observe: Observer
}

/** Line of the server's log. A message of a tenant cannot begin one. */
const REFUSED = /^\S+ \S+ \S+ FATAL: {2}too many connections for role "(.+)\.client"$/
/** Wall-clock milliseconds between two reports. */
const REPORT_EVERY_MILLIS = 60_000

export class RefusedClients {
  readonly #deps: RefusedClientsDeps
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(deps: RefusedClientsDeps) {
    this.#deps = deps
  }

  readonly onLine = (line: string): void => {
    const slug = REFUSED.exec(line)?.[1]
    const { clientConnections, observe, wallClock } = this.#deps
    const now = wallClock.now()
    if (slug === undefined || now < this.#reportedAt + REPORT_EVERY_MILLIS) return
    this.#reportedAt = now
    observe({
      kind: 'engineDegraded',
      capability: `a free connection for ${slug}`,
      consequence: `PostgreSQL refused a client, because ${clientConnections} are open. Start with --client-connections and a larger number to admit more.`,
    })
  }
}
