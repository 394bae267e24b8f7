// Reads with the unmodified reference client: columns, order, pages, counts, single rows, media types
// (docs/wire/data-plane.md#gate).
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'

const SQL = `
  create table shelves (id int primary key, name text);
  create table books (
    id int primary key, shelf_id int references shelves, title text, price numeric(6,2), facts jsonb, "page count" int,
    added date
  );
  create function slug(books) returns text stable language sql as $$ select lower(replace($1.title, ' ', '-')) $$;
  insert into shelves values (1, 'North'), (2, 'South');
  insert into books values
    (1, 1, 'Deep Sea', 9.50, '{"lang":"en","pages":[1,2,3]}', 120, '2024-02-29'),
    (2, 1, 'Sand', null, null, 80, null),
    (3, 2, 'Tide', 12, '{"lang":"pt"}', 200, '2020-01-01'),
    (4, null, 'Örtchen, "still"', 3, '{"lang":null}', 15, '2021-06-30');
`

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(SQL)
})

const books = () => world.server.from('books')

describe('select', () => {
  it('returns all columns in their order, with numbers as Postgres writes them', async () => {
    const { data } = await books().select().eq('id', 1)
    expect(data).toEqual([
      {
        id: 1,
        shelf_id: 1,
        title: 'Deep Sea',
        price: 9.5,
        facts: { lang: 'en', pages: [1, 2, 3] },
        'page count': 120,
        added: '2024-02-29',
      },
    ])
    expect(Object.keys(data?.[0] ?? {})[0]).toBe('id')
  })

  it.each([
    ['an alias', 'name:title', { name: 'Deep Sea' }],
    ['a cast', 'price::text', { price: '9.50' }],
    ['an alias and a cast', 'cost:price::text', { cost: '9.50' }],
    ['a JSON path', 'facts->pages', { pages: [1, 2, 3] }],
    ['a JSON path to text', 'facts->>lang', { lang: 'en' }],
    ['a JSON path by index', 'last:facts->pages->-1', { last: 3 }],
    ['a JSON path, cast', 'second:facts->pages->>1::int', { second: 2 }],
    ['a quoted column', '"page count"', { 'page count': 120 }],
    ['a computed column', 'slug', { slug: 'deep-sea' }],
    ['an embedded row', 'id,shelves(name)', { id: 1, shelves: { name: 'North' } }],
    ['an embed by its column', 'at:shelf_id(name)', { at: { name: 'North' } }],
    ['spaces and line breaks', ' id ,\n title ', { id: 1, title: 'Deep Sea' }],
    ['a spread', 'id,...shelves(shelf:name)', { id: 1, shelf: 'North' }],
  ])('returns %s', async (_name, columns, row) => {
    const { data, error } = await books().select(columns).eq('id', 1)
    expect(error).toBeNull()
    expect(data).toEqual([row])
  })

  it('omits null members with stripNulls()', async () => {
    const many = await books().select('id,price,facts').eq('id', 2).stripNulls()
    expect(many.data).toEqual([{ id: 2 }])
    const one = await books().select('id,price').eq('id', 2).stripNulls().single()
    expect(one.data).toEqual({ id: 2 })
  })

  // The table was never analysed, so the planned count is wrong and the answer counts as partial.
  it.each([
    ['exact', 200, 3],
    ['planned', 206, expect.any(Number)],
    ['estimated', 200, 3],
  ] as const)('returns the %s count without rows', async (count, status, total) => {
    const answer = await books().select('*', { count, head: true }).gt('id', 1)
    expect(answer).toMatchObject({ status, data: null, error: null, count: total })
  })

  it('returns only a status when a HEAD request is refused', async () => {
    const answer = await world.server.from('nosuch').select('*', { head: true, count: 'exact' })
    expect(answer).toMatchObject({ status: 204, count: null, data: null })
  })
})

