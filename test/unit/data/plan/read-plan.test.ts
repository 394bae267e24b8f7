// Plans of reads: embeds with filters, orders and spreads, and aggregates at each level.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, openAsk } from '../open-ask.ts'

let asked: Asked

beforeAll(async () => {
  asked = await openAsk(
    `create table clients (id integer primary key, name text, facts json);
     create table projects (
       id integer primary key, name text, client_id integer references clients, cost numeric, data jsonb, facts json);
     create table tasks (id integer primary key, name text, project_id integer references projects);
     insert into clients values (1, 'One', '{"k": 2}'), (2, 'Two', '{"k": 1}'), (3, 'Three', null);
     insert into projects values
       (1, 'A', 1, 10.5, '{"n": "5"}', '{"z": 2}'), (2, 'B', 1, 20, '{"n": "7"}', '{"z": 1}'), (3, 'C', 2, null, null, null);
     insert into tasks values (1, 'a', 1), (2, 'b', 1), (3, 'c', 3);
     create function shout(projects) returns text language sql stable as 'select upper($1.name)';
     create function pairs() returns table (x integer, y text) language sql stable as
       $$ values (1, 'a'), (1, 'b'), (2, 'c') $$;
     create function all_projects() returns setof projects language sql stable as 'select * from projects'`,
  )
})

afterAll(() => asked.close())

async function rows(target: string): Promise<unknown> {
  const { status, json, text } = await asked.ask(target)
  return status < 300 ? json : text
}

async function codeOf(target: string): Promise<unknown> {
  return ((await asked.ask(target)).json as { code?: string }).code
}

describe('a filter of an embed for null', () => {
  it('keeps the rows without related rows, and its negation keeps the rows with related rows', async () => {
    expect(await rows('/projects?select=id,tasks()&tasks=is.null')).toEqual([{ id: 2 }])
    expect(await rows('/projects?select=id,t:tasks()&t=not.is.null')).toEqual([
      { id: 1 },
      { id: 3 },
    ])
  })

  it('can be part of a logic tree, and applies to the count', async () => {
    const target = '/projects?select=id,tasks()&or=(tasks.is.null,id.eq.1)'
    expect(await rows(target)).toEqual([{ id: 1 }, { id: 2 }])
    const { headers } = await asked.ask(target, { headers: { prefer: 'count=exact' } })
    expect(headers.get('content-range')).toBe('0-1/2')
  })

  it('works on the rows of a function', async () => {
    expect(await rows('/rpc/all_projects?select=id,tasks()&tasks=is.null')).toEqual([{ id: 2 }])
  })
})

describe('an inner embed', () => {
  it('removes a parent without related rows, at every inner level', async () => {
    const target = (inner: string) =>
      `/clients?select=id,projects${inner}(id,tasks!inner(id))&projects.tasks.name=eq.c&order=id`
    expect(await rows(target(''))).toHaveLength(3)
    expect(await rows(target('!inner'))).toEqual([
      { id: 2, projects: [{ id: 3, tasks: [{ id: 3 }] }] },
    ])
  })

  it('applies its own filters to the count', async () => {
    const { headers } = await asked.ask(
      '/clients?select=id,projects!inner(id)&projects.or=(cost.gt.15,name.eq.C)',
      { headers: { prefer: 'count=exact' } },
    )
    expect(headers.get('content-range')).toBe('0-1/2')
  })
})

describe('an order', () => {
  it('by a related column needs a to-one embed', async () => {
    expect(
      await rows('/projects?select=id,clients(name)&order=clients(name).desc,id.desc'),
    ).toEqual([3, 2, 1].map((id) => expect.objectContaining({ id })))
    expect(await codeOf('/clients?select=id,projects(id)&order=projects(id)')).toBe('PGRST118')
    expect(await codeOf('/projects?select=id&order=clients(name)')).toBe('PGRST108')
  })

  it('by a related path accepts JSON columns only', async () => {
    expect(
      await rows('/projects?select=id,clients(*)&order=clients(facts->>k),id.desc&limit=1'),
    ).toMatchObject([{ id: 3 }])
    expect(await codeOf('/projects?select=id,clients(*)&order=clients(name->>k)')).toBe('42883')
  })

  it('by a JSON path in an embed casts the value to a sortable type', async () => {
    expect(await rows('/clients?select=projects(id)&projects.order=facts->z&id=eq.1')).toEqual([
      { projects: [{ id: 2 }, { id: 1 }] },
    ])
    expect(await codeOf('/projects?order=facts->z')).toBe('42883')
  })

  it('can use a computed column, which can also be selected and filtered', async () => {
    expect(await rows('/projects?select=shout&shout=like.*&order=shout.desc&limit=1')).toEqual([
      { shout: 'C' },
    ])
  })
})

