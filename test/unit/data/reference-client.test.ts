// The unmodified reference client against the data plane.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALICE, BOB, type ClinicHost, NORTH, openClinicHost } from './clinic-host.ts'

let host: ClinicHost
let anon: ReturnType<ClinicHost['client']>
let service: ReturnType<ClinicHost['client']>
let alice: ReturnType<ClinicHost['client']>
let bob: ReturnType<ClinicHost['client']>

beforeAll(async () => {
  host = await openClinicHost()
  const { anonKey, serviceRoleKey } = await host.keysOf(NORTH)
  anon = host.client(anonKey, anonKey, NORTH)
  service = host.client(serviceRoleKey, anonKey, NORTH)
  alice = host.client(await host.tokenOf(NORTH, ALICE), anonKey, NORTH)
  bob = host.client(await host.tokenOf(NORTH, BOB), anonKey, NORTH)
})

afterAll(() => host.engine.close())

const names = (rows: readonly { name: string }[] | null) => rows?.map(({ name }) => name)

describe('select', () => {
  it('embeds, filters inside embeds and orders', async () => {
    const { data } = await anon
      .from('clinics')
      .select('name, doctors(name)')
      .eq('doctors.name', 'Ann')
      .order('name', { ascending: false })
    expect(data).toEqual([
      { name: 'South', doctors: [] },
      { name: 'North', doctors: [{ name: 'Ann' }] },
    ])
  })

  it('reads JSON paths, casts and aliases', async () => {
    const { data } = await anon
      .from('doctors')
      .select('label:name, year:data->degree->>year, id::text')
      .eq('data->degree->>year', '1999')
    expect(data).toEqual([{ label: 'Ann', year: '1999', id: '1' }])
  })

  it('counts rows without returning them', async () => {
    const { count, data } = await anon.from('doctors').select('*', { count: 'exact', head: true })
    expect({ count, data }).toEqual({ count: 3, data: null })
  })

  it('returns one row or an error with single()', async () => {
    expect((await anon.from('clinics').select('name').eq('id', 1).single()).data).toEqual({
      name: 'North',
    })
    expect((await anon.from('clinics').select().single()).error?.code).toBe('PGRST116')
    expect((await anon.from('clinics').select().eq('id', 9).maybeSingle()).data).toBeNull()
  })

  it('throws with throwOnError', async () => {
    await expect(anon.from('nothing').select().throwOnError()).rejects.toMatchObject({
      code: 'PGRST205',
    })
  })
})

describe('filters', () => {
  const doctors = () => anon.from('doctors').select('name').order('id')

  it.each([
    ['neq', () => doctors().neq('name', 'Ann'), ['Bob', 'Cid']],
    ['gt, lte', () => doctors().gt('id', 1).lte('id', 2), ['Bob']],
    ['like', () => doctors().like('name', 'A%'), ['Ann']],
    ['ilike', () => doctors().ilike('name', '%B'), ['Bob']],
    ['likeAnyOf', () => doctors().likeAnyOf('name', ['A%', 'C%']), ['Ann', 'Cid']],
    ['is', () => doctors().is('tags', null), ['Cid']],
    ['in', () => doctors().in('name', ['Ann', 'x,y']), ['Ann']],
    ['contains an array', () => doctors().contains('tags', ['a']), ['Ann']],
    ['contains JSON', () => doctors().contains('data', { degree: { year: 2005 } }), ['Bob']],
    ['containedBy', () => doctors().containedBy('tags', ['b', 'c', 'd']), ['Bob']],
    ['overlaps', () => doctors().overlaps('tags', ['b']), ['Ann', 'Bob']],
    ['rangeLt', () => doctors().rangeLt('hours', '[12,13)'), ['Ann']],
    ['rangeAdjacent', () => doctors().rangeAdjacent('hours', '[18,20)'), ['Bob']],
    ['textSearch', () => doctors().textSearch('bio', 'fox & quick'), ['Ann']],
    ['match', () => doctors().match({ name: 'Bob', id: 2 }), ['Bob']],
    ['not', () => doctors().not('name', 'in', '(Ann,Bob)'), ['Cid']],
    ['or', () => doctors().or('name.eq.Ann,and(id.gt.2,tags.is.null)'), ['Ann', 'Cid']],
    ['filter', () => doctors().filter('id', 'gte', 3), ['Cid']],
    ['range', () => doctors().range(1, 1), ['Bob']],
  ] as const)('%s', async (_, query, expected) => {
    const { data, error } = await query()
    expect(error).toBeNull()
    expect(names(data)).toEqual(expected)
  })
})

