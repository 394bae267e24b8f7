// How the data plane describes itself to each caller: allowed methods and the document at the root (PostgREST, "OPTIONS method",
// "OpenAPI"; docs/wire/data-plane.md#gate).
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'

const SQL = `
  create table books (id int primary key, title text, price numeric(6,2));
  comment on table books is 'What can be lent';
  create table secrets (id int primary key);
  create table keyless (a int);
  create view cheap as select id, title from books where price < 10;
  create view counted as select count(*) from books;
  create function titles() returns setof text stable language sql as 'select title from books';
  create function forget() returns void language sql as '';
  revoke all on secrets from anon, authenticated;
`

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(SQL)
})

describe('OPTIONS', () => {
  it.each([
    ['/books', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['/keyless', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['/cheap', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['/counted', 'OPTIONS,GET,HEAD'],
    ['/rpc/titles', 'OPTIONS,GET,HEAD,POST'],
    ['/rpc/forget', 'OPTIONS,POST'],
    ['/', 'OPTIONS,GET,HEAD'],
  ])('for %s returns Allow: %s', async (path, allow) => {
    const answer = await world.ask('OPTIONS', path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([200, allow])
  })

  it('is refused for an unknown table', async () => {
    expect(await world.ask('OPTIONS', '/bookz')).toMatchObject({
      status: 404,
      body: { code: 'PGRST205' },
    })
  })
})

describe('the document at /', () => {
  const paths = async (token: string) => {
    const answer = await world.ask('GET', '/', { token })
    expect(answer.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8')
    return Object.keys(answer.body.paths)
  }

  it('lists a table only for a caller that may use it', async () => {
    const { anonKey, serviceRoleKey } = world.tenant
    expect(await paths(serviceRoleKey)).toEqual(
      expect.arrayContaining(['/', '/books', '/cheap', '/secrets', '/rpc/titles', '/rpc/forget']),
    )
    const open = await paths(anonKey)
    expect(open).toContain('/books')
    expect(open).not.toContain('/secrets')
    expect(open.filter((path) => path.startsWith('/auth_'))).toEqual([])
  })

  it('is OpenAPI 2 with columns, keys and comments', async () => {
    const { body } = await world.ask('GET', '/')
    expect(body.swagger).toBe('2.0')
    expect(body.definitions.books).toMatchObject({
      description: 'What can be lent',
      required: ['id'],
      type: 'object',
      properties: {
        id: {
          format: 'int32',
          type: 'integer',
          description: 'Note:\nThis is a Primary Key.<pk/>',
        },
        title: { format: 'text', type: 'string' },
      },
    })
    expect(Object.keys(body.paths['/books'])).toEqual(
      expect.arrayContaining(['get', 'post', 'patch', 'delete']),
    )
  })
})
