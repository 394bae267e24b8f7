// Which relationship an embed uses: keys of tables and of views over them, junctions, functions, and ambiguous cases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, openAsk } from '../open-ask.ts'

let asked: Asked

beforeAll(async () => {
  asked = await openAsk(
    `create table clients (id integer primary key, name text, a integer, b integer, unique (a, b));
     create table projects (
       id integer primary key, name text,
       client_id integer references clients,
       payer integer references clients,
       ca integer, cb integer, foreign key (ca, cb) references clients (a, b));
     create table users (id integer primary key, name text);
     create table tasks (id integer primary key, project_id integer references projects);
     create table users_tasks (
       user_id integer references users, task_id integer references tasks, primary key (user_id, task_id));
     create table profiles (user_id integer primary key references users, bio text);
     create table memos (id integer primary key, user_id integer references users, task_id integer references tasks);
     create table tree (id integer primary key, parent integer references tree);
     create table days (client_id integer references clients, day date, primary key (client_id, day))
       partition by range (day);
     create table days_2020 partition of days for values from ('2020-01-01') to ('2021-01-01');
     create view twice as select id, client_id as one, client_id as other from projects;
     create view once as select id, one from twice;
     create materialized view stored as select id, client_id from projects;
     create view joined as select t.id, p.client_id from tasks t join projects p on p.id = t.project_id;
     create view users_tasks_seen as select user_id, task_id from users_tasks;
     insert into clients values (1, 'One', 1, 1), (2, 'Two', 2, 2);
     insert into projects values (1, 'P', 1, 2, 2, 2);
     insert into users values (1, 'Ann'), (2, 'Bob');
     insert into tasks values (1, 1), (2, 1);
     insert into users_tasks values (1, 1), (1, 2);
     insert into profiles values (1, 'stored');
     insert into tree values (1, null), (2, 1);
     insert into days values (1, '2020-02-02');
     refresh materialized view stored;
     create function client_id(tasks) returns setof clients rows 1 language sql stable as 'select * from clients';
     create function profiles(users) returns setof profiles rows 1 language sql stable as
       $$ select $1.id, 'computed' $$;
     create function helpers(users) returns setof users language sql stable as 'select * from users where id <> $1.id'`,
  )
})

afterAll(() => asked.close())

async function rows(target: string): Promise<unknown> {
  const { status, json, text } = await asked.ask(target)
  return status === 200 ? json : text
}

async function refusal(target: string): Promise<{ code: string; hint: string; details: unknown }> {
  const { json } = await asked.ask(target)
  return json as { code: string; hint: string; details: unknown }
}

describe('a foreign key', () => {
  it('is selected by the name of its constraint or of its column, as target or as hint', async () => {
    for (const target of ['projects_client_id_fkey', 'client_id', 'clients!client_id'])
      expect(await rows(`/projects?select=it:${target}(name)`)).toEqual([{ it: { name: 'One' } }])
    expect(await rows('/clients?select=it:projects!payer(name)&id=eq.2')).toEqual([
      { it: [{ name: 'P' }] },
    ])
  })

  it('is selected only by its constraint when it has several columns', async () => {
    expect(await rows('/projects?select=clients!projects_ca_cb_fkey(name)')).toEqual([
      { clients: { name: 'Two' } },
    ])
    expect(await refusal('/projects?select=clients!ca(name)')).toMatchObject({ code: 'PGRST200' })
  })

  it('embeds, for a self reference, the children by the table name and the parent by the column name', async () => {
    expect(await rows('/tree?select=tree(id),parent(id)&id=eq.1')).toEqual([
      { tree: [{ id: 2 }], parent: null },
    ])
    expect(await rows('/tree?select=up:parent(id),down:tree!parent(id)&id=eq.2')).toEqual([
      { up: { id: 1 }, down: [] },
    ])
    expect(await refusal('/tree?select=tree!id(id)')).toMatchObject({ code: 'PGRST200' })
  })

  it('belongs to the partitioned table, and the partitions cannot be requested', async () => {
    expect(await rows('/clients?select=days(day)&id=eq.1')).toEqual([
      { days: [{ day: '2020-02-02' }] },
    ])
    expect((await asked.ask('/days_2020')).status).toBe(404)
  })

  it('is listed with its constraint and columns when several foreign keys fit', async () => {
    const { code, details, hint } = await refusal('/projects?select=clients(name)')
    const ways = (details as { relationship: string }[]).map(({ relationship }) => relationship)
    expect(code).toBe('PGRST201')
    expect(ways).toEqual([
      'projects_ca_cb_fkey using projects(ca, cb) and clients(a, b)',
      'projects_client_id_fkey using projects(client_id) and clients(id)',
      'projects_payer_fkey using projects(payer) and clients(id)',
    ])
    expect(hint).toBe(
      "Try changing 'clients' to one of the following: 'clients!projects_ca_cb_fkey', " +
        "'clients!projects_client_id_fkey', 'clients!projects_payer_fkey'. " +
        "Find the desired relationship in the 'details' key.",
    )
  })
})