describe('writes', () => {
  it('insert a row that policies allow to insert but not to read', async () => {
    const { status, error } = await anon.from('inbox').insert({ body: 'hello' })
    expect({ status, error }).toEqual({ status: 201, error: null })
    const shown = await anon.from('inbox').insert({ body: 'hello' }).select()
    expect(shown.error?.code).toBe('42501')
  })

  it('insert many rows with defaults, and embed the rows that they reference', async () => {
    const { data, error } = await service
      .from('doctors')
      .insert([{ name: 'Dan', clinic_id: 2 }, { name: 'Eve' }])
      .select('name, clinics(name)')
    expect(error).toBeNull()
    expect(data).toEqual([
      { name: 'Dan', clinics: { name: 'South' } },
      { name: 'Eve', clinics: null },
    ])
    await service.from('doctors').delete().in('name', ['Dan', 'Eve'])
  })

  it('upsert by key or by columns', async () => {
    const merged = await service.from('clinics').upsert({ id: 2, name: 'South 2' }).select('name')
    expect([merged.status, merged.data]).toEqual([200, [{ name: 'South 2' }]])
    const ignored = await service
      .from('clinics')
      .upsert({ id: 2, name: 'x' }, { onConflict: 'id', ignoreDuplicates: true })
      .select()
    expect(ignored.data).toEqual([])
    await service.from('clinics').update({ name: 'South' }).eq('id', 2)
  })

  it('use the defaults of missing columns', async () => {
    const { data } = await service
      .from('clinics')
      .insert([{ id: 7, name: 'Seven' }], { defaultToNull: false })
      .select('opened')
    expect(data).toEqual([{ opened: '2001-02-03' }])
    expect((await service.from('clinics').delete({ count: 'exact' }).eq('id', 7)).count).toBe(1)
  })

  it('are rolled back with rollback()', async () => {
    const { data } = await service.from('clinics').delete().eq('id', 9).select().rollback()
    expect(data).toEqual([])
    await service.from('clinics').insert({ id: 8, name: 'Eight' }).rollback()
    expect((await service.from('clinics').select().eq('id', 8)).data).toEqual([])
  })

  it('are refused when they exceed max-affected', async () => {
    const { error } = await service
      .from('clinics')
      .update({ name: 'x' })
      .gt('id', 0)
      .setHeader('Prefer', 'handling=strict, max-affected=1')
    expect(error?.code).toBe('PGRST124')
    expect((await anon.from('clinics').select().eq('name', 'x')).data).toEqual([])
  })

  it('name the duplicate key in the error', async () => {
    const { error, status } = await service.from('clinics').insert({ id: 1, name: 'again' })
    expect([status, error?.code]).toEqual([409, '23505'])
  })
})

describe('row-level security', () => {
  it('shows users their own rows, anonymous callers no rows, and the service role all rows', async () => {
    const notes = async (who: typeof anon) =>
      (await who.from('visits').select('note').order('id')).data?.map(({ note }) => note)
    expect(await notes(alice)).toEqual(['of Alice'])
    expect(await notes(bob)).toEqual(['of Bob'])
    expect(await notes(anon)).toEqual([])
    expect(await notes(service)).toEqual(['of Alice', 'of Bob'])
  })

  it('refuses rows a user may not write', async () => {
    const { error, status } = await alice.from('visits').insert({ owner: BOB, note: 'forged' })
    expect([status, error?.code]).toEqual([403, '42501'])
  })
})

describe('rpc', () => {
  it('selects and orders the rows that a function returns', async () => {
    const { data, error } = await service
      .rpc('rename_clinic', { id: 1, name: 'North!' })
      .select('name, doctors(name)')
      .order('name', { referencedTable: 'doctors', ascending: false })
    expect(error).toBeNull()
    expect(data).toEqual([{ name: 'North!', doctors: [{ name: 'Bob' }, { name: 'Ann' }] }])
    await service.rpc('rename_clinic', { id: 1, name: 'North' })
  })

  it('calls a function with GET', async () => {
    expect((await anon.rpc('add', { a: 1, b: 1 }, { get: true })).data).toBe(2)
  })
})
