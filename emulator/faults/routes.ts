// Routes of /_emulator/v1 that manage faults (contract/faults.ts).
import type { Hono } from 'hono'
import { type Bindings, mount } from '../api-kit/mount.ts'
import { type ArmedFault, FAULT_OPERATIONS, type FaultCatalogue } from '../contract/faults.ts'
import { faultCatalogue } from './catalogue.ts'
import type { FaultBook } from './fault-book.ts'

export function mountFaults(app: Hono<Bindings>, faults: FaultBook): void {
  let catalogue: FaultCatalogue | undefined
  mount(app, FAULT_OPERATIONS, {
    'GET /faults': () => ({ faults: faults.list() }),
    'POST /faults': ({ body }) => faults.armFaults([body])[0] as ArmedFault,
    'DELETE /faults': () => ({ disarmed: faults.disarmAll() }),
    'GET /faults/catalogue': () => {
      catalogue ??= faultCatalogue()
      return catalogue
    },
    'DELETE /faults/:id': ({ params }) => faults.disarm(params.id),
  })
}