describe('a view', () => {
  it('has a foreign key once for each view column that contains the key', async () => {
    const { details } = await refusal('/twice?select=clients(name)')
    expect(details).toMatchObject([
      { relationship: 'projects_client_id_fkey using twice(one) and clients(id)' },
      { relationship: 'projects_client_id_fkey using twice(other) and clients(id)' },
    ])
    expect(await rows('/twice?select=clients!other(name)')).toEqual([{ clients: { name: 'One' } }])
  })

  it('has keys of several tables, also through other views and as a materialised view', async () => {
    for (const view of ['once', 'stored', 'joined'])
      expect(await rows(`/${view}?select=clients(name)&limit=1`)).toEqual([
        { clients: { name: 'One' } },
      ])
  })

  it('can be embedded by its name, but not by a constraint or a column', async () => {
    expect(await rows('/tasks?select=once(id)&id=eq.1')).toEqual([{ once: { id: 1 } }])
    expect(await rows('/clients?select=it:projects_client_id_fkey(id)&id=eq.1')).toEqual([
      { it: [{ id: 1 }] },
    ])
  })
})

describe('a junction', () => {
  it('joins two tables when its primary key holds both foreign keys, also through a view', async () => {
    const { details, hint } = await refusal('/users?select=tasks(id)')
    expect(details).toMatchObject([
      {
        cardinality: 'many-to-many',
        relationship:
          'users_tasks using users_tasks_user_id_fkey(user_id) and users_tasks_task_id_fkey(task_id)',
      },
      { relationship: expect.stringMatching(/^users_tasks_seen using/) },
    ])
    expect(hint).toContain("'tasks!users_tasks', 'tasks!users_tasks_seen'")
    expect(await rows('/users?select=tasks!users_tasks(id)&id=eq.1')).toEqual([
      { tasks: [{ id: 1 }, { id: 2 }] },
    ])
  })

  it('does not join two tables when its foreign keys are outside its primary key', async () => {
    expect(await refusal('/users?select=tasks!memos(id)')).toMatchObject({ code: 'PGRST200' })
  })
})

describe('a computed relationship', () => {
  it('replaces the relationship of a foreign key to the table with the same name', async () => {
    expect(await rows('/users?select=profiles(bio)&id=eq.1')).toEqual([
      { profiles: { bio: 'computed' } },
    ])
    expect(await rows('/profiles?select=users(name)')).toEqual([{ users: { name: 'Ann' } }])
  })

  it('may lead to its own table, and may have any name', async () => {
    expect(await rows('/users?select=h:helpers(name)&h.name=eq.Bob&id=eq.1')).toEqual([
      { h: [{ name: 'Bob' }] },
    ])
  })

  it('is listed last among the candidates', async () => {
    await asked.change('alter table tasks add client_id integer references clients')
    const { details, hint } = await refusal('/tasks?select=client_id(name)')
    expect(details).toMatchObject([{ cardinality: 'many-to-one' }, {}])
    expect(hint).toContain("following: 'clients!tasks_client_id_fkey', . Find")
  })
})
