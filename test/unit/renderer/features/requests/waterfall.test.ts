import { describe, expect, it } from 'vitest'
import { waterfallOf } from '../../../../../renderer/features/requests/waterfall.ts'

const stage = (name: string, millis: number, engine?: number) => ({
  name,
  duration_ms: millis,
  parts: engine === undefined ? [] : [{ name: 'engine', duration_ms: engine }],
})
const told = (stages: Parameters<typeof waterfallOf>[0]) =>
  waterfallOf(stages).bars.map(({ name, from, millis }) => [name, from, millis])

describe('waterfallOf', () => {
  it('places the stages one after another, and divides the transaction into waiting and SQL', () => {
    const stages = [
      stage('receive', 1),
      stage('jwt', 2),
      stage('transaction', 10, 7),
      stage('response', 1),
      stage('finish', 1),
    ]
    expect(told(stages)).toEqual([
      ['Receive', 0, 1],
      ['Gate', 1, 2],
      ['Wait', 3, 3],
      ['SQL', 6, 7],
      ['Render', 13, 1],
      ['Finish', 14, 1],
    ])
    expect(waterfallOf(stages).total).toBe(15)
  })

  it('labels the rest of an unfinished request “Service”, and keeps unknown names', () => {
    expect(told([stage('receive', 1), stage('other', 1), stage('finish', 4)])).toEqual([
      ['Receive', 0, 1],
      ['other', 1, 1],
      ['Service', 2, 4],
    ])
  })
})
