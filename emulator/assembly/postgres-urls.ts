// Addresses of projects for Postgres clients such as psql: on the Postgres port of the embedded engine, or on the server itself.
import { createBackground } from '../core/background.ts'
import { ownerRoleOf, type SchemaName } from '../core/names.ts'
import { SqlError } from '../database/engine.ts'
import type { EngineClients } from '../database/engine-clients.ts'
import type { Project } from '../platform/projects/project.ts'
import type { Foundation } from './open-foundation.ts'
import { mayLogIn, postgresPasswordOf } from './postgres-logins.ts'

/** Host and port, as written in an address. */
export interface PostgresAddress {
  readonly host: string
  readonly port: number
}

export interface PostgresUrls {
  /** Absent while clients cannot connect. */
  readonly address: PostgresAddress | undefined
  /** True when clients connect to a server, so that the emulator opens no port for them. */
  readonly isServer: boolean
  /** Call this method when the emulator has opened its port. */
  onOpened(address: PostgresAddress): void
  /** Returns `undefined` for projects without a login, and while clients cannot connect. */
  urlOf(project: Project): Promise<string | undefined>
}

export function createPostgresUrls(foundation: Foundation): PostgresUrls {
  const { clients } = foundation.engine
  return clients === undefined ? portUrls(foundation) : serverUrls(foundation, clients)
}

function portUrls(foundation: Foundation): PostgresUrls {
  let address: PostgresAddress | undefined
  return {
    isServer: false,
    get address() {
      return address
    },
    onOpened: (opened) => {
      address = opened
    },
    urlOf: async (project) => {
      if (address === undefined || !mayLogIn(project)) return undefined
      const login = `${ownerRoleOf(project.schemaName)}:${postgresPasswordOf(foundation, project)}`
      return `postgresql://${login}@${address.host}:${address.port}/postgres`
    },
  }
}

function serverUrls(foundation: Foundation, clients: EngineClients): PostgresUrls {
  const logins = new ServerLogins(foundation, clients)
  return {
    isServer: true,
    get address() {
      return clients.address
    },
    onOpened: () => {},
    urlOf: async (project) => {
      const password = await logins.passwordOf(project)
      if (password === undefined) return undefined
      const { user, database } = clients.loginOf(project.schemaName)
      const { host, port } = clients.address
      return host.startsWith('/')
        ? `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
        : `postgresql://${user}:${password}@${host}:${port}/${database}`
    },
  }
}

// A project's login works from the first time that its address is read.
class ServerLogins {
  readonly #foundation: Foundation
  readonly #clients: EngineClients
  readonly #allowed = new Map<SchemaName, string>()
  #changes: Promise<unknown> = Promise.resolve()

  constructor(foundation: Foundation, clients: EngineClients) {
    this.#foundation = foundation
    this.#clients = clients
    const background = createBackground('change logins of Postgres clients', foundation.observe)
    const later = (change: () => Promise<void>): void => {
      this.#changes = this.#changes.then(() => background.runAsync(change))
    }
    const refuse = ({ schemaName }: Project): void => {
      this.#allowed.delete(schemaName)
      later(() => clients.refuse(schemaName))
    }
    foundation.lifecycle.listen({
      offline: refuse,
      keysReplaced: refuse,
      stateReplaced: () => later(() => this.#renew()),
    })
  }

  async passwordOf(project: Project): Promise<string | undefined> {
    if (!mayLogIn(project)) return undefined
    await this.#changes
    const password = postgresPasswordOf(this.#foundation, project)
    const { schemaName } = project
    if (this.#allowed.get(schemaName) === password) return password
    try {
      await this.#clients.allow(schemaName, password)
    } catch (error) {
      if (error instanceof SqlError) return undefined
      throw error
    }
    this.#allowed.set(schemaName, password)
    return password
  }

  // A restored project can have other keys, and new logins.
  async #renew(): Promise<void> {
    const { projects } = this.#foundation.stores
    for (const [schemaName, password] of this.#allowed) {
      const project = projects.findProjectBySchema(schemaName)
      const isValid =
        project !== undefined &&
        mayLogIn(project) &&
        postgresPasswordOf(this.#foundation, project) === password
      if (isValid) await this.#clients.allow(schemaName, password)
      else {
        this.#allowed.delete(schemaName)
        await this.#clients.refuse(schemaName)
      }
    }
  }
}
