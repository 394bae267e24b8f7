// POST /_emulator/v1/tokens/explain and /tokens/mint (contract/tokens.ts).
import { timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { TOKEN_OPERATIONS, type TokenExplanation } from '../../../contract/tokens.ts'
import { toIso } from '../../../core/time.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { findProject } from '../../api-kit/find-project.ts'
import { type Bindings, mount } from '../../api-kit/mount.ts'
import { examineToken } from './examine-token.ts'
import type { ExamineDeps, Examined } from './examined.ts'
import { type MintTokenDeps, mintToken } from './mint-token.ts'
import { servicesFor } from './token-services.ts'
import { expirySentence } from './token-state.ts'
import { readTokenText, type TokenKind, type TokenText } from './token-text.ts'

export interface TokenRouteDeps extends ExamineDeps, MintTokenDeps {
  readonly adminToken: string | undefined
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

// Explains a credential: its kind, whether it is valid, and which services accept the credential. The credential is not stored.
async function explainToken(deps: TokenRouteDeps, pasted: string): Promise<TokenExplanation> {
  const token = recogniseAdmin(deps.adminToken, readTokenText(pasted))
  const examined = await examineToken(deps, token)
  const { signature, expiresAt, project, flaw } = examined
  const now = deps.clock.now()
  return {
    kind: token.kind,
    header: token.header,
    claims: token.claims,
    signature,
    expires_at: expiresAt === undefined ? null : toIso(expiresAt),
    now: toIso(now),
    project:
      project === undefined
        ? null
        : { schema_name: project.schemaName, slug: project.slug, state: project.state },
    holds: flaw === undefined,
    sentence: flaw?.sentence ?? soundSentence(token.kind, examined, now),
    services: servicesFor(token.kind, examined),
  }
}

function recogniseAdmin(adminToken: string | undefined, token: TokenText): TokenText {
  const wanted = Buffer.from(adminToken ?? '')
  const presented = Buffer.from(token.text)
  const isAdmin =
    wanted.length > 0 && wanted.length === presented.length && timingSafeEqual(wanted, presented)
  return isAdmin ? { ...token, kind: 'admin_token', header: null, claims: null } : token
}

const NAMES: Readonly<Record<TokenKind, string>> = {
  anon_key: 'the public key',
  service_role_key: 'the server-side key',
  data_plane_token: 'a data_plane_token',
  session_token: 'an access_token',
  storage_token: 'a storage token',
  realtime_token: 'a realtime token',
  group_api_key: 'a Group API Key',
  management_key: 'a management key',
  signed_url_token: 'the token of a signed URL',
  platform_session: 'a dashboard session',
  admin_token: 'the admin token of this emulator, for its own API under /_emulator',
  unknown: 'not a credential of this platform',
}

function soundSentence(
  kind: TokenKind,
  { bearer, project, expiresAt }: Examined,
  now: Parameters<typeof expirySentence>[1],
): string {
  const place = project === undefined ? '' : ` in ${project.schemaName}`
  const expiry =
    expiresAt === undefined ? 'The credential does not expire.' : expirySentence(expiresAt, now)
  return `The credential is valid: ${NAMES[kind]} of ${bearer}${place}. ${expiry}`
}
