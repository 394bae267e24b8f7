// The draft of a fault: choices, problems and the order.
import { describe, expect, it } from 'vitest'
import { faultCatalogue } from '../../../../../emulator/insight/faults/routes.ts'
import {
  ANY,
  codesOf,
  newDraft,
  orderOf,
  readDraft,
  settled,
} from '../../../../../renderer/features/faults/arm-draft.ts'
import { CATALOGUE } from './catalogue.ts'

const upload = newDraft(CATALOGUE, 'object.upload', 'Duplicate')

describe('newDraft', () => {
  it('starts with the operation and the code of the page’s address', () => {
    expect(upload).toMatchObject({ operation: 'object.upload', effect: 'error', code: 'Duplicate' })
  })

  it('targets any operation when the address names an unknown operation', () => {
    expect(newDraft(CATALOGUE, 'nothing.known', undefined).operation).toBe(ANY)
  })
})

describe('the default fault', () => {
  it('is the error that most operations document', () => {
    const { operations } = faultCatalogue()
    const draft = newDraft(faultCatalogue(), undefined, undefined)
    const met = operations.filter(({ codes }) => codes.includes(draft.code))
    expect(draft).toMatchObject({ operation: ANY, effect: 'error' })
    expect(met.length).toBeGreaterThan(operations.length * 0.9)
  })
})

describe('settled', () => {
  it('chooses an effect and a code that the operation has', () => {
    const draft = settled(CATALOGUE, { ...upload, operation: 'change.deliver' })
    expect([draft.effect, draft.code]).toEqual(['realtime_delay', ''])
  })
})

describe('codesOf', () => {
  it('offers each code once when no service is chosen', () => {
    const draft = { ...upload, operation: ANY }
    expect(codesOf(CATALOGUE, draft).map(({ code }) => code)).toEqual([
      'EntityTooLarge',
      'Duplicate',
    ])
  })
})

describe('readDraft', () => {
  it('accepts a complete draft', () => {
    expect(readDraft(CATALOGUE, upload)).toMatchObject({ kind: 'ready' })
  })

  it.each([
    [{ code: '' }, 'code'],
    [{ effect: 'latency', ms: '1.5' }, 'ms'],
    [{ effect: 'latency', jitter: 'x' }, 'jitter'],
    [{ count: '0' }, 'count'],
    [{ probability: '' }, 'probability'],
    [{ probability: '1.1' }, 'probability'],
  ] as const)('refuses %j', (change, field) => {
    expect(readDraft(CATALOGUE, { ...upload, ...change })).toEqual({
      kind: 'wrong',
      problems: { [field]: expect.any(String) },
    })
  })
})

describe('orderOf', () => {
  it('leaves out members that match everything', () => {
    const draft = { ...newDraft(CATALOGUE, undefined, 'Duplicate'), count: '' }
    expect(orderOf(CATALOGUE, draft)).toEqual({
      scope: {},
      effect: { kind: 'error', code: 'Duplicate' },
    })
  })

  it('contains callers, count and probability', () => {
    const draft = {
      ...upload,
      project: 'aurora',
      role: 'authenticated',
      subject: ' ana@patients.test ',
      effect: 'latency',
      jitter: '50',
      count: '3',
      probability: '0.5',
    } as const
    expect(orderOf(CATALOGUE, draft)).toEqual({
      scope: {
        service: 'storage',
        operation: 'object.upload',
        project: 'aurora',
        identity: { role: 'authenticated', subject: 'ana@patients.test' },
      },
      effect: { kind: 'latency', ms: 2_000, jitter_ms: 50 },
      count: 3,
      probability: 0.5,
    })
  })
})
