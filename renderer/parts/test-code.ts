// Writes a request as a vitest test with `tenantry/vitest` (docs/guide/tests.md): a tenant of its own, the identity of the
// request, and the answer as expectation. Pure.
import type { JournalEntry } from '../../emulator/contract/journal.ts'
import type { RequestRecording } from '../../emulator/contract/recording.ts'
import { type CopiedRequest, sentHeaders } from './curl-command.ts'
import { bodyText, quotedText, requestInit } from './fetch-code.ts'

export interface TestedRequest {
  readonly entry: Pick<
    JournalEntry,
    'method' | 'target' | 'status' | 'role' | 'subject' | 'schema_name' | 'error_code'
  >
  readonly recording:
    | (NonNullable<CopiedRequest['recording']> & Pick<RequestRecording, 'claims' | 'response_body'>)
    | null
}

/** Headers that the test does not set, because the test's identity adds them. */
const OF_IDENTITY = new Set(['authorization', 'apikey', 'accept-profile', 'content-profile'])

/** Claims that the test does not set, because the emulator adds them to every new token. */
const OF_TOKEN = new Set(
  'iss aud sub role exp iat nbf jti kid sid session_id project_id project_ref project_schema project_slug sdb_role origin_role key_version kv token_type typ'.split(
    ' ',
  ),
)

/**
 * Returns `undefined` for requests outside a tenant, such as requests to the management plane, and when the request body is not
 * known.
 */
export function testCode({ entry, recording }: TestedRequest): string | undefined {
  const { method, target, status, schema_name: schemaName } = entry
  if (schemaName === null || /^\/(?:platform|groups|auth|_emulator)\//.test(target))
    return undefined
  const body = recording?.request_body.state ?? 'empty'
  if (body !== 'complete' && body !== 'empty' && method !== 'GET') return undefined
  const headers = sentHeaders(recording).filter(([name]) => !OF_IDENTITY.has(name.toLowerCase()))
  const init = requestInit(method, Object.fromEntries(headers), bodyText(recording))
  const address = addressCode(target, schemaName)
  const path = target.split('?')[0] ?? target
  const lines = [
    "import { expect } from 'vitest'",
    "import { test } from 'tenantry/vitest'",
    '',
    `test(${quotedText(`${method} ${path} as ${entry.role ?? 'anon'} answers ${status}`)}, async ({ tenant }) => {`,
    `  const caller = await tenant.as(${identityCode(entry, recording)})`,
    ...(init.length === 0
      ? [`  const answer = await caller.fetch(${address})`]
      : [
          `  const answer = await caller.fetch(${address}, {`,
          ...init.map((line) => `  ${line}`),
          '  })',
        ]),
    `  expect(answer.status).toBe(${status})`,
    ...expectedBody(entry, recording).map((line) => `  ${line}`),
    '})',
  ]
  return `${lines.join('\n')}\n`
}

const OWN_SCHEMA = `\${tenant.schemaName}`

// Replaces the recorded tenant in the path by the test's own tenant, because some routes name the tenant in the path.
function addressCode(target: string, schemaName: string): string {
  if (!target.includes(schemaName)) return quotedText(target)
  const escaped = target.replaceAll(/[`\\]|\$\{/g, (found) => `\\${found}`)
  return `\`${escaped.replaceAll(schemaName, () => OWN_SCHEMA)}\``
}

function identityCode(
  { role, subject }: TestedRequest['entry'],
  recording: TestedRequest['recording'],
): string {
  const given = Object.entries(recording?.claims ?? {}).filter(([name]) => !OF_TOKEN.has(name))
  const isUser = role === 'authenticated' && subject !== null
  const members = [
    `role: ${quotedText(role ?? 'anon')}`,
    ...(isUser ? [`user: ${quotedText(subject)}`] : []),
    ...(isUser && given.length > 0 ? [`claims: ${JSON.stringify(Object.fromEntries(given))}`] : []),
  ]
  return `{ ${members.join(', ')} }`
}

/** The test's new tenant has other rows. The test therefore compares only the columns of a list, or the code of a refusal. */
function expectedBody(
  { status }: TestedRequest['entry'],
  recording: TestedRequest['recording'],
): readonly string[] {
  const body = parsed(recording?.response_body)
  if (status < 400) {
    const [first] = Array.isArray(body) ? body : []
    if (typeof first !== 'object' || first === null) return []
    const columns = Object.keys(first).map(quotedText).join(', ')
    return [
      'for (const row of await answer.json())',
      `  expect(Object.keys(row)).toEqual([${columns}])`,
    ]
  }
  const code = codeOf(body)
  return code === undefined ? [] : [`expect(await answer.json()).toMatchObject(${code})`]
}

function codeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  for (const name of ['code', 'error_code', 'error'] as const) {
    const value: unknown = Reflect.get(body, name)
    if (typeof value === 'string') return `{ ${name}: ${quotedText(value)} }`
    const inner = codeOf(value)
    if (inner !== undefined) return `{ ${name}: ${inner} }`
  }
  return undefined
}

function parsed(body: RequestRecording['response_body'] | undefined): unknown {
  if (body?.state !== 'complete' || body.text === null) return undefined
  try {
    return JSON.parse(body.text)
  } catch {
    return undefined
  }
}
