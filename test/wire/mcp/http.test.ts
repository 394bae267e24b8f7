// /_emulator/mcp: the Model Context Protocol on the emulator's port, with the protocol's own client.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentAt } from '../../support/agent.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'vendor', { sql: 'create table notes (id int primary key)' })
  await provisionTenant(at, group, 'acme')
})
afterAll(() => at[Symbol.asyncDispose]())

const INSERT = { tenant: 'acme', sql: 'insert into notes values (1)', mode: 'run' }

describe('the protocol', () => {
  it('offers tools with descriptions, and with schemas that refuse unknown properties', async () => {
    await using agent = await agentAt(at.url)
    const { tools } = await agent.client.listTools()
    const guide = readFileSync('docs/guide/agents.md', 'utf8')
    expect(tools.length).toBeGreaterThanOrEqual(12)
    expect(tools.length).toBeLessThanOrEqual(20)
    for (const { annotations, description, inputSchema, name } of tools) {
      expect(description, name).toMatch(/\.$/)
      expect(guide, 'docs/guide/agents.md').toContain(`\`${name}\``)
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    }
  })

  it('offers documentation pages and fixture files as resources', async () => {
    await using agent = await agentAt(at.url)
    const { resources } = await agent.client.listResources()
    expect(resources.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'docs/guide/audit.md',
        'docs/wire/errors.md',
        'fixtures/shop/fixture.yaml',
      ]),
    )
    const { contents } = await agent.client.readResource({
      uri: 'tenantry:///fixtures/clinics/template.sql',
    })
    expect(contents).toMatchObject([
      { mimeType: 'application/sql', text: expect.stringContaining('create table patients') },
    ])
    await expect(
      agent.client.readResource({ uri: 'tenantry:///docs/../package.json' }),
    ).rejects.toThrow(/not found/)
  })

  it('answers a client of an older revision that starts without a session', async () => {
    const { status, text } = await at.call('POST', '/_emulator/mcp', {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    expect(status).toBe(200)
    expect(text).toContain('"name":"run_sql"')
  })

  it('keeps its calls out of the journal', async () => {
    await using agent = await agentAt(at.url)
    const before = await at.call('GET', '/_emulator/v1/journal')
    await agent.ask('run_sql', { tenant: 'acme', sql: 'select 1' })
    await agent.ask('who_can_see', { tenant: 'acme' })
    await agent.ask('recent_requests', { tenant: 'acme' })
    const after = await at.call('GET', '/_emulator/v1/journal')
    expect(after.body.entries).toEqual(before.body.entries)
  })
})

