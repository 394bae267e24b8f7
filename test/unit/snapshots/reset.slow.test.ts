// A reset undoes every operation on the platform: rows, structure, sequences, records, files, users, time.

import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import { cellText } from '../../../emulator/database/engine.ts'
import { createRowReader } from '../../../emulator/database/row-reader.ts'
import { script, sql, verbatim } from '../../../emulator/database/sql.ts'
import { TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import { type StateLab, startStateLab } from '../../support/state-lab.ts'

let lab: StateLab
beforeAll(async () => {
  lab = await startStateLab()
}, 60_000)
afterAll(() => lab.close())

const CATALOGS = [
  'pg_class',
  'pg_attribute',
  'pg_proc',
  // On a server, a reset creates logins again with other oids.
  ...(TEST_DATABASE_URL === undefined ? ['pg_authid', 'pg_auth_members'] : []),
  'pg_namespace',
  'pg_constraint',
  'pg_index',
  'pg_trigger',
  'pg_policy',
  'pg_sequence',
  'pg_type',
  'pg_depend',
  'pg_default_acl',
  'pg_rewrite',
  'pg_description',
]

// Returns digests of the catalogues of all databases with projects.
async function catalogs(): Promise<readonly (string | undefined)[]> {
  const { engine, stores } = lab.foundation
  const projects = stores.projects.listInState('active').map(({ schemaName }) => schemaName)
  // A sum of hashes does not depend on the order of rows. Sorting them would take half of the test's time.
  const digests = CATALOGS.map(
    (name) =>
      sql`select concat_ws(' ', count(*), sum(hashtextextended(found::text, 0))) from ${verbatim(name)} as found`,
  )
  const found: (string | undefined)[] = []
  for (const [schemaName] of engine.projects.together(projects)) {
    if (schemaName === undefined) continue
    const results = await engine.admin(schemaName, script(digests))
    found.push(...results.map((result) => cellText(result.rows[0]?.[0])))
  }
  return found
}

async function rows(): Promise<readonly string[]> {
  const { engine, stores } = lab.foundation
  const reader = createRowReader(engine)
  const found: string[] = []
  for (const { schemaName } of stores.projects.listInState('active')) {
    const [listed] = await engine.admin(
      schemaName,
      script([
        verbatim(
          `select relkind, quote_ident(relname) from pg_class where relkind in ('r', 'S', 'm') and relnamespace = '${schemaName}'::regnamespace order by relname`,
        ),
      ]),
    )
    const names = listed?.rows.map((row) => row.map(cellText)) ?? []
    const [digests] = await reader.read(trusted.schemaName(schemaName), [
      verbatim(
        names
          .map(([kind, name]) =>
            kind === 'S'
              ? `select '${name}', concat_ws(' ', last_value, log_cnt, is_called) from ${schemaName}.${name}`
              : `select '${name}', md5(string_agg(found::text, ' ' order by found::text)) from ${schemaName}.${name} as found`,
          )
          .join(' union all '),
      ),
    ])
    found.push(schemaName, ...(digests?.rows.map((row) => row.map(cellText).join(' ')) ?? []))
  }
  return found
}

function records(): unknown {
  const { db } = lab.foundation
  const names = db
    .prepare<[], { name: string }>(
      "select name from sqlite_schema where type = 'table' order by name",
    )
    .all()
  return names.map(({ name }) => [name, db.prepare(`select * from "${name}"`).all()])
}

async function everything(): Promise<unknown> {
  return {
    rows: await rows(),
    catalogs: await catalogs(),
    records: records(),
    blobs: [...lab.foundation.storage.blobIds()].filter(
      (id) => lab.foundation.storage.blobs.open(id) === undefined,
    ),
    time: lab.foundation.clock.time,
  }
}

describe('a reset', () => {
  it('restores the baseline after any sequence of operations', async () => {
    const baseline = await everything()
    expect(await everything()).toEqual(baseline)
    const operations = fc.array(fc.tuple(fc.constantFrom(...lab.operations), fc.nat({ max: 20 })), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(operations, async (steps) => {
        for (const [operation, number] of steps) await operation.perform(number)
        await lab.snapshots.reset()
        expect(await everything()).toEqual(baseline)
      }),
      { numRuns: TEST_DATABASE_URL === undefined ? 100 : 25, endOnFailure: true },
    )
  }, 300_000)

  it('keeps the engine running', async () => {
    await lab.sql('create table one_more (); drop table tags; truncate notes cascade')
    await lab.snapshots.reset()
    expect(lab.observed.filter(({ kind }) => kind === 'engineRestarted')).toEqual([])
    expect(lab.observed.at(-1)).toMatchObject({
      kind: 'stateChanged',
      change: 'reset',
      engine: 'running',
    })
    expect(readdirSync(lab.foundation.snapshotRoot.replace(/snapshots$/, ''))).not.toContain(
      'restoring.json',
    )
  })
})
