import { describe, expect, it } from 'vitest'
import type { Home, Problem } from '../../../../../emulator/contract/home.ts'
import { parseInstant } from '../../../../../renderer/api/time.ts'
import {
  countWords,
  kindsOf,
  refusedWords,
  seenWords,
  stateWords,
  sumWords,
  tenantWords,
  totalWords,
  uncheckedWords,
} from '../../../../../renderer/features/home/problem-words.ts'

const AT = '2026-11-21T10:02:00.000Z'
const LATER = '2026-11-21T10:05:00.000Z'

type Stated = Pick<Problem, 'kind' | 'where'> & { readonly state: Partial<Problem['state']> }

const said = ({ kind, state, where }: Stated): string =>
  stateWords(
    {
      kind,
      where,
      state: { is: 'gone', change: null, changed_at: null, succeeded_at: null, ...state },
    },
    parseInstant,
  )

describe('stateWords', () => {
  it.each([
    ['refusal', { is: 'happening', change: 'start', changed_at: AT }, 'Seen in the last 5 minutes'],
    ['refusal', { is: 'quiet', change: 'start', changed_at: AT }, 'Not seen in the last 5 minutes'],
    [
      'refusal',
      { change: 'structure', changed_at: AT },
      'Not seen since the structure changed at 10:02:00, but nothing called this route since',
    ],
    [
      'refusal',
      { change: 'structure', changed_at: AT, succeeded_at: LATER },
      'Not seen since the structure changed at 10:02:00, and succeeded at 10:05:00',
    ],
    [
      'finding',
      { is: 'quiet', change: 'structure', changed_at: AT },
      'Not audited since the structure changed at 10:02:00',
    ],
    ['finding', { is: 'happening' }, 'Still present'],
    ['fault', { is: 'happening' }, 'The fault is armed'],
    ['fault', { change: 'disarmed' }, 'The fault is not armed'],
  ] as const)('describes a %s with %o as: %s', (kind, state, words) => {
    expect(said({ kind, state, where: 'POST /notes' })).toBe(words)
  })

  it('names machine time when the platform clock was moved', () => {
    const state = { is: 'gone', change: 'keys', changed_at: AT, succeeded_at: null } as const
    expect(stateWords({ kind: 'refusal', where: null, state }, parseInstant, true)).toBe(
      'Not seen since the keys were replaced at 10:02:00, but nothing called these routes since, in machine time',
    )
  })

  it('says whether one of several routes was called since the change', () => {
    const state = { change: 'start', changed_at: AT } as const
    expect(said({ kind: 'refusal', state, where: null })).toBe(
      'Not seen since the emulator started at 10:02:00, but nothing called these routes since',
    )
    const succeeded = { ...state, succeeded_at: LATER }
    expect(said({ kind: 'refusal', state: succeeded, where: null })).toBe(
      'Not seen since the emulator started at 10:02:00, and one of the routes succeeded at 10:05:00',
    )
  })
})

describe('the totals of requests', () => {
  const totals = { total: 1_049, refused: 17, injected: 0, refused_by_fault: 0 }

  it('count the requests that an injected fault refused among the refused ones', () => {
    const one = { ...totals, injected: 1, refused_by_fault: 1 }
    expect(refusedWords(one)).toBe('17 of 1,049 requests refused, 1 of them by an injected fault')
    expect(totalWords(one)).toBe('1,049 requests, 17 refused, 1 of them by an injected fault')
  })

  it('name faults that did not refuse their requests separately', () => {
    const slowed = { ...totals, injected: 4 }
    expect(refusedWords(slowed)).toBe('17 of 1,049 requests refused')
    expect(totalWords(slowed)).toBe('1,049 requests, 17 refused, faults applied to 4')
    expect(totalWords({ ...slowed, refused_by_fault: 3 })).toBe(
      '1,049 requests, 17 refused, 3 of them by injected faults, faults applied to 1 other',
    )
    expect(totalWords(totals)).toBe('1,049 requests, 17 refused')
  })
})

describe('the kinds of problems', () => {
  it('begin with refusals, end with injected faults, and keep the order of their problems', () => {
    const problems = [
      { kind: 'fault', key: 'a' },
      { kind: 'slow', key: 'b' },
      { kind: 'refusal', key: 'c' },
      { kind: 'slow', key: 'd' },
    ] as const satisfies readonly Partial<Problem>[]
    expect(kindsOf(problems).map(([kind, found]) => [kind, found.map(({ key }) => key)])).toEqual([
      ['refusal', ['c']],
      ['slow', ['b', 'd']],
      ['fault', ['a']],
    ])
  })
})

describe('the texts about a problem', () => {
  it('count requests, or tenants when the problem is drift', () => {
    expect(countWords({ kind: 'refusal', count: 1 })).toBe('once')
    expect(countWords({ kind: 'refusal', count: 1_438 })).toBe('1,438 times')
    expect(countWords({ kind: 'drift', count: 2 })).toBe('2 tenants')
  })

  it('sum up the causes of a kind', () => {
    const refused = (count: number) => ({ kind: 'refusal', count }) as const
    expect(sumWords([refused(1_000), refused(6)])).toBe('1,006 requests, 2 causes')
    expect(sumWords([{ kind: 'finding', count: 3 }])).toBe('3 findings, 1 rule')
    expect(sumWords([{ kind: 'drift', count: 1 }])).toBe('1 tenant')
  })

  it('show one time when the first and the last time give the same text', () => {
    expect(seenWords(0, 60_000, 120_000)).toBe('first 2 min ago, last 1 min ago')
    expect(seenWords(60_000, 60_000, 120_000)).toBe('1 min ago')
  })

  it('name at most two tenants', () => {
    const tenants = ['a', 'b', 'c']
    expect(tenantWords({ tenants, is_tenant_claimed: false })).toBe('a, b and 1 more')
    expect(tenantWords({ tenants: ['a'], is_tenant_claimed: true })).toBe('a (claimed)')
  })

  it('say which checks have not run', () => {
    const known: Home['checks'] = { tenants: 2, audited: 2, compared: 2 }
    expect(uncheckedWords({ checks: known, is_whole: true })).toEqual([])
    expect(uncheckedWords({ checks: { ...known, audited: 0 }, is_whole: true })).toEqual([
      'Access: 0 of 2 tenants audited.',
    ])
  })
})