describe('a query', () => {
  const ids = async (query: PromiseLike<{ data: unknown; error: unknown }>) => {
    const { data, error } = await query
    expect(error).toBeNull()
    return (data as { id: number }[]).map(({ id }) => id)
  }

  it.each([
    ['ascending, nulls last', {}, [4, 1, 3, 2]],
    ['descending, nulls first', { ascending: false }, [2, 3, 1, 4]],
    ['ascending, nulls first', { nullsFirst: true }, [2, 4, 1, 3]],
    ['descending, nulls last', { ascending: false, nullsFirst: false }, [3, 1, 4, 2]],
  ])('orders rows %s', async (_name, options, expected) => {
    expect(await ids(books().select('id').order('price', options))).toEqual(expected)
  })

  it('orders rows by several columns, by a JSON path and by a related column', async () => {
    expect(
      await ids(books().select('id').order('shelf_id').order('id', { ascending: false })),
    ).toEqual([2, 1, 3, 4])
    expect(await ids(books().select('id').order('facts->>lang').order('id'))).toEqual([1, 3, 2, 4])
    const related = books().select('id,shelves(name)').order('shelves(name)', { ascending: false })
    expect(await ids(related.order('id'))).toEqual([4, 3, 1, 2])
  })

  it('applies order, limit and range inside an embed', async () => {
    const shelves = () => world.server.from('shelves').select('id,books(id)').order('id')
    const referencedTable = 'books'
    expect((await shelves().order('title', { referencedTable, ascending: false })).data).toEqual([
      { id: 1, books: [{ id: 2 }, { id: 1 }] },
      { id: 2, books: [{ id: 3 }] },
    ])
    const bounded = shelves().order('id', { referencedTable })
    expect((await bounded.limit(1, { referencedTable })).data).toEqual([
      { id: 1, books: [{ id: 1 }] },
      { id: 2, books: [{ id: 3 }] },
    ])
    const second = shelves().order('id', { referencedTable }).range(1, 1, { referencedTable })
    expect((await second).data).toEqual([
      { id: 1, books: [{ id: 2 }] },
      { id: 2, books: [] },
    ])
  })

  it('applies limit and range to the top level, with the count of all rows', async () => {
    expect(await ids(books().select('id').order('id').limit(2))).toEqual([1, 2])
    expect(await ids(books().select('id').order('id').limit(0))).toEqual([])
    const page = await books().select('id', { count: 'exact' }).order('id').range(1, 2)
    expect(page).toMatchObject({ status: 206, count: 4, data: [{ id: 2 }, { id: 3 }] })
  })

  it('refuses a page after the last row when the count is requested', async () => {
    expect(await books().select('id', { count: 'exact' }).range(9, 10)).toMatchObject({
      status: 416,
      error: {
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details: 'An offset of 9 was requested, but there are only 4 rows.',
      },
    })
    expect(await books().select('id').range(9, 10)).toMatchObject({ status: 200, data: [] })
  })
})

describe('the format of the answer', () => {
  it('single returns the row, or an error with the number of rows', async () => {
    expect((await books().select('id').eq('id', 3).single()).data).toEqual({ id: 3 })
    for (const [limit, rows] of [
      [0, 0],
      [3, 3],
    ] as const)
      expect(await books().select('id').limit(limit).single()).toMatchObject({
        status: 406,
        data: null,
        error: {
          code: 'PGRST116',
          message: 'Cannot coerce the result to a single JSON object',
          details: `The result contains ${rows} rows`,
          hint: null,
        },
      })
  })

  it('maybeSingle returns the row or null, and refuses several', async () => {
    expect((await books().select('id').eq('id', 3).maybeSingle()).data).toEqual({ id: 3 })
    expect(await books().select('id').eq('id', 99).maybeSingle()).toMatchObject({
      status: 200,
      data: null,
      error: null,
    })
    expect((await books().select('id').maybeSingle()).error?.code).toBe('PGRST116')
  })

  it('csv has a header and quotes values if needed', async () => {
    const { data } = await books().select('id,title,price').order('id').csv()
    expect(data).toBe(
      'id,title,price\n1,"Deep Sea",9.50\n2,Sand,\n3,Tide,12.00\n4,"Örtchen, ""still""",3.00',
    )
  })

  it('geojson is refused without PostGIS, with the error for a missing geometry column', async () => {
    expect(await books().select().geojson()).toMatchObject({
      status: 400,
      error: { code: '22023', message: 'geometry column is missing' },
    })
  })

  it.each(['text', 'json'] as const)('explain as %s is refused by the platform', async (format) => {
    const refused = await books().select().explain({ analyze: true, verbose: true, format })
    expect(refused).toMatchObject({
      status: 406,
      error: {
        code: 'PGRST107',
        message: `None of these media types are available: application/vnd.pgrst.plan+${format}; for="application/json"; options=analyze|verbose`,
      },
    })
  })
})

describe('features of the client itself', () => {
  it('schema accepts public and the project’s own schema, and refuses other schemas', async () => {
    for (const name of ['public', world.tenant.schemaName])
      expect((await world.server.schema(name).from('books').select('id').limit(1)).data).toEqual([
        { id: expect.any(Number) },
      ])
    expect(await world.server.schema('other').from('books').select()).toMatchObject({
      status: 406,
      error: { code: 'PGRST106', message: 'Invalid schema: other' },
    })
  })

  it('getOpenApiSpec returns the document at the root', async () => {
    const { data } = await world.server.getOpenApiSpec()
    expect(Object.keys(data?.paths ?? {})).toEqual(expect.arrayContaining(['/books', '/shelves']))
  })

  it('throwOnError throws the error instead of returning it', async () => {
    await expect(world.server.from('bookz').select().throwOnError()).rejects.toMatchObject({
      name: 'PostgrestError',
      code: 'PGRST205',
      message: `Could not find the table '${world.tenant.schemaName}.bookz' in the schema cache`,
      hint: `Perhaps you meant the table '${world.tenant.schemaName}.books'`,
    })
  })

  it('setHeader, retry, returns and overrideTypes do not change the answer', async () => {
    const plain = books().select('id').eq('id', 1).setHeader('x-mine', '1').retry(false)
    expect(
      (await plain.returns<{ id: number }[]>().overrideTypes<{ id: number }[]>()).data,
    ).toEqual([{ id: 1 }])
  })
})
