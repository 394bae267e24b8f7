import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../emulator/core/names.ts'
import { cellText, type Engine } from '../../emulator/database/engine.ts'
import { createRowReader, type RowReader } from '../../emulator/database/row-reader.ts'
import { script, sql } from '../../emulator/database/sql.ts'
import { onlyEmbedded } from '../support/engine-of-run.ts'
import {
  createTestTenant,
  OUT_OF_REACH,
  openTestEngine,
  runAsOwner,
} from '../support/test-engine.ts'

let engine: Engine
let reader: RowReader
const x = trusted.schemaName('proj_x')

beforeAll(async () => {
  ;({ engine } = await openTestEngine())
  await createTestTenant(engine, 'proj_x')
  await createTestTenant(engine, 'proj_y')
  await runAsOwner(
    engine,
    'proj_x',
    `alter table notes enable row level security;
     alter table notes force row level security`,
  )
  reader = createRowReader(engine)
})
afterAll(() => engine.close())

const notes = sql`select body from proj_x.notes order by id`

describe('row reader', () => {
  it('reads rows that every policy hides', async () => {
    const [result] = await reader.read(x, [notes])
    expect(result?.rows.map(([body]) => cellText(body))).toEqual(['secret of proj_x', 'other'])
  })

  it('does not reach another project', async () => {
    const foreign = reader.read(x, [sql`select body from proj_y.notes`])
    await expect(foreign).rejects.toMatchObject({ code: expect.stringMatching(OUT_OF_REACH) })
  })

  it('cannot write', async () => {
    const write = reader.read(x, [sql`delete from proj_x.notes`])
    await expect(write).rejects.toMatchObject({ code: expect.stringMatching(/^(25006|42501)$/) })
  })

  // All engines on one server share the role, so a test must not remove it on a server.
  onlyEmbedded('another emulator on the server needs the role').it(
    'reads for all callers at once after a restore of a state without its role',
    async () => {
      await reader.read(x, [notes])
      await engine.admin(
        'cluster',
        script([sql`drop owned by row_reader`, sql`drop role row_reader`]),
      )
      const reads: Promise<unknown>[] = []
      for (let begun = 0; begun < 8; begun += 1) {
        reads.push(reader.read(x, [notes]).then(() => 'read', String))
        // Delays the next read, so that it begins while this read looks for the role.
        await engine.admin('cluster', script([sql`select 1`]))
      }
      expect(new Set(await Promise.all(reads))).toEqual(new Set(['read']))
    },
  )
})
