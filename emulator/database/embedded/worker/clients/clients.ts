// The clients of the Postgres port inside the worker, by number. A restart of the engine forgets all clients.

import type { ConnectRequest, TurnRequest } from '../../worker-protocol.ts'
import type { Streaming } from '../backend/backend.ts'
import type { Session } from '../session/session.ts'
import { type Outcome, WorkRefused } from '../work/tenant-work.ts'
import { Client } from './client.ts'

export class Clients {
  readonly #session: Session
  readonly #clients = new Map<number, Client>()

  constructor(session: Session) {
    this.#session = session
  }

  /** @throws {WorkRefused} */
  connect(request: ConnectRequest): Outcome {
    const { client, parameters } = Client.connect(this.#session, request)
    this.#clients.set(request.client, client)
    return { bytes: parameters, committed: true }
  }

  /** @throws {WorkRefused | BackendDied} */
  run(request: TurnRequest, streaming: Streaming): Outcome {
    const client = this.#clients.get(request.client)
    if (client === undefined)
      throw new WorkRefused(
        '57P02',
        'terminating connection because the database engine was restarted',
      )
    return client.run(request, streaming)
  }

  disconnect(number: number): Outcome {
    this.#clients.get(number)?.disconnect()
    this.#clients.delete(number)
    return { bytes: new Uint8Array(0), committed: true }
  }
}
