// A cluster of an earlier version gets the platform's current functions and privileges.
import { expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { cellText, type Engine } from '../../../../emulator/database/engine.ts'
import { script, verbatim } from '../../../../emulator/database/sql.ts'
import { renewCluster } from '../../../../emulator/database/tenant-schema/cluster-sql.ts'
import { admin, openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const PROJECT = trusted.schemaName('proj_old')
// Removes the objects that the previous version did not have.
const TAKE_BACK = `
  select platform.release_schema('proj_old');
  drop function platform.adopt_schema, platform.release_schema, platform.adopt;
  delete from pg_depend where refclassid = 'pg_extension'::regclass and refobjid = 16383;
  delete from pg_extension where extname = 'tenantry';
  delete from pg_init_privs;
  update pg_depend set refobjid = 20000
    where refclassid = 'pg_extension'::regclass
      and refobjid = (select oid from pg_extension where extname = 'hstore');
  update pg_extension set oid = 20000 where extname = 'hstore';
  revoke select on pg_sequences, pg_stat_user_tables from public;
  comment on schema platform is null`

it('updates a cluster of an earlier version only once', async () => {
  const { engine } = await openTestEngine()
  await engine.projects.create(PROJECT)
  await admin(engine, 'cluster', TAKE_BACK)

  await renewCluster(engine)

  await runAsOwner(engine, PROJECT, 'select * from pg_sequences; select * from pg_stat_user_tables')
  expect(await countOf(engine, `from pg_extension where oid >= 16384`)).toBe(0)
  // Counts the schemas auth and extensions, functions of auth, and the project's schema with its tables and their sequence.
  expect(await countOf(engine, `from pg_depend where refobjid = 16383 and deptype = 'e'`)).toBe(16)
  let scripts = 0
  await renewCluster({
    admin: (where, work) => {
      scripts++
      return engine.admin(where, work)
    },
  })
  expect(scripts).toBe(1)
  await engine.projects.drop(PROJECT)
  expect(await countOf(engine, `from pg_namespace where nspname = '${PROJECT}'`)).toBe(0)
  await engine.close()
})

async function countOf(engine: Engine, from: string): Promise<number> {
  const [result] = await engine.admin('cluster', script([verbatim(`select count(*) ${from}`)]))
  return Number(cellText(result?.rows[0]?.[0]))
}
