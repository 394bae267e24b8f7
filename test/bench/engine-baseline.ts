// The baseline of rest.ts: the same reads and writes, each as one prepared statement straight to the engine. HTTP, gate, parser
// and planner are left out.
import { SystemClock } from '../../emulator/core/clock.ts'
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import { type SchemaName, trusted } from '../../emulator/core/names.ts'
import { searchPathOf } from '../../emulator/database/as-principal.ts'
import { ensureClusterImage } from '../../emulator/database/embedded/cluster/cluster-image.ts'
import { openPgliteEngine } from '../../emulator/database/embedded/pglite-engine.ts'
import { type Sql, sql, tenantScript } from '../../emulator/database/sql.ts'
import { BULK_BODY, OWNER, ownId, WORKLOAD_SQL } from './workload.ts'

export interface EngineBaseline {
  readonly byKey: (turn: number) => Promise<void>
  readonly list: (turn: number) => Promise<void>
  readonly page: () => Promise<void>
  readonly embed: () => Promise<void>
  readonly call: () => Promise<void>
  readonly insert: (turn: number) => Promise<void>
  readonly bulk: () => Promise<void>
  close(): Promise<void>
}

const PAGE = sql`select coalesce(json_agg(t), '[]')::text from (select * from items order by id limit 1000) t`
const EMBED = sql`select coalesce(json_agg(t), '[]')::text from (select items.*, row_to_json(a) as author from items left join authors a on a.id = items.author_id order by score desc limit 20) t`

export async function createEngineBaseline(): Promise<EngineBaseline> {
  const engine = await openPgliteEngine({
    dataDir: undefined,
    wallClock: new SystemClock(),
    ids: new SystemIdSource(),
    observe: () => undefined,
    clusterImage: await ensureClusterImage(),
  })
  const schemaName: SchemaName = trusted.schemaName('proj_bench')
  await engine.projects.create(schemaName)
  const base = {
    settings: { search_path: searchPathOf(schemaName) },
    end: 'commit',
    timeoutMillis: 60_000,
  } as const
  await engine.run({
    ...base,
    actor: { schemaName, role: trusted.roleName('proj_bench_owner') },
    mode: 'readWrite',
    statements: tenantScript(WORKLOAD_SQL),
  })
  const claims = JSON.stringify({ sub: OWNER, role: 'authenticated' })
  const run = async (mode: 'readOnly' | 'readWrite', statement: Sql): Promise<void> => {
    await engine.run({
      ...base,
      settings: { ...base.settings, 'request.jwt.claims': claims },
      actor: { schemaName, role: 'authenticated' },
      mode,
      statements: [statement],
    })
  }
  return {
    byKey: (turn) =>
      run(
        'readOnly',
        sql`select coalesce(json_agg(t), '[]')::text from (select * from items where id = ${ownId(turn)}) t`,
      ),
    list: () =>
      run(
        'readOnly',
        sql`select coalesce(json_agg(t), '[]')::text from (select * from items where score >= ${500} order by score desc limit 20) t`,
      ),
    page: () => run('readOnly', PAGE),
    embed: () => run('readOnly', EMBED),
    call: () =>
      run('readOnly', sql`select coalesce(json_agg(t), '[]')::text from own_items_over(${500}) t`),
    bulk: () =>
      run(
        'readWrite',
        sql`insert into written (owner, title) select owner, title from json_populate_recordset(null::written, ${BULK_BODY}::json)`,
      ),
    insert: (turn) =>
      run('readWrite', sql`insert into written (owner, title) values (${OWNER}, ${`new ${turn}`})`),
    close: () => engine.close(),
  }
}
