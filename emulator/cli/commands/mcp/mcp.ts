// `tenantry mcp`: a Model Context Protocol server on standard input and output, for coding agents.
import { Command } from 'commander'
import { addressNow, withAddressOptions } from '../../running-options.ts'

interface McpOptions {
  readonly allowWrites: boolean
  readonly adminToken: string | undefined
}

const HELP = `
An assistant starts this command itself. The generic entry of its configuration:
  {"mcpServers": {"tenantry": {"command": "npx", "args": ["tenantry", "mcp"]}}}

A running emulator also serves the protocol over HTTP, at http://127.0.0.1:7357/_emulator/mcp.`

export function mcpCommand(): Command {
  return withAddressOptions(new Command('mcp'))
    .description(
      'let a coding agent ask a running emulator (Model Context Protocol on stdin/stdout)',
    )
    .option('--allow-writes', 'let the agent change data, time, faults and states', false)
    .addHelpText('after', HELP)
    .action(async ({ adminToken, allowWrites }: McpOptions, command: Command) => {
      const { serveMcp } = await import('./serve-mcp.ts')
      serveMcp({ address: () => addressNow(command), adminToken, allowWrites })
    })
}
