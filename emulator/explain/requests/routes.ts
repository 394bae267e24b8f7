// GET /_emulator/v1/journal/:request_id/chain and POST /projects/:ref/explain/mends (contract/explain.ts).
import type { Hono } from 'hono'
import { type Bindings, decodeBody, liveProject } from '../../api-kit/decode.ts'
import type { AccessChain, Mends } from '../../contract/explain.ts'
import { accessChain } from './chain.ts'
import type { WhyDeps } from './request-case.ts'
import { mendsBody } from './row-questions.ts'

export function mountWhy(app: Hono<Bindings>, deps: WhyDeps): void {
  app.get('/journal/:request_id/chain', async (c) =>
    c.json(
      (await accessChain(deps, c.req.param('request_id'), c.env.addresses)) satisfies AccessChain,
    ),
  )
  app.post('/projects/:ref/explain/mends', async (c) => {
    const project = liveProject(deps.projects, c.req.param('ref'))
    const order = await decodeBody(c, mendsBody)
    return c.json((await deps.rows.mends(project, order, c.env.addresses)) satisfies Mends)
  })
}
