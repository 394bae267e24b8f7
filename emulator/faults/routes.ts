// /_emulator/v1/faults (contract/faults.ts).
import type { Hono } from 'hono'
import { type Bindings, decodeBody } from '../api-kit/decode.ts'
import type { ArmedFault, FaultCatalogue, FaultList, FaultsDisarmed } from '../contract/faults.ts'
import { faultCatalogue } from './catalogue.ts'
import type { FaultBook } from './fault-book.ts'
import { faultOrderSchema, orderOf } from './fault-order.ts'

export function mountFaults(app: Hono<Bindings>, faults: FaultBook): void {
  let catalogue: FaultCatalogue | undefined
  app.get('/faults', (c) => c.json({ faults: faults.list() } satisfies FaultList))
  app.post('/faults', async (c) => {
    const order = orderOf(await decodeBody(c, faultOrderSchema))
    const [armed] = faults.armFaults([order])
    return c.json(armed satisfies ArmedFault | undefined, 201)
  })
  app.delete('/faults', (c) => c.json({ disarmed: faults.disarmAll() } satisfies FaultsDisarmed))
  app.get('/faults/catalogue', (c) => {
    catalogue ??= faultCatalogue()
    return c.json(catalogue)
  })
  app.delete('/faults/:id', (c) => c.json(faults.disarm(c.req.param('id')) satisfies ArmedFault))
}
