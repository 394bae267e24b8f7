// Addresses of projects for Postgres clients such as psql: on the emulator's Postgres port with the embedded engine, or on the
// Postgres server itself.
import { createBackground } from '../../core/background.ts'
import { ownerRoleOf, type SchemaName } from '../../core/names.ts'
import type { Observer } from '../../core/observation.ts'
import { SqlError } from '../../database/engine.ts'
import type { EngineClients } from '../../database/engine-clients.ts'
import type { Project } from '../projects/project.ts'
import { type LoginDeps, mayLogIn, postgresPasswordOf } from './postgres-logins.ts'

/** Host and port, as written in an address. */
export interface PostgresAddress {
  readonly host: string
  readonly port: number
}

export interface PostgresUrls {
  /** `undefined` while clients cannot connect. */
  readonly address: PostgresAddress | undefined
  /** True when clients connect directly to a Postgres server, so that the emulator opens no Postgres port. */
  readonly isServer: boolean
  /** Call this method when the emulator has opened its Postgres port. */
  onOpened(address: PostgresAddress): void
  /** Returns `undefined` for projects without a login, and while clients cannot connect. */
  urlOf(project: Project): Promise<string | undefined>
}

export interface UrlDeps extends LoginDeps {
  readonly observe: Observer
}

export function createPostgresUrls(deps: UrlDeps): PostgresUrls {
  const { clients } = deps.engine
  return clients === undefined ? portUrls(deps) : serverUrls(deps, clients)
}

function portUrls(deps: UrlDeps): PostgresUrls {
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
      const login = `${ownerRoleOf(project.schemaName)}:${postgresPasswordOf(deps, project)}`
      return `postgresql://${login}@${address.host}:${address.port}/postgres`
    },
  }
}

function serverUrls(deps: UrlDeps, clients: EngineClients): PostgresUrls {
  const logins = new ServerLogins(deps, clients)
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

// Logins on a Postgres server. A project's login works from the first time that its address is read.
class ServerLogins {
  readonly #deps: UrlDeps
  readonly #clients: EngineClients
  readonly #allowed = new Map<SchemaName, string>()
  #changes: Promise<unknown> = Promise.resolve()

  constructor(deps: UrlDeps, clients: EngineClients) {
    this.#deps = deps
    this.#clients = clients
    const background = createBackground('change logins of Postgres clients', deps.observe)
    const later = (change: () => Promise<void>): void => {
      this.#changes = this.#changes.then(() => background.runAsync(change))
    }
    const refuse = ({ schemaName }: Project): void => {
      this.#allowed.delete(schemaName)
      later(() => clients.refuse(schemaName))
    }
    deps.lifecycle.listen({
      offline: refuse,
      keysReplaced: refuse,
      stateReplaced: () => later(() => this.#renew()),
    })
  }

  async passwordOf(project: Project): Promise<string | undefined> {
    if (!mayLogIn(project)) return undefined
    await this.#changes
    const password = postgresPasswordOf(this.#deps, project)
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

  // A restored state can contain other projects and other keys, so each allowed login is checked again.
  async #renew(): Promise<void> {
    const { projects } = this.#deps
    for (const [schemaName, password] of this.#allowed) {
      const project = projects.findProjectBySchema(schemaName)
      const isValid =
        project !== undefined &&
        mayLogIn(project) &&
        postgresPasswordOf(this.#deps, project) === password
      if (isValid) await this.#clients.allow(schemaName, password)
      else {
        this.#allowed.delete(schemaName)
        await this.#clients.refuse(schemaName)
      }
    }
  }
}
