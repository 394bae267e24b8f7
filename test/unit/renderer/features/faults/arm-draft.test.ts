// The form of a fault: what it offers, what is wrong with it, and the order it makes.
import { describe, expect, it } from 'vitest'
import {
  ANY,
  codesOf,
  newDraft,
  orderOf,
  problemsOf,
  settled,
} from '../../../../../renderer/features/faults/arm-draft.ts'
import { CATALOGUE } from './catalogue.ts'

const upload = newDraft(CATALOGUE, 'object.upload', 'Duplicate')

describe('newDraft', () => {
  it('begins with the operation and code of the address', () => {
    expect(upload).toMatchObject({ operation: 'object.upload', effect: 'error', code: 'Duplicate' })
  })

  it('meets anything when the address names no known operation', () => {
    expect(newDraft(CATALOGUE, 'nothing.known', undefined).operation).toBe(ANY)
  })
})

describe('settled', () => {
  it('takes an effect and a code that the operation knows', () => {
    const draft = settled(CATALOGUE, { ...upload, operation: 'change.deliver' })
    expect([draft.effect, draft.code]).toEqual(['realtime_delay', ''])
  })
})

describe('codesOf', () => {
  it('offers each code once where no service is chosen', () => {
    const draft = { ...upload, operation: ANY }
    expect(codesOf(CATALOGUE, draft).map(({ code }) => code)).toEqual([
      'EntityTooLarge',
      'Duplicate',
    ])
  })
})

describe('problemsOf', () => {
  it('finds none in what can be ordered', () => {
    expect(problemsOf(upload)).toEqual({})
  })

  it.each([
    [{ code: '' }, 'code'],
    [{ effect: 'latency', ms: '1.5' }, 'ms'],
    [{ effect: 'latency', jitter: 'x' }, 'jitter'],
    [{ count: '0' }, 'count'],
    [{ probability: '' }, 'probability'],
    [{ probability: '1.1' }, 'probability'],
  ] as const)('finds %j wrong', (change, field) => {
    expect(Object.keys(problemsOf({ ...upload, ...change }))).toEqual([field])
  })
})

describe('orderOf', () => {
  it('leaves out what matches anything', () => {
    const draft = { ...newDraft(CATALOGUE, undefined, 'Duplicate'), count: '' }
    expect(orderOf(CATALOGUE, draft)).toEqual({
      scope: {},
      effect: { kind: 'error', code: 'Duplicate' },
    })
  })

  it('says whom it meets, how often and how likely', () => {
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
