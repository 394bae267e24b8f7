// Routes of /_emulator/v1 that manage faults (contract/faults.ts).
import type { Hono } from 'hono'
import { type ArmedFault, FAULT_OPERATIONS, type FaultCatalogue } from '../../contract/faults.ts'
import { type Bindings, mount } from '../api-kit/mount.ts'
import { faultCatalogue } from './catalogue.ts'
import type { FaultBook } from './fault-book.ts'
import type { PastRequest } from './preview-fault.ts'

/** Number of requests that a preview compares with the fault. */
const PREVIEWED_REQUESTS = 20

export interface FaultRouteDeps {
  readonly faults: FaultBook
  /** Returns the newest requests that faults can apply to, newest first. */
  readonly pastRequests: (limit: number) => readonly PastRequest[]
}

export function mountFaults(app: Hono<Bindings>, { faults, pastRequests }: FaultRouteDeps): void {
  let catalogue: FaultCatalogue | undefined
  mount(app, FAULT_OPERATIONS, {
    'GET /faults': () => ({ faults: faults.list() }),
    'POST /faults': ({ body }) => faults.armFaults([body])[0] as ArmedFault,
    'DELETE /faults': () => ({ disarmed: faults.disarmAll() }),
    'GET /faults/catalogue': () => {
      catalogue ??= faultCatalogue()
      return catalogue
    },
    'GET /faults/history': ({ query }) => faults.history(query.limit),
    'POST /faults/preview': ({ body }) => faults.preview(body, pastRequests(PREVIEWED_REQUESTS)),
    'DELETE /faults/:id': ({ params }) => faults.disarm(params.id),
  })
}