describe('a spread', () => {
  it('puts the columns of a related row beside the columns of its parent', async () => {
    expect(
      await rows('/tasks?select=id,...projects(project:name,...clients(client:name))&id=eq.1'),
    ).toEqual([{ id: 1, project: 'A', client: 'One' }])
  })

  it('returns each column of many rows as a list, in the requested order', async () => {
    expect(
      await rows(
        '/clients?select=id,...projects(names:name,ids:id)&projects.order=cost.desc&order=id',
      ),
    ).toEqual([
      { id: 1, names: ['B', 'A'], ids: [2, 1] },
      { id: 2, names: ['C'], ids: [3] },
      { id: 3, names: [], ids: [] },
    ])
  })

  it('returns lists of lists for many rows within many rows', async () => {
    expect(await rows('/clients?select=...projects(name,...tasks(tasks:name))&id=eq.1')).toEqual([
      { name: ['A', 'B'], tasks: [['a', 'b'], []] },
    ])
  })

  it('of many rows accepts no aggregates', async () => {
    expect(await codeOf('/clients?select=...projects(cost.sum())')).toBe('PGRST127')
    expect(await codeOf('/projects?select=...tasks(...projects(cost.sum()))')).toBe('PGRST127')
  })
})

describe('an aggregate', () => {
  it('is grouped by all other selected columns and embeds', async () => {
    expect(await rows('/projects?select=cost.sum(),clients(name)')).toEqual(
      expect.arrayContaining([
        { sum: 30.5, clients: { name: 'One' } },
        { sum: null, clients: { name: 'Two' } },
      ]),
    )
    expect(await rows('/projects?select=total:cost.sum(),...clients(client:name)')).toEqual(
      expect.arrayContaining([
        { total: 30.5, client: 'One' },
        { total: null, client: 'Two' },
      ]),
    )
  })

  it('in a to-one spread groups the rows of the parent', async () => {
    expect(await rows('/tasks?select=...projects(cost.sum(),...clients(client:name))')).toEqual(
      expect.arrayContaining([
        { sum: 21, client: 'One' },
        { sum: null, client: 'Two' },
      ]),
    )
  })

  it('in an embed without a spread aggregates the rows of the embed', async () => {
    expect(await rows('/clients?select=id,projects(cost.max(),count())&order=id')).toEqual([
      { id: 1, projects: [{ max: 20, count: 2 }] },
      { id: 2, projects: [{ max: null, count: 1 }] },
      { id: 3, projects: [{ max: null, count: 0 }] },
    ])
  })

  it('can have a cast before and after it', async () => {
    expect(
      await rows('/projects?select=client_id,data->>n::integer.sum()::text&order=client_id'),
    ).toEqual([
      { client_id: 1, sum: '12' },
      { client_id: 2, sum: null },
    ])
  })

  it('beside * is grouped by all known columns, of which a record has none', async () => {
    expect(await rows('/tasks?select=*,count()&id=eq.1')).toEqual([
      { id: 1, name: 'a', project_id: 1, count: 1 },
    ])
    expect(await rows('/rpc/pairs?select=*,count()')).toEqual([{ count: 3 }])
    expect(await rows('/rpc/pairs?select=x,count()&order=x')).toEqual([
      { x: 1, count: 2 },
      { x: 2, count: 1 },
    ])
  })

  it('may be forbidden', async () => {
    const { json } = await asked.ask('/projects?select=clients(id.count())', {
      settings: { aggregatesEnabled: false },
    })
    expect(json).toMatchObject({ code: 'PGRST123' })
  })
})
