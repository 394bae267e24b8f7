// Functions called through the unmodified reference client, and statements that the caller aborts (docs/wire/data-plane.md#gate).
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'

const SQL = `
  create table shelves (id int primary key, name text);
  create table books (id int primary key, shelf_id int references shelves, title text, pages int);
  insert into shelves values (1, 'North'), (2, 'South');
  insert into books values (1, 1, 'Sea', 10), (2, 1, 'Sand', 20), (3, 2, 'Tide', 30);
  create function books_over(bound int default 0) returns setof books stable language sql as
    $$ select * from books where pages > bound $$;
  create function add(a int, b int default 1) returns int immutable language sql as 'select a + b';
  create function total(numbers int[]) returns bigint immutable language sql as 'select sum(n) from unnest(numbers) n';
  create function nothing() returns void language sql as '';
  create function described(facts jsonb) returns jsonb immutable language sql as $$ select facts || '{"seen":true}' $$;
  create function halve_pages() returns setof books language sql as 'update books set pages = pages / 2 returning *';
  create function names() returns setof text stable language sql as 'select name from shelves order by id';
  create sequence naps;
  create function nap(seconds int) returns void language sql as $$ select nextval('naps'); select pg_sleep(seconds) $$;
  create function naps_begun() returns bigint volatile language sql as $$ select last_value from naps where is_called $$;
`

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(SQL)
})

describe('rpc', () => {
  it('posts its arguments by name, and Postgres fills in defaults of missing arguments', async () => {
    expect(await world.server.rpc('add', { a: 40, b: 2 })).toMatchObject({ status: 200, data: 42 })
    expect((await world.server.rpc('add', { a: 40 })).data).toBe(41)
  })

  it('sends its arguments in the query string of a GET', async () => {
    const options = { get: true }
    expect((await world.server.rpc('add', { a: 40, b: undefined }, options)).data).toBe(41)
    expect((await world.server.rpc('total', { numbers: [1, 2, 3] }, options)).data).toBe(6)
  })

  it('passes arrays and JSON unchanged', async () => {
    expect((await world.server.rpc('total', { numbers: [1, 2, 3] })).data).toBe(6)
    const described = await world.server.rpc('described', { facts: { a: [1] } })
    expect(described.data).toEqual({ a: [1], seen: true })
  })

  it('returns null for a void function, and a list for a set of scalars', async () => {
    expect(await world.server.rpc('nothing')).toMatchObject({ status: 204, data: null })
    expect((await world.server.rpc('names')).data).toEqual(['North', 'South'])
  })

  it.each([{ get: false }, { get: true }])('filters the rows of a set with %j', async (options) => {
    const { data, count, status } = await world.server
      .rpc('books_over', { bound: 5 }, { ...options, count: 'exact' })
      .select('title,pages,shelves(name)')
      .neq('title', 'Sand')
      .order('pages', { ascending: false })
      .limit(1)
    expect({ status, count }).toEqual({ status: 206, count: 2 })
    expect(data).toEqual([{ title: 'Tide', pages: 30, shelves: { name: 'South' } }])
  })

  it('counts the rows of a set without returning rows', async () => {
    const answer = await world.server.rpc('books_over', {}, { head: true, count: 'exact' })
    expect(answer).toMatchObject({ status: 200, data: null, count: 3 })
  })

  it('succeeds with head for a function whose JSON argument the client posts', async () => {
    const answer = await world.server.rpc('described', { facts: { a: 1 } }, { head: true })
    expect(answer).toMatchObject({ error: null })
  })

  it('returns one row of a set with single() or maybeSingle()', async () => {
    const call = () => world.server.rpc('books_over', { bound: 20 })
    expect((await call().select('id').single()).data).toEqual({ id: 3 })
    expect((await world.server.rpc('books_over').single()).error?.code).toBe('PGRST116')
    expect((await call().gt('id', 9).maybeSingle()).data).toBeNull()
  })

  it('returns CSV of a set', async () => {
    const { data } = await world.server.rpc('books_over', { bound: 10 }).select('id,title').csv()
    expect(data).toBe('id,title\n2,Sand\n3,Tide')
  })

  it('undoes the changes of a function that exceeds maxAffected or is called with rollback()', async () => {
    const refused = await world.server.rpc('halve_pages').maxAffected(2)
    expect(refused).toMatchObject({ status: 400, error: { code: 'PGRST124' } })
    const tried = await world.server.rpc('halve_pages').select('pages').rollback()
    expect(tried.data).toEqual([{ pages: 5 }, { pages: 10 }, { pages: 15 }])
    const { data } = await world.server.from('books').select('pages').order('id')
    expect(data).toEqual([{ pages: 10 }, { pages: 20 }, { pages: 30 }])
    expect(await world.server.rpc('add', { a: 1 }).maxAffected(2)).toMatchObject({
      error: {
        code: 'PGRST128',
        message:
          'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
      },
    })
  })

  it('names the unknown function and a similar function in the error', async () => {
    const { schemaName } = world.tenant
    expect(await world.server.rpc('book_over', { a: 1 })).toMatchObject({
      status: 404,
      error: {
        code: 'PGRST202',
        message: `Could not find the function ${schemaName}.book_over(a) in the schema cache`,
        details: `Searched for the function ${schemaName}.book_over with parameter a or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.`,
        hint: `Perhaps you meant to call the function ${schemaName}.books_over`,
      },
    })
  })
})

