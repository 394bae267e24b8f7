// Watches the requests that a test sends with fetch, and compares each with the emulator's OpenAPI documents.
import { dereferenced, operationsOf, schemasOf, type Validators } from './openapi-document.ts'
import type { Json, TestEmulator } from './test-emulator.ts'

export interface DocumentedTraffic {
  /** Lists requests and answers since the last call that differ from the documents. */
  problems(): Promise<readonly string[]>
  /** Ids of the operations without a successful request so far that matches the documents. */
  unseen(): Promise<readonly string[]>
  stop(): void
}

interface KnownOperation {
  readonly method: string
  readonly pattern: RegExp
  /** Number of fixed characters in the pattern. The matching pattern with the most fixed characters is chosen. */
  readonly weight: number
  readonly operation: Json
  readonly document: Json
  readonly validatorOf: Validators
}

/** @param planes the end of the address of each document, such as `auth` or `data?project=shop` */
export async function watchTraffic(
  { call }: Pick<TestEmulator, 'call'>,
  planes: readonly string[],
): Promise<DocumentedTraffic> {
  const known: KnownOperation[] = []
  for (const plane of planes)
    known.push(...knownIn((await call('GET', `/_emulator/v1/openapi/${plane}`)).body))
  known.sort((one, other) => other.weight - one.weight)
  const seen = new Set<string>()
  const checks: Promise<readonly string[]>[] = []
  const send = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const url = new URL(request?.url ?? String(input))
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
    const response = await send(input, init)
    const found = known.find((one) => one.method === method && one.pattern.test(url.href))
    if (found !== undefined)
      checks.push(
        check(found, init?.body, response.clone()).then((problems) => {
          if (response.status < 400 && problems.length === 0) seen.add(found.operation.operationId)
          return problems.map(
            (problem) => `${method} ${url.pathname} ${response.status}: ${problem}`,
          )
        }),
      )
    return response
  }
  return {
    problems: async () => (await Promise.all(checks.splice(0))).flat(),
    unseen: async () => {
      await Promise.all(checks)
      return known
        .map(({ operation }) => operation.operationId as string)
        .filter((id) => !seen.has(id))
    },
    stop: () => {
      globalThis.fetch = send
    },
  }
}

function knownIn(document: Json): readonly KnownOperation[] {
  const validatorOf = schemasOf(document)
  return operationsOf(document).map(({ method, path, operation }) => {
    const [{ url }] = document.paths[path].servers ?? document.servers
    const whole = `${url}${path}`
    return {
      method,
      pattern: patternOf(whole),
      weight: weightOf(whole),
      operation,
      document,
      validatorOf,
    }
  })
}

function patternOf(path: string): RegExp {
  const parts = path
    .split(/(\{\w+\})/)
    .map((part) =>
      part === '{path}'
        ? '[^?]+'
        : part.startsWith('{')
          ? '[^/?]+'
          : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'),
    )
  return new RegExp(`^${parts.join('')}(\\?|$)`)
}

function weightOf(path: string): number {
  return path.replace(/\{\w+\}/g, '').length
}

async function check(
  { operation, document, validatorOf }: KnownOperation,
  body: unknown,
  response: Response,
): Promise<readonly string[]> {
  const stated = dereferenced(document, operation.responses[response.status])
  if (stated === undefined) return [`no such status; the body is ${await response.text()}`]
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const text = await response.text()
  const content = stated.content?.[type] ?? stated.content?.['application/octet-stream']
  if (stated.content === undefined) return text === '' ? [] : [`has a body: ${text}`]
  if (text !== '' && content === undefined) return [`has the type ${type}`]
  if (type !== 'application/json') return []
  const answer = JSON.parse(text)
  return [
    ...differences(validatorOf(content.schema ?? {}), answer),
    ...(response.ok
      ? requestProblems(operation, validatorOf, body)
      : undocumentedCode(stated.description, answer)),
  ]
}

function differences(validate: ReturnType<Validators>, value: Json): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Checks that the document allows the body of an accepted request. */
function requestProblems(
  { requestBody }: Json,
  validatorOf: Validators,
  body: unknown,
): readonly string[] {
  const schema = requestBody?.content['application/json']?.schema
  if (typeof body !== 'string' || schema === undefined) return []
  // The body may have further members, because the platform ignores unknown members.
  return differences(validatorOf(schema, 'open'), JSON.parse(body)).map(
    (words) => `request: ${words}`,
  )
}

/** Allows any SQLSTATE, because the data plane forwards all SQLSTATEs but documents only the frequent ones. */
const SQL_STATE = /^[0-9A-Z]{5}$/

function undocumentedCode(description: string, answer: Json): readonly string[] {
  const code = answer.error?.code ?? answer.code
  if (code === undefined || SQL_STATE.test(code)) return []
  return description.includes(`\`${code}\``) ? [] : [`code ${code}`]
}
