// The prepared image. A template and its clones taken from the image equal those that the demo's SQL builds. Also, a new
// cluster returns to the image's state.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SchemaName, trusted } from '../../../../emulator/core/names.ts'
import type { Engine } from '../../../../emulator/database/engine.ts'
import type { EngineStates } from '../../../../emulator/database/engine-states.ts'
import type { SchemaBuilder } from '../../../../emulator/database/schema-builder.ts'
import { script, verbatim } from '../../../../emulator/database/sql.ts'
import { createSchemaBuilder } from '../../../../emulator/database/template/schema-builder.ts'
import { watchSchemaChanges } from '../../../../emulator/database/tenant-schema/ddl-notice.ts'
import type { LifecycleListener } from '../../../../emulator/platform/projects/lifecycle.ts'
import type { Project } from '../../../../emulator/platform/projects/project.ts'
import { readGiven } from '../../../../emulator/workflow/fixtures/fixtures.ts'
import { buildFixtureImage } from '../../../../scripts/build-prepared-image.ts'
import { catalogueOf } from '../../../support/catalogue-of.ts'
import { temporaryFolder } from '../../../support/cli-process.ts'
import { lastCell, openEmbeddedEngine, runAsOwner } from '../../../support/test-engine.ts'

const folder = temporaryFolder()
const preparedImage = join(folder.path, 'demo.img')
let demo: string
let states: EngineStates & Engine
let engine: Engine
let builder: SchemaBuilder
let names = 0

beforeAll(async () => {
  await buildFixtureImage(preparedImage, 'fixtures/clinics')
  const { files } = await readGiven('fixtures/clinics')
  demo = new TextDecoder().decode(files.read('template.sql'))
  const cluster = join(folder.path, 'cluster')
  const opened = await openEmbeddedEngine({
    dataDir: cluster,
    preparedImage,
    baselineFolder: join(folder.path, 'baseline'),
  })
  states = opened.engine
  builder = builderOf('full')
}, 120_000)

afterAll(async () => {
  await states.close()
  folder.remove()
})

function builderOf(fidelity: 'full' | 'structure'): SchemaBuilder {
  const listeners: LifecycleListener[] = []
  engine = states
  watchSchemaChanges(states, (schemaName) => {
    for (const listener of listeners) listener.schemaChanged?.({ schemaName } as Project)
  })
  return createSchemaBuilder({
    engine,
    lifecycle: { listen: (listener) => listeners.push(listener as LifecycleListener) },
    fidelity,
  })
}

function freshName(): SchemaName {
  names += 1
  return trusted.schemaName(`proj_q${names}x`)
}

async function built(): Promise<SchemaName> {
  const name = freshName()
  await builder.createEmpty(name)
  await runAsOwner(engine, name, demo)
  return name
}

async function preparedNames(): Promise<number> {
  const [found] = await engine.admin(
    'cluster',
    script([verbatim(`select from pg_namespace where nspname like 'proj_prepared_image_%'`)]),
  )
  return found?.rows.length ?? 0
}

describe('a new cluster with the prepared image', () => {
  it('has the template and a clone for each tenant of the demo', async () => {
    expect(await preparedNames()).toBe(3)
  })

  it('does not use the image for templates that other scripts build', async () => {
    const before = await preparedNames()
    expect(await builder.createPrepared([`${demo} `], freshName())).toBe(false)
    expect(await preparedNames()).toBe(before)
  })

  it('contains the image again after a reset', async () => {
    const taken = freshName()
    expect(await builder.createPrepared([demo], taken)).toBe(true)
    await runAsOwner(engine, taken, 'create table added (id int)')
    await states.restoreBaseline()
    expect(await preparedNames()).toBe(3)
    builder = builderOf('full')
    const again = freshName()
    expect(await builder.createPrepared([demo], again)).toBe(true)
    const found = await runAsOwner(engine, again, `select to_regclass('added') is null`)
    expect(lastCell(found)).toBe('t')
    await states.restoreBaseline()
    builder = builderOf('full')
  })

  it('provides the same template and clones as the demo’s SQL', async () => {
    const [slow, fast] = [await built(), freshName()]
    expect(await builder.createPrepared([demo], fast)).toBe(true)
    expect(await catalogueOf(engine, fast)).toEqual(await catalogueOf(engine, slow))
    const [slowClone, fastClone] = [freshName(), freshName()]
    const before = await preparedNames()
    const counts = await builder.cloneFrom(slow, slowClone)
    expect(await preparedNames()).toBe(before)
    expect(await builder.cloneFrom(fast, fastClone)).toEqual(counts)
    expect(await preparedNames()).toBe(before - 1)
    expect(await catalogueOf(engine, fastClone)).toEqual(await catalogueOf(engine, slowClone))
  })

  it('provides no prepared clone of a changed template, and drops the remaining clones', async () => {
    await states.restoreBaseline()
    builder = builderOf('full')
    const [source, clone] = [freshName(), freshName()]
    expect(await builder.createPrepared([demo], source)).toBe(true)
    await runAsOwner(engine, source, 'create table added (id int)')
    await builder.cloneFrom(source, clone)
    expect(lastCell(await runAsOwner(engine, clone, `select to_regclass('added')`))).toBe('added')
    expect(await preparedNames()).toBe(2)
    await builder.dropPrepared()
    expect(await preparedNames()).toBe(0)
  })

  it('provides no prepared clone when clones copy only the structure', async () => {
    await states.restoreBaseline()
    builder = builderOf('structure')
    const source = freshName()
    expect(await builder.createPrepared([demo], source)).toBe(true)
    await builder.cloneFrom(source, freshName())
    expect(await preparedNames()).toBe(2)
  })
})
