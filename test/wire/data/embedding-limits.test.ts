// Aggregates over rows and related rows, and the errors of ambiguous and impossible embeds (PostgREST, "Aggregate Functions",
// "Resource Embedding", "Errors"; docs/wire/data-plane.md#gate).
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'
import { RELATED_TABLES } from '../../support/related-tables.ts'

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(RELATED_TABLES)
})

const get = (path: string) => world.ask('GET', path)

describe('aggregates', () => {
  it.each([
    ['count all', '/visits?select=count()', [{ count: 4 }]],
    [
      'of a column',
      '/doctors?select=fee.sum(),fee.avg(),fee.max(),fee.min(),fee.count()',
      [{ sum: 220, avg: 73.33333333333333, max: 100, min: 50, count: 3 }],
    ],
    [
      'by groups',
      '/doctors?select=clinic_id,total:fee.sum()&clinic_id=not.is.null&order=clinic_id',
      [
        { clinic_id: 1, total: 150 },
        { clinic_id: 2, total: 70 },
      ],
    ],
    ['cast before and after', '/visits?select=cost::int.avg()::int', [{ avg: 50 }]],
    [
      'inside an embed',
      '/clinics?select=name,doctors(fee.sum())&id=eq.1',
      [{ name: 'Aurora', doctors: [{ sum: 150 }] }],
    ],
    [
      'grouped by a spread',
      '/visits?select=cost.sum(),...doctors(name)&order=doctors(name)',
      [
        { sum: 100, name: 'Ana' },
        { sum: 40, name: 'Bia' },
        { sum: 60, name: 'Caio' },
      ],
    ],
    [
      'out of a spread',
      '/visits?select=...doctors(name),cost.sum()&doctor_id=eq.1',
      [{ name: 'Ana', sum: 100 }],
    ],
  ])('can be computed: %s', async (_name, path, rows) => {
    const answer = await get(path)
    expect([answer.status, answer.body]).toEqual([200, rows])
  })
})

describe('an embed that is refused', () => {
  it('lists each relationship when several exist', async () => {
    expect(await get('/parcels?select=addresses(street)')).toMatchObject({
      status: 300,
      body: {
        code: 'PGRST201',
        message:
          "Could not embed because more than one relationship was found for 'parcels' and 'addresses'",
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'parcels with addresses',
            relationship: 'sent_from using parcels(sender_id) and addresses(id)',
          },
          {
            cardinality: 'many-to-one',
            embedding: 'parcels with addresses',
            relationship: 'sent_to using parcels(receiver_id) and addresses(id)',
          },
        ],
        hint: "Try changing 'addresses' to one of the following: 'addresses!sent_from', 'addresses!sent_to'. Find the desired relationship in the 'details' key.",
      },
    })
  })

  it('suggests the nearest name when no relationship exists', async () => {
    const { schemaName } = world.tenant
    const details = (hint: string) =>
      `Searched for a foreign key relationship between 'doctors' and 'clinic'${hint} in the schema '${schemaName}', but no matches were found.`
    expect((await get('/doctors?select=clinic(name)')).body).toEqual({
      code: 'PGRST200',
      message: "Could not find a relationship between 'doctors' and 'clinic' in the schema cache",
      details: details(''),
      hint: "Perhaps you meant 'clinics' instead of 'clinic'.",
    })
    expect((await get('/doctors?select=clinic!wrong(name)')).body.details).toBe(
      details(" using the hint 'wrong'"),
    )
  })

  it.each([
    ['filters of what is not selected', '/doctors?clinics.name=eq.x', 400, 'PGRST108'],
    ['an order by many', '/clinics?select=doctors(id)&order=doctors(id)', 400, 'PGRST118'],
    ['a value compared with an embed', '/doctors?select=clinics(id)&clinics=eq.1', 400, '42703'],
    ['aggregates of many, spread', '/clinics?select=...doctors(fee.sum())', 400, 'PGRST127'],
    ['a table of another tenant', '/doctors?select=pg_class(*)', 400, 'PGRST200'],
  ])('has the documented status and code: %s', async (_name, path, status, code) => {
    const answer = await get(path)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })
})
