// Shared by the query and body targets of the data plane: a tenant with the generated schema, the credentials, and the allowed
// statuses.
import { userToken } from '../../support/test-emulator.ts'
import type { FuzzWorld } from '../fuzz-world.ts'
import { type HttpCase, sendHttp } from '../send-http.ts'
import { type FuzzSession, requireNoTrace, requireThat } from '../target.ts'
import { REST_ROWS, REST_SCHEMA } from './rest-schema.ts'

export type RestIdentity = 'server' | 'user' | 'anon' | 'nobody'

export interface RestCase extends HttpCase {
  readonly as: RestIdentity
}

// SQLSTATE classes that PostgREST answers with 5xx, and that a request can cause: 54 (program limit exceeded) and 55 (object not
// in prerequisite state).
const DOCUMENTED_5XX = /^5[45]/

const USER = '00000000-0000-4000-8000-00000000000a'
const prepared = new WeakSet<FuzzWorld>()

/** Opens the data plane of the world's tenant. */
export async function openRest(world: FuzzWorld): Promise<FuzzSession<RestCase>> {
  const { at, tenant, execute } = world
  if (!prepared.has(world)) await execute(REST_SCHEMA)
  prepared.add(world)
  await execute(REST_ROWS)
  const tokens: Readonly<Record<RestIdentity, string | undefined>> = {
    server: tenant.serviceRoleKey,
    user: await userToken(at, tenant.slug, USER),
    anon: tenant.anonKey,
    nobody: undefined,
  }
  return {
    attempt: async ({ as, ...sent }) => {
      const token = tokens[as]
      const credential = token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]
      const headers = [['apikey', tenant.anonKey] as const, ...credential, ...sent.headers]
      const answer = await sendHttp(at.url, { ...sent, headers })
      requireNoTrace(answer.text, sent.target + String(sent.body))
      const code = codeOf(answer.text)
      requireThat(answer.status !== 0, `the connection ended without an answer: ${answer.text}`)
      requireThat(
        answer.status < 500 || DOCUMENTED_5XX.test(code),
        `answered ${answer.status} ${answer.text.slice(0, 500)}`,
      )
      return answer.status < 300 ? String(answer.status) : `${answer.status} ${code}`
    },
    tidy: async () => {
      await execute(REST_ROWS)
    },
  }
}

function codeOf(text: string): string {
  try {
    const { code, error } = JSON.parse(text)
    return String(code ?? error?.code ?? '')
  } catch {
    return ''
  }
}
