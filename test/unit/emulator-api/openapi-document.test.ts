// The OpenAPI document describes exactly the mounted routes, their inputs and their answers.
import { describe, expect, it } from 'vitest'
import { createInspectorApp, type InspectorDeps } from '../../../emulator/api/emulator-api/app.ts'
import { openApiDocument } from '../../../emulator/api/emulator-api/openapi/own-document.ts'
import { BASE } from '../../../emulator/contract/operation.ts'
import { OPERATIONS } from '../../../emulator/contract/operations.ts'

/** A proxy that replaces any dependency, because mounting the routes calls none of them. */
const anything: InspectorDeps = new Proxy(() => anything, {
  get: (_target, name) => (name === 'then' ? undefined : anything),
  apply: () => anything,
}) as unknown as InspectorDeps

const document = openApiDocument('0') as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

function referencesIn(value: unknown): readonly string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name = '']) => name)
}

describe('the OpenAPI document', () => {
  it('describes every mounted route, and no other', () => {
    const mounted = createInspectorApp(anything)
      .routes.filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.slice(BASE.length)}`)
    expect(mounted.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
  })

  it('defines every schema that it refers to', () => {
    const known = Object.keys(document.components.schemas).map(
      (name) => `#/components/schemas/${name}`,
    )
    expect(referencesIn(document).filter((name) => !known.includes(name))).toEqual([])
  })

  it('names the schema of every JSON body and answer', () => {
    const starts = JSON.stringify(document.paths).matchAll(
      /"application\/json":\{"schema":\{"(\$ref|[^}]*)/g,
    )
    // Only bodies with files of rows have the type string.
    expect(new Set([...starts].map(([, start]) => start))).toEqual(
      new Set(['$ref', 'type":"string"']),
    )
  })

  it('gives each operation a unique id', () => {
    const ids = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(Object.keys(OPERATIONS).length)
  })
})
