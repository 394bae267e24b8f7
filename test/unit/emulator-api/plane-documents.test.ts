// The OpenAPI documents of the planes are valid, and describe every route that faults can target.
import { describe, expect, it } from 'vitest'
import { dataDocument } from '../../../emulator/api/emulator-api/openapi/data-document.ts'
import { openApiDocument } from '../../../emulator/api/emulator-api/openapi/own-document.ts'
import { planeDocument } from '../../../emulator/api/emulator-api/openapi/plane-document.ts'
import { PLANES } from '../../../emulator/api/emulator-api/openapi/planes.ts'
import type { Addresses } from '../../../emulator/core/request-env.ts'
import { OPERATIONS } from '../../../emulator/insight/faults/operations/find-operation.ts'
import { operationsOf, problemsOf } from '../../support/openapi-document.ts'
import type { Json } from '../../support/test-emulator.ts'

const ON_HOSTS: Addresses = {
  authUrl: 'http://auth.localhost:7357',
  dataUrl: 'http://api.localhost:7357',
  storageUrl: 'http://storage.localhost:7357',
  realtimeUrl: 'ws://realtime.localhost:7357/socket',
}

/** Converts a document to the form that a client receives. */
const sent = (document: object): Json => JSON.parse(JSON.stringify(document))

const PLANE_DOCUMENTS = Object.entries(PLANES).map(
  ([name, plane]) => [name, sent(planeDocument(plane, ON_HOSTS, '1'))] as const,
)

describe('the OpenAPI document', () => {
  it.each(PLANE_DOCUMENTS)('of %s is valid', (_name, document) => {
    expect(problemsOf(document)).toEqual([])
  })

  it('of the emulator’s own API is valid', () => {
    expect(problemsOf(sent(openApiDocument('1')))).toEqual([])
  })

  it.each(Object.entries(PLANES))(
    'of %s states answers for exactly its own routes',
    (_name, { tables }) => {
      for (const { routes, answers } of tables)
        expect(Object.keys(answers).toSorted()).toEqual(Object.keys(routes).toSorted())
    },
  )

  it('has an http address for realtime, whose routes are HTTP routes', () => {
    const [, realtime] = PLANE_DOCUMENTS.find(([name]) => name === 'realtime') ?? []
    expect(realtime.servers).toEqual([{ url: 'http://realtime.localhost:7357' }])
    expect(realtime.paths['/rt/v1/token'].servers).toEqual([{ url: ON_HOSTS.authUrl }])
  })
})

it('the OpenAPI documents of the services describe every route', () => {
  const stated = PLANE_DOCUMENTS.flatMap(([, document]) =>
    operationsOf(document).map(({ method, path }) => `${method} ${path}`),
  )
  const routes = OPERATIONS.flatMap(({ service, route }) =>
    route === undefined || service === 'data' || route.path.endsWith('/')
      ? []
      : route.methods
          .filter((method) => method !== 'HEAD' || !route.methods.includes('GET'))
          .map((method) => `${method} ${templateOf(route.path)}`),
  )
  expect(stated.toSorted()).toEqual(routes.toSorted())
})

function templateOf(path: string): string {
  return path === '*' ? '/websocket' : path.replace(/\*$/, ':path').replace(/:(\w+)/g, '{$1}')
}

describe('the OpenAPI document of a data plane', () => {
  // A schema with names that are not allowed for OpenAPI components, and with a column that has the name of a parameter.
  const column = { type: 'string', format: 'text' }
  const swagger = {
    swagger: '2.0',
    info: { title: 'PostgREST API', description: 'What we lend' },
    paths: {
      '/a-b': {
        get: {
          tags: ['a-b'],
          parameters: [
            { $ref: '#/parameters/rowFilter.a-b.limit' },
            { $ref: '#/parameters/limit' },
          ],
          responses: { 200: { description: 'OK' } },
        },
        post: {
          tags: ['a-b'],
          parameters: [{ $ref: '#/parameters/body.a-b' }],
          responses: { 201: { description: 'Created' } },
        },
      },
      '/a_2d_b {x}': { get: { tags: ['x'], responses: { 200: { description: 'OK' } } } },
    },
    definitions: {
      'a-b': {
        type: 'object',
        properties: { id: column, limit: column },
        required: ['id'],
      },
      'a_2d_b {x}': { type: 'object' },
    },
    parameters: {
      limit: { name: 'limit', in: 'query', type: 'string' },
      'body.a-b': { name: 'a-b', in: 'body', schema: { $ref: '#/definitions/a-b' } },
      'rowFilter.a-b.limit': { name: 'limit', in: 'query', type: 'string' },
    },
  }
  const document = sent(dataDocument({ slug: 'shop', url: 'http://x', swagger }, '1'))

  it('is valid when table names contain characters that OpenAPI does not allow', () => {
    expect(problemsOf(document)).toEqual([])
  })

  it('keeps the parameter limit beside a column named limit', () => {
    expect(document.paths['/a-b'].get.parameters).toEqual([
      { $ref: '#/components/parameters/limit' },
    ])
  })

  it('states which columns can be null, and requires no column in a write', () => {
    const { 'a-2d-b': row, 'a-2d-b-write': write } = document.components.schemas
    expect(row).toMatchObject({
      properties: { id: { type: 'string' }, limit: { type: ['string', 'null'] } },
      required: ['id'],
    })
    expect(write.required).toBeUndefined()
  })
})
