// A clone has all objects that its template's expressions use: casts, operators, collations, text search
// (docs/wire/platform.md#clone).
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { cloneSchema } from '../../../../emulator/database/template/clone-schema.ts'
import {
  loadStructure,
  type SchemaStructure,
} from '../../../../emulator/database/template/structure.ts'
import { structureDifferences } from '../../../support/structure-differences.ts'
import { lastCell, openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const TEMPLATE = trusted.schemaName('proj_words')
const CLONE = trusted.schemaName('proj_words_clone')
const EXPRESSIONS = readFileSync(new URL('./expressions.sql', import.meta.url), 'utf8')

let engine: Engine
let template: SchemaStructure

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await engine.projects.create(TEMPLATE)
  await runAsOwner(engine, TEMPLATE, EXPRESSIONS)
  template = await loadStructure(engine, TEMPLATE)
  await cloneSchema(engine, template, CLONE, 'full')
})

afterAll(() => engine.close())

async function answer(sqlText: string): Promise<string | undefined> {
  return lastCell(await runAsOwner(engine, CLONE, sqlText))
}

describe('objects that expressions use', () => {
  it('are loaded from the template: casts, collations, conversions, operators and text search', () => {
    const { casts, collations, configurations, conversions, dictionaries, operators } = template
    const lists = { casts, collations, configurations, conversions, dictionaries, operators }
    const counts = Object.entries(lists).map(([name, list]) => [name, list.length])
    expect(Object.fromEntries(counts)).toEqual({
      casts: 8,
      collations: 4,
      configurations: 2,
      conversions: 2,
      dictionaries: 3,
      operators: 6,
    })
  })

  it('are the same in a clone', async () => {
    expect(structureDifferences(template, await loadStructure(engine, CLONE))).toEqual([])
  })

  it('do not contain the name of the template in a clone', async () => {
    const clone = JSON.stringify(await loadStructure(engine, CLONE))
    expect(clone.match(/.{30}\bproj_words\b.{10}/g)).toBeNull()
  })

  it('are dropped with the clone', async () => {
    const gone = trusted.schemaName('proj_words_gone')
    const casts = 'select count(*) from pg_cast'
    const before = await answer(casts)
    await cloneSchema(engine, template, gone, 'full')
    await engine.projects.drop(gone)
    expect(await answer(casts)).toBe(before)
  })
})

describe('a clone', () => {
  it('keeps a domain’s cast with its own function, which only the data plane applies', async () => {
    const text = `select castfunc::regprocedure from pg_cast
      where castsource = 'color'::regtype and casttarget = 'json'::regtype`
    expect(await answer(text)).toBe('color_json(color)')
  })

  it('casts on assignment, implicitly and through text', async () => {
    const text = 'insert into a_list (id, c) values (11, 3) returning row(a, b, c, d)'
    expect(await answer(text)).toBe('(low,high,low,high)')
  })

  it('casts a whole row and an array of rows', async () => {
    const text =
      "insert into a_list (id) values (7); select whole || ' ' || list from a_view limit 1"
    expect(await answer(text)).toMatch(/^\d+ 1$/)
  })

  it('compares values with its own operators', async () => {
    const text =
      'select row(1, 5)::point_xy <% row(2, 0)::point_xy and not row(1, 1)::point_xy !== row(1, 2)::point_xy'
    expect(await answer(text)).toBe('t')
  })

  it('computes columns with its own operators', async () => {
    const text =
      "insert into places (p, q, body) values ('(1,2)', '(3,4)', 'Stars') returning size || ' ' || words"
    expect(await answer(text)).toBe("3 'star':1")
  })

  it('gives a domain its own collation', async () => {
    expect(await answer("select pg_collation_for('ana'::name_text)")).toBe('caseless')
  })

  it('routes rows to partitions with its own operators', async () => {
    expect(await answer("insert into split values ('a') returning tableoid::regclass")).toBe(
      'split_a',
    )
  })
})
