// Every filter of the unmodified reference client, with rows that it must and must not find (docs/wire/data-plane.md#gate). The
// last test lists methods of the client that no test in this folder calls, so that a new version shows missing tests.
import { readdirSync, readFileSync } from 'node:fs'
import {
  PostgrestBuilder,
  PostgrestClient,
  PostgrestFilterBuilder,
  PostgrestQueryBuilder,
  PostgrestTransformBuilder,
} from '@supabase/postgrest-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'
import type { Json } from '../../support/test-emulator.ts'

const SQL = `
  create table books (
    id int primary key, title text, pages int, price numeric, is_sold boolean, shelf text,
    tags text[], facts jsonb, lent int4range, blurb text, words tsvector
  );
  create table copies (id int primary key, book_id int references books, state text, grade int);
  insert into books values
    (1, 'Alpha', 100, 9.50, true, 'A', '{red,blue}', '{"lang":"en","size":{"h":20}}', '[1,10)', 'The fat cats ate the rats', to_tsvector('english', 'The fat cats ate the rats')),
    (2, 'beta', 200, 12, false, 'A', '{red}', '{"lang":"pt","size":{"h":25}}', '[10,20)', 'O gato viu as impossíveis gatas', to_tsvector('portuguese', 'O gato viu as impossíveis gatas')),
    (3, 'Gamma, "ray"', 300, null, null, null, '{}', null, '[30,40)', 'rats and cats', to_tsvector('english', 'rats and cats')),
    (4, 'a.b:c (d)', 400, 7, true, 'B', null, '[1,2,3]', 'empty', null, null);
  insert into copies values (1, 1, 'new', 5), (2, 1, 'worn', 2), (3, 2, 'worn', 1), (4, 3, null, null);
`

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(SQL)
})

type Filtered = PromiseLike<{ data: Json; error: Json }>
type Query = ReturnType<typeof books>

const books = () => world.server.from('books').select('id').order('id')

async function found(filtered: Filtered): Promise<number[]> {
  const { data, error } = await filtered
  expect(error).toBeNull()
  return data.map(({ id }: { id: number }) => id)
}

const CASES: readonly (readonly [string, (books: Query) => Filtered, readonly number[]])[] = [
  ['eq of a text', (b) => b.eq('title', 'Alpha'), [1]],
  ['eq of signs the grammar uses', (b) => b.eq('title', 'a.b:c (d)'), [4]],
  ['eq of a comma and quotes', (b) => b.eq('title', 'Gamma, "ray"'), [3]],
  ['eq on a JSON path', (b) => b.eq('facts->>lang', 'pt'), [2]],
  ['eq on a deep JSON path', (b) => b.eq('facts->size->>h', '20'), [1]],
  ['neq, which NULL does not answer', (b) => b.neq('shelf', 'A'), [4]],
  ['gt', (b) => b.gt('pages', 200), [3, 4]],
  ['gte', (b) => b.gte('pages', 200), [2, 3, 4]],
  ['lt', (b) => b.lt('price', 9.5), [4]],
  ['lte', (b) => b.lte('price', 9.5), [1, 4]],
  ['several filters at once', (b) => b.gt('pages', 100).lt('pages', 400), [2, 3]],
  ['like with %', (b) => b.like('title', '%a'), [1, 2]],
  ['like with *', (b) => b.like('title', '*lph*'), [1]],
  ['likeAllOf', (b) => b.likeAllOf('title', ['%a%', '%l%']), [1]],
  ['likeAnyOf', (b) => b.likeAnyOf('title', ['Al%', 'be%']), [1, 2]],
  ['ilike', (b) => b.ilike('title', 'A%'), [1, 4]],
  ['ilikeAllOf', (b) => b.ilikeAllOf('title', ['A%', '%PH%']), [1]],
  ['ilikeAnyOf', (b) => b.ilikeAnyOf('title', ['AL%', 'BE%']), [1, 2]],
  ['regexMatch', (b) => b.regexMatch('title', '^[A-G]'), [1, 3]],
  ['regexIMatch', (b) => b.regexIMatch('title', '^[b-g]'), [2, 3]],
  ['is true', (b) => b.is('is_sold', true), [1, 4]],
  ['is false', (b) => b.is('is_sold', false), [2]],
  ['is null', (b) => b.is('is_sold', null), [3]],
  ['isDistinct, which NULL answers', (b) => b.isDistinct('shelf', 'A'), [3, 4]],
  ['in', (b) => b.in('id', [1, 4, 9]), [1, 4]],
  ['in with reserved signs', (b) => b.in('title', ['a.b:c (d)', 'beta', 'x,y']), [2, 4]],
  ['in of nothing', (b) => b.in('id', []), []],
  ['notIn', (b) => b.notIn('id', [1, 4]), [2, 3]],
  ['contains of an array', (b) => b.contains('tags', ['red', 'blue']), [1]],
  ['contains of JSON', (b) => b.contains('facts', { size: { h: 25 } }), [2]],
  ['contains of a range', (b) => b.contains('lent', '[12,14)'), [2]],
  ['containedBy of an array', (b) => b.containedBy('tags', ['red', 'green']), [2, 3]],
  [
    'containedBy of JSON',
    (b) => b.containedBy('facts', { lang: 'en', size: { h: 20 }, x: 1 }),
    [1],
  ],
  ['containedBy of a range', (b) => b.containedBy('lent', '[0,25)'), [1, 2, 4]],
  ['rangeGt', (b) => b.rangeGt('lent', '[1,10)'), [2, 3]],
  ['rangeGte', (b) => b.rangeGte('lent', '[10,12)'), [2, 3]],
  ['rangeLt', (b) => b.rangeLt('lent', '[30,35)'), [1, 2]],
  ['rangeLte', (b) => b.rangeLte('lent', '[10,20)'), [1, 2]],
  ['rangeAdjacent', (b) => b.rangeAdjacent('lent', '[20,30)'), [2, 3]],
  ['overlaps of an array', (b) => b.overlaps('tags', ['blue', 'green']), [1]],
  ['overlaps of a range', (b) => b.overlaps('lent', '[9,11)'), [1, 2]],
  ['textSearch', (b) => b.textSearch('words', 'fat & cat'), [1]],
  ['textSearch of a config', (b) => b.textSearch('words', 'gatas', { config: 'portuguese' }), [2]],
  ['textSearch, plain', (b) => b.textSearch('words', 'rats cats', { type: 'plain' }), [1, 3]],
  ['textSearch, phrase', (b) => b.textSearch('words', 'fat cats', { type: 'phrase' }), [1]],
  ['textSearch, websearch', (b) => b.textSearch('words', 'cats -fat', { type: 'websearch' }), [3]],
  [
    'textSearch, plain with a config, on a text column',
    (b) => b.textSearch('blurb', 'the cat', { type: 'plain', config: 'english' }),
    [1, 3],
  ],
  ['match', (b) => b.match({ shelf: 'A', is_sold: true }), [1]],
  ['not', (b) => b.not('title', 'like', '%a'), [3, 4]],
  ['not of a list', (b) => b.not('id', 'in', '(1,2)'), [3, 4]],
  ['not null', (b) => b.not('shelf', 'is', null), [1, 2, 4]],
  ['or', (b) => b.or('id.eq.1,title.eq.beta'), [1, 2]],
  [
    'or with a nested and',
    (b) => b.or('and(pages.gt.100,pages.lt.300),is_sold.not.is.null'),
    [1, 2, 4],
  ],
  [
    'or with quoted signs',
    (b) => b.or('title.eq."a.b:c (d)",title.in.("beta","Gamma, \\"ray\\"")'),
    [2, 3, 4],
  ],
  ['two ors', (b) => b.or('id.eq.1,id.eq.2').or('shelf.is.null,is_sold.is.true'), [1]],
  ['filter', (b) => b.filter('tags', 'cs', '{red}'), [1, 2]],
  ['filter with not', (b) => b.filter('id', 'not.gt', 2), [1, 2]],
]

