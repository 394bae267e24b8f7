// The OpenAPI document says what is mounted, decoded and answered.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageFile } from '../../../../emulator/core/package-files.ts'
import {
  BASE,
  createInspectorApp,
  type InspectorDeps,
} from '../../../../emulator/emulator-api/app.ts'
import contract from '../../../../emulator/emulator-api/openapi/contract-schemas.json' with {
  type: 'json',
}
import {
  openApiDocument,
  operationNames,
} from '../../../../emulator/emulator-api/openapi/document.ts'
import { OPERATIONS } from '../../../../emulator/emulator-api/openapi/operations.ts'
import { contractSchemas } from '../../../../scripts/contract-schemas.ts'

/** Whatever is asked of it; mounting only looks at what it needs. */
const anything: InspectorDeps = new Proxy(() => anything, {
  get: (_target, name) => (name === 'then' ? undefined : anything),
  apply: () => anything,
}) as unknown as InspectorDeps

const { routes } = createInspectorApp(anything)
const document = openApiDocument({
  version: '0',
  base: BASE,
  routes,
  operations: OPERATIONS,
  contract,
})

function referencesIn(value: unknown): readonly string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name = '']) => name)
}

describe('the OpenAPI document', () => {
  it('describes every mounted route, and none that is not', () => {
    expect(operationNames(routes, BASE).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
  })

  it('refers to nothing that it does not have', () => {
    const { components } = document as { components: { schemas: Record<string, unknown> } }
    const known = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`)
    expect(referencesIn(document).filter((name) => !known.includes(name))).toEqual([])
  })

  it('gives each operation an id of its own', () => {
    const ids = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(Object.keys(OPERATIONS).length)
  })

  it('has the answers as the contract’s types say (node scripts/build-contract-schemas.ts)', () => {
    const folder = packageFile('emulator/contract')
    const files = readdirSync(folder).map((name) => join(folder, name))
    expect(contract).toEqual(contractSchemas(files))
  })
})
