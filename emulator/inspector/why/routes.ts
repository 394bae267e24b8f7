// GET /_emulator/v1/journal/:request_id/chain and POST /projects/:ref/explain/mends (contract/explain.ts).
import type { Hono } from 'hono'
import type { AccessChain } from '../../contract/explain.ts'
import type { Bindings } from '../decode.ts'
import { accessChain } from './chain.ts'
import type { WhyDeps } from './occasion.ts'

export function mountWhy(app: Hono<Bindings>, deps: WhyDeps): void {
  app.get('/journal/:request_id/chain', async (c) =>
    c.json(
      (await accessChain(deps, c.req.param('request_id'), c.env.addresses)) satisfies AccessChain,
    ),
  )
}
