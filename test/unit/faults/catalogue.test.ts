// The catalogue of faults contains only errors that can be injected, and all errors of the services.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAULT_KINDS } from '../../../emulator/contract/choices.ts'
import { ERROR_SOURCES } from '../../../emulator/insight/faults/errors/error-sources.ts'
import {
  findOperation,
  OPERATIONS,
} from '../../../emulator/insight/faults/operations/find-operation.ts'
import { faultCatalogue } from '../../../emulator/insight/faults/routes.ts'

describe('the fault catalogue', () => {
  it('lists every error code of every dialect in at least one operation', () => {
    const documented = new Set(
      OPERATIONS.flatMap(({ dialect, codes }) => codes.map((code) => `${dialect} ${code}`)),
    )
    const shared = new Set(
      OPERATIONS.filter(({ service }) => service === 'storage').flatMap(({ codes }) => codes),
    )
    const missing = Object.entries(ERROR_SOURCES).flatMap(([dialect, { codes }]) =>
      Object.keys(codes).filter((code) =>
        ['storage', 'tus', 's3'].includes(dialect)
          ? !shared.has(code)
          : !documented.has(`${dialect} ${code}`),
      ),
    )
    expect(missing).toEqual([])
  })

  it('describes every code that an operation documents', () => {
    const { operations, errors } = faultCatalogue()
    const known = new Set(errors.map(({ service, code }) => `${service} ${code}`))
    const unknown = operations.flatMap(({ service, codes }) =>
      codes.map((code) => `${service} ${code}`).filter((name) => !known.has(name)),
    )
    expect(unknown).toEqual([])
    expect(errors.filter(({ sentence }) => sentence === '')).toEqual([])
  })

  it('has the same codes for all routes of an operation', () => {
    const promises = new Map<string, Set<string>>()
    for (const { operation, codes, effects } of OPERATIONS) {
      const known = promises.get(operation) ?? new Set()
      promises.set(operation, known.add(JSON.stringify([codes, effects])))
    }
    const uneven = [...promises].filter(([, different]) => different.size > 1)
    expect(uneven.map(([operation]) => operation)).toEqual([])
  })

  it('finds each operation by a request to its route', () => {
    const lost = OPERATIONS.filter(({ route, operation }) => {
      if (route === undefined) return false
      const path = route.path.replace(/:\w+/g, 'x').replace(/\*$/, 'x/y')
      const found = findOperation({ door: route.door, method: route.methods[0] ?? '', path })
      return found?.operation.operation !== operation
    })
    expect(lost.map(({ operation }) => operation)).toEqual([])
  })
})

it('each fault effect has a wire test', () => {
  const texts = readdirSync('test/wire', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(`test/wire/${name}`, 'utf8'))
    .join('\n')
  expect(FAULT_KINDS.filter((kind) => !texts.includes(`kind: '${kind}'`))).toEqual([])
})
