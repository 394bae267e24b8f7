// `tenantry mcp`: the Model Context Protocol on standard input and output, with the protocol's own client.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Agent, connectAgent } from '../../support/agent.ts'
import { CLI_COMMAND, spawnCli } from '../../support/cli-process.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
  const group = await createGroup(at, 'vendor', { sql: 'create table notes (id int primary key)' })
  await provisionTenant(at, group, 'acme')
})
afterAll(() => at[Symbol.asyncDispose]())

function agentOf(...options: readonly string[]): Promise<Agent> {
  const [command = '', ...args] = CLI_COMMAND
  return connectAgent(
    new StdioClientTransport({ command, args: [...args, 'mcp', ...options], stderr: 'ignore' }),
  )
}

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const INSERT = { tenant: 'acme', sql: 'insert into notes values (1) returning id', mode: 'run' }

describe('tenantry mcp', () => {
  it('calls a running emulator, and is read-only by default', async () => {
    await using agent = await agentOf('--url', at.url)
    expect(await agent.ask('list_tenants')).toContain('tenant acme: active')
    expect(await agent.call('run_sql', INSERT)).toMatchObject({ isError: true })
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'tenantry' })
    expect(agent.client.getInstructions()).toContain('list_tenants')
  })

  it('changes data with --allow-writes', async () => {
    await using agent = await agentOf('--url', at.url, '--allow-writes')
    expect(await agent.ask('run_sql', INSERT)).toContain('["1"]')
  })

  it('says in the answer that no emulator runs, and finds an emulator that starts later', async () => {
    const port = await freePort()
    await using agent = await agentOf('--url', `http://127.0.0.1:${port}`)
    const { isError, text } = await agent.call('list_tenants')
    expect(isError).toBe(true)
    expect(text).toMatch(/No emulator answers at http:\S+ Start one with "tenantry start"/)
    await using _ = await startTestEmulator({}, [], port)
    expect(await agent.ask('list_tenants')).toContain('Emulator ')
  })

  it('says in the answer that no emulator has the given name', async () => {
    await using agent = await agentOf('--name', 'no-such-name')
    expect((await agent.call('list_tenants')).text).toContain(
      'No emulator with the name "no-such-name" runs.',
    )
  })

  it('ends when its input ends, and writes only the protocol to its output', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, stderr, stdout } = await spawnCli(['mcp', '--url', url]).ended
    expect(code).toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(`No emulator answers at ${url}.`)
  })
})