describe('a filter of the client', () => {
  it.each(CASES)('finds the matching rows: %s', async (_name, filter, ids) => {
    expect(await found(filter(books()))).toEqual(ids)
  })

  it('on a referenced table keeps parents without a match', async () => {
    const { data } = await world.server
      .from('books')
      .select('id,copies(id)')
      .or('state.eq.new,grade.lt.2', { referencedTable: 'copies' })
      .order('id')
    expect(data).toEqual([
      { id: 1, copies: [{ id: 1 }] },
      { id: 2, copies: [{ id: 3 }] },
      { id: 3, copies: [] },
      { id: 4, copies: [] },
    ])
  })

  it('on a referenced table removes parents without a match only with !inner', async () => {
    const of = (select: string) =>
      world.server.from('books').select(select).eq('copies.state', 'worn').order('id')
    expect((await of('id,copies(id)')).data).toHaveLength(4)
    expect((await of('id,copies!inner(id)')).data).toEqual([
      { id: 1, copies: [{ id: 2 }] },
      { id: 2, copies: [{ id: 3 }] },
    ])
  })

  it('limits an update to the matching rows', async () => {
    const changed = await world.server
      .from('copies')
      .update({ grade: 9 })
      .or('state.is.null,and(state.eq.worn,grade.lt.2)')
      .select('id,grade')
    expect(changed.data).toEqual([
      { id: 3, grade: 9 },
      { id: 4, grade: 9 },
    ])
  })

  it('on an unknown column is refused with the name of the column', async () => {
    expect(await world.server.from('books').select().eq('titel', 'x')).toMatchObject({
      status: 400,
      error: { code: '42703', message: 'column books.titel does not exist' },
    })
  })
})

describe('the tests of this folder', () => {
  it('call each public method of each builder of the client', () => {
    const sources = readdirSync(import.meta.dirname)
      .map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
      .join('\n')
    const classes = [
      PostgrestClient,
      PostgrestQueryBuilder,
      PostgrestFilterBuilder,
      PostgrestTransformBuilder,
      PostgrestBuilder,
    ]
    const methods = classes.flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
    const uncalled = methods.filter(
      (name) => !INNER.has(name) && !new RegExp(`\\.${name}(<.*>)?\\(`).test(sources),
    )
    expect(methods.length).toBeGreaterThan(50)
    expect([...new Set(uncalled)]).toEqual([])
  })
})

// Methods that the client's types hide from callers, and `then`, which every `await` calls.
const INNER = new Set([
  'constructor',
  'then',
  'processResponse',
  'cloneRequestState',
  'decorateFetch',
])