describe('a long answer', () => {
  const SQL = `create table events (id int primary key, body text);
    alter table events enable row level security;
    insert into events select n, repeat('x', 300) from generate_series(1, 120) n`

  it('has at most 4 kB and a cursor, and the pages show every entry once', async () => {
    await using agent = await agentAt(at.url, '?allow-writes=1')
    await agent.ask('run_sql', { tenant: 'acme', sql: SQL, mode: 'run' })
    const seen: string[] = []
    let cursor: number | undefined = 0
    while (cursor !== undefined) {
      const input = { tenant: 'acme', table: 'events', cursor }
      const page = await agent.ask('who_can_see', input)
      expect(Buffer.byteLength(page)).toBeLessThanOrEqual(4_000)
      seen.push(...[...page.matchAll(/^\{"id":"(\d+)"\}/gm)].map(([, id]) => id ?? ''))
      const next = /Continue with "cursor": (\d+)\./.exec(page)?.[1]
      cursor = next === undefined ? undefined : Number(next)
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => String(index + 1)))
  })

  it('states how many rows of a SQL result it leaves out', async () => {
    await using agent = await agentAt(at.url)
    const query = { tenant: 'acme', sql: 'select * from events order by id' }
    const text = await agent.ask('run_sql', { ...query, limit: 2 })
    expect(text.split('\n')).toEqual([
      'read_only as owner',
      'SELECT 120: id integer, body text',
      expect.stringMatching(/^\["1","x+"\]$/),
      expect.stringMatching(/^\["2","x+"\]$/),
      '(118 more entries are left out. Read the rest with LIMIT and OFFSET, or select fewer columns.)',
    ])
    const most = await agent.ask('run_sql', { ...query, limit: 100 })
    expect(Buffer.byteLength(most)).toBeLessThanOrEqual(4_000)
    const rows = most.match(/^\["/gm)?.length ?? 0
    expect(most).toContain(`(${120 - rows} more entries are left out. Read the rest with LIMIT`)
  })
})

describe('a read-only server', () => {
  it.each([
    ['run_sql', INSERT],
    ['run_sql', { ...INSERT, mode: 'rollback' }],
    ['clock', { action: 'reset' }],
    ['faults', { action: 'arm', effect: 'latency', ms: 1 }],
    ['faults', { action: 'disarm' }],
    ['snapshots', { action: 'save', name: 'x' }],
    ['snapshots', { action: 'restore', name: 'x' }],
    ['snapshots', { action: 'reset' }],
    ['fixtures', { action: 'apply', fixture: 'shop' }],
  ])('refuses %s with %j, and says how to allow writes', async (tool, input) => {
    await using agent = await agentAt(at.url)
    const { isError, text } = await agent.call(tool, input)
    expect(isError).toBe(true)
    expect(text).toContain('This server is read-only')
    expect(text).toContain('--allow-writes')
  })

  it('lets Postgres refuse a write in SQL', async () => {
    await using agent = await agentAt(at.url)
    const { isError, text } = await agent.call('run_sql', {
      tenant: 'acme',
      sql: 'set transaction read write; insert into notes values (2)',
    })
    expect(isError).toBe(true)
    expect(text).toContain('Postgres refused the SQL with 25')
  })
})

describe('a server that allows writes', () => {
  it('stores a write, and marks the tools that may change data', async () => {
    await using agent = await agentAt(at.url, '?allow-writes=1')
    expect(await agent.ask('run_sql', INSERT)).toContain('INSERT 0 1')
    expect(await agent.ask('run_sql', { tenant: 'acme', sql: 'select * from notes' })).toContain(
      '["1"]',
    )
    const { tools } = await agent.client.listTools()
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
    expect(changing.map(({ name }) => name)).toEqual([
      'run_sql',
      'clock',
      'faults',
      'snapshots',
      'fixtures',
    ])
  })

  it('resets the platform without waiting for the message that requests the reset', async () => {
    await using other = await startTestEmulator()
    await using agent = await agentAt(other.url, '?allow-writes=1')
    expect(await agent.ask('snapshots', { action: 'reset' })).toContain('Reset')
  })
})

describe('errors', () => {
  it.each([
    ['describe_schema', { tenant: 'nope' }, 'There is no project nope. Name it by'],
    ['explain_rows', { tenant: 'acme', table: 'nope', identity: 'anon' }, 'Its tables: '],
    ['recent_requests', { tenant: 'nope' }, 'There are: acme'],
    ['why_refused', {}, 'No request was refused yet.'],
    ['clock', { action: 'advance' }, 'Give "seconds"'],
    ['fixtures', { action: 'check' }, 'Give "fixture"'],
    ['suggest_fix', { tenant: 'acme', table: 'notes', identity: 'anon' }, 'Give "key"'],
    ['run_sql', { tenant: 'acme' }, 'sql'],
    ['run_sql', { tenant: 'acme', sql: 'select 1', typo: 1 }, 'typo'],
  ])('of %s with %j say what to do', async (tool, input, sentence) => {
    await using agent = await agentAt(at.url)
    const { isError, text } = await agent.call(tool, input)
    expect(text).toContain(sentence)
    expect(isError).toBe(true)
  })
})

/** A request with headers that fetch would not send. */
function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/_emulator/mcp`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end('{}')
  })
}

describe('the guard', () => {
  it.each([{ host: 'evil.test' }, { origin: 'https://evil.test' }, { origin: 'null' }])(
    'refuses %j',
    async (headers) => {
      expect(await statusOf(at.url, headers)).toBe(403)
    },
  )

  it('requires the admin token when the emulator has one', async () => {
    await using guarded = await startTestEmulator({ adminToken: 'an admin token of some length' })
    expect(await statusOf(guarded.url, {})).toBe(401)
    await using agent = await agentAt(guarded.url, '', {
      authorization: 'Bearer an admin token of some length',
    })
    expect(await agent.ask('list_tenants')).toContain('Emulator ')
  })
})
