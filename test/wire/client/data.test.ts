// Data requests, and storage and realtime credentials, of the client library with a real emulator (docs/wire/data-plane.md#gate).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD } from '../../support/auth-world.ts'
import { createDevice } from '../../support/client-device.ts'
import { type ClientWorld, startClientWorld, whileTimePasses } from '../../support/client-world.ts'

let world: ClientWorld
beforeAll(async () => {
  world = await startClientWorld()
  await world.execute(`
    create table notes (
      id serial primary key, owner uuid default auth.uid(), text text unique, tags text[] default '{}', stars int default 0
    );
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    create table letters (id serial primary key, text text);
    alter table letters enable row level security;
    create policy write on letters for insert to anon with check (true);
    grant insert on letters to anon;
    create table perks (name text);
    insert into perks values ('lounge');
    alter table perks enable row level security;
    create policy gold on perks for select to authenticated using (auth.jwt() -> 'user_metadata' ->> 'plan' = 'gold');
    create function add(a int, b int) returns int language sql as 'select a + b';
  `)
})
afterAll(() => world[Symbol.asyncDispose]())

async function signedUp() {
  const client = world.open(createDevice(), { autoRefreshToken: false })
  const { data } = await client.auth.signUp({ email: world.freshEmail(), password: PASSWORD })
  return { client, session: data.session }
}

it('reads and writes the user’s own rows, and returns written rows only after select()', async () => {
  const { client } = await signedUp()
  const written = await client.from('notes').insert([{ text: 'a' }, { text: 'b' }])
  expect([written.error, written.data, written.status]).toEqual([null, null, 201])
  const added = await client.from('notes').insert({ text: 'c', stars: 3 }).select('text').single()
  expect(added.data).toEqual({ text: 'c' })
  const read = await client.from('notes').select('text').gte('stars', 0).not('text', 'eq', 'b')
  expect(read.data).toEqual([{ text: 'a' }, { text: 'c' }])
  expect((await world.open().from('notes').select()).data).toEqual([])
})

it('allows the documented chains of calls', async () => {
  const { client } = await signedUp()
  const notes = () => client.from('notes')
  await notes().insert([
    { text: 'red apple', tags: ['x', 'y'] },
    { text: 'green pear', tags: ['y'] },
  ])
  const upserted = notes().upsert({ text: 'red apple', stars: 5 }, { onConflict: 'text' })
  expect((await upserted.select('stars')).data).toEqual([{ stars: 5 }])
  const counted = await notes().select('*', { count: 'exact', head: true })
  expect([counted.count, counted.data]).toEqual([2, null])
  const texts = async (query: PromiseLike<{ data: { text: string }[] | null }>) =>
    (await query).data?.map(({ text }) => text)
  const all = () => notes().select('text').order('id')
  expect(await texts(all().or('stars.eq.5,text.eq.green pear'))).toHaveLength(2)
  expect(await texts(all().textSearch('text', 'apple'))).toEqual(['red apple'])
  expect(await texts(all().match({ stars: 5 }))).toEqual(['red apple'])
  expect(await texts(all().filter('stars', 'lt', 5))).toEqual(['green pear'])
  expect(await texts(all().contains('tags', ['x']))).toEqual(['red apple'])
  expect(await texts(all().containedBy('tags', ['y']))).toEqual(['green pear'])
  expect(await texts(all().overlaps('tags', ['y', 'z']))).toHaveLength(2)
  expect(await texts(all().range(1, 1))).toEqual(['green pear'])
  await notes().update({ stars: 1 }).eq('text', 'green pear')
  await notes().delete().eq('text', 'red apple')
  expect((await notes().select('text,stars')).data).toEqual([{ text: 'green pear', stars: 1 }])
  await expect(client.from('missing').select().throwOnError()).rejects.toMatchObject({
    code: 'PGRST205',
  })
  const aborted = await notes().select().abortSignal(AbortSignal.abort())
  expect(aborted.error?.message).toMatch(/abort/i)
})

it('inserts rows that a visitor may write but not read', async () => {
  const { error, status } = await world.open().from('letters').insert({ text: 'hello' })
  expect([error, status]).toEqual([null, 201])
})

it('calls database functions', async () => {
  expect((await world.open().rpc('add', { a: 2, b: 3 })).data).toBe(5)
})

it('evaluates policies with the user’s new metadata at once', async () => {
  const device = createDevice()
  const client = world.open(device)
  await client.auth.signUp({ email: world.freshEmail(), password: PASSWORD })
  expect((await client.from('perks').select()).data).toEqual([])
  const updating = client.auth.updateUser({ data: { plan: 'gold' } })
  expect((await whileTimePasses(device, updating)).error).toBeNull()
  expect((await client.from('perks').select()).data).toEqual([{ name: 'lounge' }])
  client.close()
})

it('returns the platform’s 401 when the session’s token has expired and was not renewed', async () => {
  const { client } = await signedUp()
  await world.advance(61 * 60)
  const { error, status } = await client.from('notes').select()
  expect([status, error?.code]).toEqual([401, 'unauthorized'])
})

it('returns a realtime token for the signed-in user', async () => {
  const { client } = await signedUp()
  const [user, visitor] = [await client.getRealtimeToken(), await world.open().getRealtimeToken()]
  expect(user.data).toMatchObject({ papel_de_origem: 'authenticated', expires_in: 3600 })
  expect(visitor.data).toMatchObject({
    papel_de_origem: 'anon',
    url: `${world.at.url.replace('http', 'ws')}/realtime/v1`,
  })
})

it('builds storage URLs from the address that the platform returns', async () => {
  const { body } = await world.at.call('POST', '/st/v1/token', { credential: world.tenant.anonKey })
  const address = world.open().storage.from('proj_shop_files').getPublicUrl('a.png')
  expect(address.data.publicUrl).toBe(`${body.url}/object/public/proj_shop_files/a.png`)
})
