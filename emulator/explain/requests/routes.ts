// GET /_emulator/v1/journal/:request_id/chain and POST /projects/:ref/explain/suggested-fixes (contract/explain.ts).
import type { Context, Hono } from 'hono'
import { type Bindings, decodeBody, liveProject } from '../../api-kit/decode.ts'
import type { AccessChain, SuggestedFixes } from '../../contract/explain.ts'
import { accessChain } from './chain.ts'
import type { ChainDeps } from './recorded-request.ts'
import { suggestedFixesBody } from './row-questions.ts'

export function mountRequestChain(app: Hono<Bindings>, deps: ChainDeps): void {
  app.get('/journal/:request_id/chain', async (c) =>
    c.json(
      (await accessChain(deps, c.req.param('request_id'), c.env.addresses)) satisfies AccessChain,
    ),
  )
  const suggestedFixes = async (
    c: Context<Bindings, '/projects/:ref/explain/suggested-fixes'>,
  ): Promise<SuggestedFixes> => {
    const project = liveProject(deps.projects, c.req.param('ref'))
    const request = await decodeBody(c, suggestedFixesBody)
    return deps.rows.suggestedFixes(project, request, c.env.addresses)
  }
  app.post('/projects/:ref/explain/suggested-fixes', async (c) => c.json(await suggestedFixes(c)))
  // cspell:ignore mends
  // The former path and member, for scripts written before the rename.
  app.post('/projects/:ref/explain/mends', async (c) => {
    const answer = await suggestedFixes(c)
    return c.json({ ...answer, mends: answer.suggested_fixes })
  })
}
