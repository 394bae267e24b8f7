// The OpenAPI document at the root describes an owner's schema. Each test checks one rule.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, openAsk } from '../open-ask.ts'

let asked: Asked

beforeAll(async () => {
  asked = await openAsk(
    `create type mood as enum ('sad', 'glad');
     create table parents (id integer primary key);
     create table shapes (
       id integer primary key references parents,
       bits bit(5),
       code varchar(7) default 'x',
       quoted text default 'say "so"',
       flag boolean default true,
       tags text[],
       feeling mood not null
     );
     comment on column shapes.code is 'a code';
     create view shapes_seen as select * from shapes;
     create function pick(a integer) returns integer language sql stable as 'select 1';
     create function pick(a integer, b mood) returns integer language sql stable as 'select 1';
     revoke execute on function pick(integer, mood) from public, anon;
     create function strewn(variadic words text[]) returns integer language sql stable as 'select 1';
     create function change() returns void language sql as ''`,
  )
})

afterAll(() => asked.close())

interface Schema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly schema?: Schema
}

interface Document {
  readonly definitions: Readonly<Record<string, Schema>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters: Parameter[] }>>>>
}

async function documentFor(role: 'anon' | 'service_role', more = {}): Promise<Document> {
  const { json } = await asked.ask('/', { role, settings: more })
  return json as Document
}

const argumentsOf = (document: Document, name: string) =>
  document.paths[`/rpc/${name}`]?.['get']?.parameters

describe('a column', () => {
  it('has a maximum length in characters or bits', async () => {
    const { properties } = (await documentFor('anon')).definitions['shapes'] ?? {}
    expect(properties).toMatchObject({
      bits: { maxLength: 5, format: 'bit' },
      code: { maxLength: 7, default: 'x', description: 'a code' },
    })
  })

  it('has a default only when the default is plain JSON', async () => {
    const { properties } = (await documentFor('anon')).definitions['shapes'] ?? {}
    expect(properties?.['flag']).toMatchObject({ default: true })
    expect(properties?.['quoted']).not.toHaveProperty('default')
  })

  it('is required unless it may be null', async () => {
    expect((await documentFor('anon')).definitions['shapes']?.required).toEqual(['id', 'feeling'])
  })

  it('names the primary key and the referenced table, also for a view', async () => {
    const { definitions } = await documentFor('anon')
    for (const name of ['shapes', 'shapes_seen'])
      expect(definitions[name]?.properties['id']).toMatchObject({
        description:
          "Note:\nThis is a Primary Key.<pk/>\nThis is a Foreign Key to `parents.id`.<fk table='parents' column='id'/>",
      })
  })

  it('names the element type of an array, and the values of an enum', async () => {
    const { properties } = (await documentFor('anon')).definitions['shapes'] ?? {}
    expect(properties).toMatchObject({
      tags: { type: 'array', items: { type: 'string' }, format: 'text[]' },
      feeling: { enum: ['sad', 'glad'], type: 'string' },
    })
  })
})

describe('a function', () => {
  it('is described by the overload with the most parameters that may be called', async () => {
    const [open, restricted] = await Promise.all([documentFor('service_role'), documentFor('anon')])
    expect(argumentsOf(restricted, 'pick')?.map(({ name }) => name)).toEqual(['a'])
    expect(argumentsOf(open, 'pick')?.map(({ name }) => name)).toEqual(['a'])
    const everything = await documentFor('anon', { openApiMode: 'ignore-privileges' })
    expect(argumentsOf(everything, 'pick')?.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('has a GET operation when it changes nothing, and always a POST operation', async () => {
    const { paths } = await documentFor('anon')
    expect(Object.keys(paths['/rpc/strewn'] ?? {})).toEqual(['get', 'post'])
    expect(Object.keys(paths['/rpc/change'] ?? {})).toEqual(['post'])
  })

  it('accepts a variadic parameter several times', async () => {
    expect(argumentsOf(await documentFor('anon'), 'strewn')).toEqual([
      {
        name: 'words',
        in: 'query',
        required: true,
        type: 'array',
        collectionFormat: 'multi',
        items: { type: 'string', format: 'text' },
      },
    ])
  })
})
