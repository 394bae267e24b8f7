// Related rows in one request: every kind of relationship, with filters and orders (PostgREST, "Resource Embedding";
// docs/wire/data-plane.md#gate).
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'
import { RELATED_TABLES } from '../../support/related-tables.ts'

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(RELATED_TABLES)
})

const get = (path: string) => world.ask('GET', path)

async function expectRows(cases: string, rows: unknown): Promise<void> {
  const answer = await get(cases)
  expect([answer.status, answer.body]).toEqual([200, rows])
}

describe('a relationship', () => {
  it.each([
    ['many to one', '/doctors?select=clinics(name)&id=eq.1', [{ clinics: { name: 'Aurora' } }]],
    ['many to one, none there', '/doctors?select=clinics(name)&id=eq.4', [{ clinics: null }]],
    [
      'by the column',
      '/doctors?select=clinic_id(name)&id=eq.1',
      [{ clinic_id: { name: 'Aurora' } }],
    ],
    [
      'one to many',
      '/clinics?select=doctors(name)&id=eq.1',
      [{ doctors: [{ name: 'Ana' }, { name: 'Bia' }] }],
    ],
    ['one to many, none there', '/clinics?select=doctors(name)&id=eq.3', [{ doctors: [] }]],
    ['one to one', '/doctors?select=licences(number)&id=eq.1', [{ licences: { number: 'L1' } }]],
    [
      'one to one, back',
      '/licences?select=doctors(name)&number=eq.L3',
      [{ doctors: { name: 'Caio' } }],
    ],
    [
      'many to many',
      '/doctors?select=skills!doctor_skills(name)&id=eq.1',
      [{ skills: [{ name: 'heart' }, { name: 'skin' }] }],
    ],
    [
      'many to many, back',
      '/skills?select=doctors!doctor_skills(name)&id=eq.2',
      [{ doctors: [{ name: 'Ana' }] }],
    ],
    [
      'a junction and beyond',
      '/doctors?select=doctor_skills(level,skills(name))&id=eq.3',
      [{ doctor_skills: [{ level: 4, skills: { name: 'heart' } }] }],
    ],
    ['of two columns', '/visits?select=rooms(floor)&id=eq.3', [{ rooms: { floor: 0 } }]],
    [
      'of two columns, back',
      '/rooms?select=visits(id)&clinic_id=eq.1&number=eq.10',
      [{ visits: [{ id: 1 }, { id: 4 }] }],
    ],
    ['to itself, up', '/doctors?select=chief:chief_id(name)&id=eq.2', [{ chief: { name: 'Ana' } }]],
    [
      'to itself, down',
      '/doctors?select=team:doctors!chief_id(name)&id=eq.1',
      [{ team: [{ name: 'Bia' }, { name: 'Caio' }] }],
    ],
    [
      'by the constraint',
      '/parcels?select=from:addresses!sent_from(street)',
      [{ from: { street: 'North St' } }],
    ],
    [
      'twice, aliased',
      '/parcels?select=a:addresses!sent_from(id),b:addresses!receiver_id(id)',
      [{ a: { id: 1 }, b: { id: 2 } }],
    ],
    [
      'of a view',
      '/staff?select=name,clinics(name)&id=eq.3',
      [{ name: 'Caio', clinics: { name: 'Boavista' } }],
    ],
    ['to a view', '/clinics?select=staff(name)&id=eq.2', [{ staff: [{ name: 'Caio' }] }]],
    ['between views', '/staff?select=places(title)&id=eq.1', [{ places: { title: 'Aurora' } }]],
    [
      'many to many through a view',
      '/doctors?select=skills!abilities(name)&id=eq.3',
      [{ skills: [{ name: 'heart' }] }],
    ],
    ['computed, one row', '/doctors?select=first_visit(id)&id=eq.1', [{ first_visit: { id: 1 } }]],
    [
      'computed, many',
      '/doctors?select=dear_visits(id,rooms(floor))&id=eq.1',
      [{ dear_visits: [{ id: 2, rooms: { floor: 1 } }] }],
    ],
    [
      'four levels deep',
      '/clinics?select=doctors(visits(rooms(clinics(name))))&id=eq.2',
      [{ doctors: [{ visits: [{ rooms: { clinics: { name: 'Boavista' } } }] }] }],
    ],
    ['without its columns', '/clinics?select=name,doctors()&id=eq.1', [{ name: 'Aurora' }]],
  ])('can be embedded: %s', (_name, path, rows) => expectRows(path, rows))
})

