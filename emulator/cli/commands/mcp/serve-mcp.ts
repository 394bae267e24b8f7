// Serves the Model Context Protocol on standard input and output until the agent closes them. The tools call a running
// emulator over HTTP, so this process never loads the emulator itself.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMcpServer } from '../../../api/mcp/server.ts'
import type { EmulatorCalls } from '../../../api/mcp/tool.ts'
import { version } from '../../../core/version.ts'
import { reachEmulator } from '../../../platform/http-client/running-emulator.ts'
import { sentenceOf } from '../../report.ts'
import { answerClient } from '../../running-options.ts'

export interface McpSettings {
  /** Returns the emulator's address for each call, because the emulator may start later or restart on another port. */
  readonly address: () => string
  readonly adminToken: string | undefined
  readonly allowWrites: boolean
}

export function serveMcp({ address, adminToken, allowWrites }: McpSettings): void {
  const http = answerClient()
  const calls: EmulatorCalls = {
    call: async (name, ...args) => reachEmulator(address(), adminToken, http).call(name, ...args),
  }
  calls.call('GET /health').catch(report)
  serveStdio(() => createMcpServer({ calls, allowWrites, version }), {
    onerror: report,
  })
}

// Writes to standard error, because standard output belongs to the protocol.
function report(error: unknown): void {
  process.stderr.write(`tenantry mcp: ${sentenceOf(error)}\n`)
}
