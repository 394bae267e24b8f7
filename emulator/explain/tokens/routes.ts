// POST /_emulator/v1/tokens/explain and /tokens/mint (contract/tokens.ts).
import type { Hono } from 'hono'
import { InspectorError } from '../../api-kit/errors.ts'
import { findProject } from '../../api-kit/find-project.ts'
import { type Bindings, mount } from '../../api-kit/mount.ts'
import { TOKEN_OPERATIONS } from '../../contract/tokens.ts'
import type { ProjectRegistry } from '../../projects/registry.ts'
import { type ExplainTokenDeps, explainToken } from './explain-token.ts'
import { type MintTokenDeps, mintToken } from './mint-token.ts'

export interface TokenRouteDeps extends ExplainTokenDeps, MintTokenDeps {
  readonly projects: ProjectRegistry
}

export function mountTokens(app: Hono<Bindings>, deps: TokenRouteDeps): void {
  mount(app, TOKEN_OPERATIONS, {
    'POST /tokens/explain': ({ c, body }) => {
      c.header('cache-control', 'no-store')
      return explainToken(deps, body.token)
    },
    'POST /tokens/mint': ({ c, body, env }) => {
      const project = findProject(deps.projects, body.project)
      if (project.state !== 'active' && project.state !== 'deleted')
        throw new InspectorError('not_found', `The project ${project.slug} is ${project.state}.`)
      c.header('cache-control', 'no-store')
      return mintToken(deps, project, body, env.addresses)
    },
  })
}
