// An agent that uses the official MCP client. The agent calls tools, reads their texts, and counts the bytes that it read.
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'

export interface Reply {
  readonly text: string
  readonly isError: boolean
}

export interface Agent extends AsyncDisposable {
  readonly client: Client
  /** Calls a tool, and fails when the tool refuses. */
  ask(tool: string, input?: Readonly<Record<string, unknown>>): Promise<string>
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<Reply>
  /** Bytes of all answers so far. */
  bytesRead(): number
}

/** Connects over any transport. */
export async function connectAgent(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(transport)
  let bytes = 0
  const call = async (
    name: string,
    input: Readonly<Record<string, unknown>> = {},
  ): Promise<Reply> => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...input } })
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    bytes += Buffer.byteLength(text)
    return { text, isError }
  }
  return {
    client,
    call,
    ask: async (tool, input) => {
      const { isError, text } = await call(tool, input)
      if (isError) throw new Error(`${tool} refused: ${text}`)
      return text
    },
    bytesRead: () => bytes,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** Connects to the port of an emulator. @param query such as `?allow-writes=1` */
export function agentAt(
  url: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Agent> {
  return connectAgent(
    new StreamableHTTPClientTransport(new URL(`${url}/_emulator/mcp${query}`), {
      requestInit: { headers: { ...headers } },
    }),
  )
}