describe('embedded rows', () => {
  it.each([
    [
      'are filtered, parents stay',
      '/clinics?select=id,doctors(id)&doctors.fee=gt.60&order=id&limit=2',
      [
        { id: 1, doctors: [{ id: 1 }] },
        { id: 2, doctors: [{ id: 3 }] },
      ],
    ],
    [
      'inner take parents away',
      '/clinics?select=id,doctors!inner(id)&doctors.fee=gt.90',
      [{ id: 1, doctors: [{ id: 1 }] }],
    ],
    [
      'inner at two levels',
      '/clinics?select=id,doctors!inner(visits!inner(id))&doctors.visits.cost=gt.70',
      [{ id: 1, doctors: [{ visits: [{ id: 2 }] }] }],
    ],
    [
      'left keep them',
      '/doctors?select=id,licences!left(number)&order=id&offset=2',
      [
        { id: 3, licences: { number: 'L3' } },
        { id: 4, licences: null },
      ],
    ],
    [
      'ordered and bounded',
      '/clinics?select=doctors(name)&id=eq.1&doctors.order=name.desc&doctors.limit=1',
      [{ doctors: [{ name: 'Bia' }] }],
    ],
    [
      'skipped',
      '/clinics?select=doctors(name)&id=eq.1&doctors.order=name&doctors.offset=1',
      [{ doctors: [{ name: 'Bia' }] }],
    ],
    [
      'by logic',
      '/clinics?select=doctors(id)&id=eq.1&doctors.or=(fee.gt.90,name.eq.Caio)',
      [{ doctors: [{ id: 1 }] }],
    ],
    [
      'missing choose parents',
      '/clinics?select=name,doctors()&doctors=is.null',
      [{ name: 'Empty' }],
    ],
    [
      'present choose parents',
      '/doctors?select=id,licences()&licences=not.is.null&order=id',
      [{ id: 1 }, { id: 3 }],
    ],
    [
      'in a tree with columns',
      '/doctors?select=id,licences(),clinics()&or=(licences.is.null,name.eq.Ana)&clinics=not.is.null&order=id',
      [{ id: 1 }, { id: 2 }],
    ],
    [
      'order their parents',
      '/doctors?select=id,clinics(name)&order=clinics(name).desc.nullslast,id&limit=2',
      [
        { id: 3, clinics: { name: 'Boavista' } },
        { id: 1, clinics: { name: 'Aurora' } },
      ],
    ],
    [
      'spread from one',
      '/doctors?select=name,...clinics(place:name)&id=eq.1',
      [{ name: 'Ana', place: 'Aurora' }],
    ],
    [
      'spread from many',
      '/clinics?select=name,...doctors(names:name,fees:fee)&id=eq.1',
      [{ name: 'Aurora', names: ['Ana', 'Bia'], fees: [100, 50] }],
    ],
    [
      'spread through two',
      '/visits?select=id,...doctors(...clinics(place:name))&id=eq.3',
      [{ id: 3, place: 'Boavista' }],
    ],
    [
      'of a function',
      '/visits?select=id,...rooms(floor)&rooms.floor=eq.0&rooms=not.is.null',
      [{ id: 3, floor: 0 }],
    ],
  ])('%s', (_name, path, rows) => expectRows(path, rows))
})
