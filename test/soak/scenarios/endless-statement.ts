// An endless statement over the Postgres port, with a statement_timeout of 0, while another tenant reads.
import { join } from 'node:path'
import pg from 'pg'
import { isLate } from '../machine.ts'
import {
  onServer,
  requireThat,
  type Scenario,
  serverHeaders,
  tenantAt,
  timed,
  withFolder,
  withSite,
} from '../scenario.ts'

const SQL = `create table notes (id integer primary key);
create function never_ends() returns integer language plpgsql as $$ begin loop null; end loop; end $$`
/** The read must get an answer within this time. A refusal also counts as an answer. */
const ANSWERED_WITHIN_MILLIS = 30_000
const WELL_WITHIN_MILLIS = 60_000

export const endlessStatement: Scenario = {
  name: 'endless-statement',
  title: 'one psql session runs a statement without end, and another tenant reads',
  run: () =>
    withFolder((folder) =>
      withSite(SQL, { dataDir: join(folder, 'data') }, async (site) => {
        const client = new pg.Client({
          connectionString: tenantAt(site, 0).postgres_url ?? '',
        })
        client.on('error', () => undefined)
        await client.connect()
        await client.query('set statement_timeout = 0')
        // A server does not notice when the client has disconnected, so the statement ends only with the product.
        const endless = client.query('select never_ends()').then(
          () => 'ended',
          ({ code }: { code?: string }) => code ?? 'lost',
        )
        const read = () =>
          site.product.call('GET', '/notes', { headers: serverHeaders(tenantAt(site, 1)) })
        const started = performance.now()
        const first = await timed(read)
        requireThat(
          !isLate(started, ANSWERED_WITHIN_MILLIS),
          `another tenant's read waited ${Math.round(first.millis)} ms`,
        )
        while ((await read()).status !== 200)
          requireThat(
            !isLate(started, WELL_WITHIN_MILLIS),
            'another tenant is refused for more than a minute',
          )
        const waited = (first.millis / 1_000).toFixed(1)
        if (onServer()) return { figures: `the read waited ${waited} s beside the statement` }
        const code = await endless
        await client.end()
        requireThat(code !== 'ended', 'the statement without end has ended by itself')
        return { figures: `the read waited ${waited} s, the statement ended with ${code}` }
      }),
    ),
}
