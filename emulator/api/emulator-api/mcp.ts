// /_emulator/mcp: the Model Context Protocol for agents, as streamable HTTP on the emulator's port. The tools call the
// emulator's own API in this process. Each call passes the guard and the traffic gate like a request of its own.
import { createMcpHandler } from '@modelcontextprotocol/server'
import { BASE, requestLine } from '../../contract/operation.ts'
import type { Answer, CallArguments, JsonOperationName } from '../../contract/operations.ts'
import { PlainRequest, toResponse } from '../../core/plain-http.ts'
import type { RequestEnv, ServiceApp } from '../../core/request-env.ts'
import { admitToEmulatorApi } from '../../insight/api-kit/guard.ts'
import { createMcpServer } from '../mcp/server.ts'
import type { EmulatorCalls } from '../mcp/tool.ts'

/** Maximum size of an agent's message, which may contain all migration steps of an application. */
const MAX_MESSAGE_BYTES = 32 << 20

export interface McpMountDeps {
  /** The emulator's own API behind the traffic gate. */
  readonly api: ServiceApp
  readonly adminToken: string | undefined
  readonly version: string
}

/**
 * Answers one message of an agent. The query `allow-writes=1` of the address lets the tools change data.
 * @throws {GuardError} for a foreign host or another site's page
 */
export function serveMcp(
  { adminToken, api, version }: McpMountDeps,
  request: Request,
  env: RequestEnv,
): Promise<Response> {
  admitToEmulatorApi(request, env, adminToken)
  const deps = {
    calls: callsWithin(api, request, env),
    allowWrites: new URL(request.url).searchParams.get('allow-writes') === '1',
    version,
  }
  const handler = createMcpHandler(() => createMcpServer(deps), {
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  })
  return handler.fetch(request)
}

/** The members of `Inputs` without the types of a single operation. */
interface Sendable {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

// A client that disconnects cancels the statements of its calls.
function callsWithin(
  api: ServiceApp,
  { headers, signal, url }: Request,
  env: RequestEnv,
): EmulatorCalls {
  const authorization = headers.get('authorization')
  const sent = {
    'content-type': 'application/json',
    ...(authorization === null ? {} : { authorization }),
  }
  const send = async (name: string, inputs: Sendable = {}): Promise<Response> => {
    const [method, path] = requestLine(name, inputs)
    const body = inputs.body === undefined ? null : JSON.stringify(inputs.body)
    const own = new Request(new URL(BASE + path, url), { method, headers: sent, body, signal })
    // The journal must not show the facts of this call as facts of the agent's request.
    return toResponse(await api.answer(new PlainRequest(own, undefined), { ...env, facts: {} }))
  }
  return {
    call: async <Name extends JsonOperationName>(name: Name, ...[inputs]: CallArguments<Name>) => {
      const answer = await send(name, inputs)
      return (answer.status === 204 ? undefined : await answer.json()) as Answer<Name>
    },
  }
}
