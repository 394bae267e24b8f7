// The limit of Postgres client connections per project on a server, and the message that explains how to raise the limit.

import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { noNativeServer } from '../../support/native-server.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

it.skipIf(noNativeServer !== undefined)(
  'tenantry start --client-connections limits the connections of each project, and a refusal names the option',
  async () => {
    const options = ['--engine', 'postgres', '--memory', '--port', '0', '--json']
    const cli = spawnCli(['start', ...options, '--client-connections', '2'])
    const clients: pg.Client[] = []
    try {
      const { groups } = await cli.ready
      const connect = async (url: string | null | undefined): Promise<void> => {
        const client = new pg.Client({ connectionString: url ?? '' })
        clients.push(client)
        await client.connect()
      }
      const [first, second] = groups[0]?.tenants ?? []
      await connect(first?.postgres_url)
      await connect(first?.postgres_url)
      await expect(connect(first?.postgres_url)).rejects.toMatchObject({ code: '53300' })
      await connect(second?.postgres_url)
    } finally {
      for (const client of clients) await client.end().catch(() => {})
      cli.child.kill('SIGTERM')
    }
    const { stderr } = await cli.ended
    expect(stderr).toContain(
      'PostgreSQL refused a client, because 2 are open. Start with --client-connections',
    )
  },
)