describe('abortSignal', () => {
  // The statement shows its start by advancing a sequence, whose value survives a rollback.
  function napping(): { readonly ended: Promise<{ error: unknown }>; abort(): void } {
    const { signal, abort } = abortable()
    return {
      abort,
      ended: Promise.resolve(world.server.rpc('nap', { seconds: 7 }).abortSignal(signal)),
    }
  }

  const engine = async () => (await world.at.call('GET', '/_emulator/v1/health')).body.engine
  const restarts = async () => (await engine()).restarts

  /**
   * Waits until this number of statements run or are queued. Only the test's sleeping statements exist.
   */
  async function untilQueued(count: number): Promise<void> {
    while ((await engine()).queued !== count);
  }

  const napsBegun = async () => (await world.server.rpc('naps_begun')).data ?? 0

  it('cancels the running statement, so that the next request does not wait for its end', async () => {
    const before = await napsBegun()
    const started = performance.now()
    const sleeper = napping()
    await untilQueued(1)
    sleeper.abort()
    expect((await sleeper.ended).error).toMatchObject({
      message: expect.stringContaining('AbortError'),
    })
    const next = await world.server.from('books').select('id').eq('id', 1)
    const tookMillis = performance.now() - started
    expect(next.data).toEqual([{ id: 1 }])
    expect(tookMillis).toBeLessThan(3_500)
    expect([before, before + 1]).toContain(await napsBegun())
    expect(await restarts()).toBe(0)
  })

  it('cancels queued requests, and the requests behind them run', async () => {
    const sleepers = [napping(), napping(), napping()]
    await untilQueued(3)
    const behind = world.server.from('books').select('id').eq('id', 1).then()
    for (const sleeper of sleepers.toReversed()) sleeper.abort()
    expect((await behind).data).toEqual([{ id: 1 }])
    await untilQueued(0)
    expect(await restarts()).toBe(0)
  })

  it('does not restart the engine when requests are aborted at different moments', async () => {
    for (let round = 0; round < 15; round++) {
      const sleeper = napping()
      for (let trip = 0; trip < round; trip++) await restarts()
      sleeper.abort()
      await sleeper.ended
    }
    expect((await world.server.from('books').select('id')).data).toHaveLength(3)
    expect(await restarts()).toBe(0)
  })

  it('returns an error when the signal is already aborted', async () => {
    const { error } = await world.server.from('books').select().abortSignal(AbortSignal.abort())
    expect(error?.hint).toContain('aborted')
  })
})

function abortable(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
