// POST /_emulator/v1/tokens/explain and /tokens/mint (contract/tokens.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeBody, findProject } from '../../api-kit/decode.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { MintedToken, TokenExplanation } from '../../contract/tokens.ts'
import type { ProjectRegistry } from '../../projects/registry.ts'
import { type ExplainTokenDeps, explainToken } from './explain-token.ts'
import { type MintTokenDeps, mintToken, mintTokenSchema } from './mint-token.ts'

export interface TokenRouteDeps extends ExplainTokenDeps, MintTokenDeps {
  readonly projects: ProjectRegistry
}

/** Longer than any header a server takes. */
const MAX_TOKEN_LENGTH = 262_144

/** Body of POST /tokens/explain. */
export const explainTokenSchema = z.strictObject({ token: z.string().max(MAX_TOKEN_LENGTH) })

export function mountTokens(app: Hono<Bindings>, deps: TokenRouteDeps): void {
  app.post('/tokens/explain', async (c) => {
    const { token } = await decodeBody(c, explainTokenSchema)
    c.header('cache-control', 'no-store')
    return c.json((await explainToken(deps, token)) satisfies TokenExplanation)
  })
  app.post('/tokens/mint', async (c) => {
    const order = await decodeBody(c, mintTokenSchema)
    const project = findProject(deps.projects, order.project)
    if (project.state !== 'active' && project.state !== 'deleted')
      throw new InspectorError('not_found', `The project ${project.slug} is ${project.state}.`)
    c.header('cache-control', 'no-store')
    return c.json(
      (await mintToken(deps, project, order, c.env.addresses)) satisfies MintedToken,
      201,
    )
  })
}
