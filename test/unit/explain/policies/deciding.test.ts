import { describe, expect, it } from 'vitest'
import type {
  ConditionLeaf,
  ConditionNode,
  TruthValue,
} from '../../../../emulator/contract/explain.ts'
import type { AskedClause } from '../../../../emulator/insight/explain/policies/clauses.ts'
import {
  decidedLeaves,
  judgeClause,
} from '../../../../emulator/insight/explain/policies/deciding.ts'
import { brief, wordsOf } from '../../../../emulator/insight/explain/policies/sentences.ts'
import { allOf, anyOf, negated } from '../../../../emulator/insight/explain/policies/truth.ts'

function leaf(text: string, value: TruthValue): ConditionNode {
  const error = value === 'error' ? 'it raised' : null
  return {
    kind: 'leaf',
    text,
    value,
    decided: false,
    operator: null,
    operands: [],
    error,
    note: null,
  }
}

function node(kind: 'and' | 'or' | 'not', ...children: ConditionNode[]): ConditionNode {
  const values = children.map(({ value }) => value)
  const value =
    kind === 'and' ? allOf(values) : kind === 'or' ? anyOf(values) : negated(values[0] ?? 'null')
  return { kind, text: kind, value, decided: false, children }
}

/** Policies with names that begin with `r_` are restrictive. */
function judge(trees: Readonly<Record<string, ConditionNode>>, known?: TruthValue) {
  const clause: AskedClause = {
    clause: 'using',
    command: 'select',
    of: 'old_row',
    policies: Object.keys(trees).map((name) => ({
      name,
      permissive: !name.startsWith('r_'),
      text: name,
    })),
  }
  const verdict = judgeClause(clause, ({ name }) => trees[name] ?? leaf('?', 'null'), known)
  return {
    verdict,
    value: verdict.value,
    decided: verdict.policies.filter(({ decided }) => decided).map(({ name }) => name),
    leaves: verdict.policies.flatMap(({ tree }) => decidedLeaves(tree)).map(({ text }) => text),
  }
}

const [t, f, n, e] = [leaf('t', 'true'), leaf('f', 'false'), leaf('n', 'null'), leaf('e', 'error')]

describe('the verdict of a clause', () => {
  it.each([
    ['needs only one permissive policy', { a: f, b: t, c: t }, 'true', ['b'], ['t']],
    ['names all refusing permissive policies', { a: f, b: n }, 'null', ['a', 'b'], ['f', 'n']],
    ['names one refusing restrictive policy', { a: t, r_b: n, r_c: f }, 'false', ['r_b'], ['n']],
    ['names the allowing restrictive policies', { a: t, r_b: t }, 'true', ['a', 'r_b'], ['t', 't']],
    ['is false without a permissive policy', { r_b: t }, 'false', [], []],
    [
      'names the first false part of AND',
      { a: node('and', t, n, f, leaf('g', 'false')) },
      'false',
      ['a'],
      ['f'],
    ],
    ['names all parts of an OR that fails', { a: node('or', f, n) }, 'null', ['a'], ['f', 'n']],
    ['names the part inside NOT', { a: node('not', node('or', f, t)) }, 'false', ['a'], ['t']],
    ['names the part that raised an error', { a: node('and', t, e) }, 'error', ['a'], ['e']],
    ['ignores an error after a false part of AND', { a: node('and', f, e) }, 'false', ['a'], ['f']],
  ] as const)('%s', (_title, trees, value, decided, leaves) => {
    expect(judge(trees)).toMatchObject({ value, decided, leaves })
  })
})

describe('the text of a verdict', () => {
  it('names the compared values', () => {
    const compared = {
      ...leaf('clinic_id = f()', 'false'),
      kind: 'leaf' as const,
      operator: '=',
      operands: [
        { text: 'clinic_id', value: '4', from: 'row' as const },
        { text: 'f()', value: '3', from: 'expression' as const },
      ],
      error: null,
      note: null,
    }
    expect(brief(compared)).toBe('clinic_id = 3 is false')
    const { verdict } = judge({ own: compared })
    expect(wordsOf('select', 'authenticated', [verdict])).toEqual({
      reason: 'hidden by own: clinic_id = 3 is false',
      sentence:
        'own lets authenticated see rows where clinic_id = f(). Here clinic_id = f() is false: clinic_id is 4, f() is 3.',
    })
  })

  it('names the policy that allows a row, or says that no policy allows it', () => {
    expect(wordsOf('select', 'anon', [judge({ a: t, r_b: t }).verdict]).reason).toBe('shown by a')
    expect(wordsOf('select', 'anon', [judge({}).verdict]).reason).toBe(
      'hidden: no policy for SELECT',
    )
  })

  it('says that a side of a comparison is null', () => {
    const compared = (operands: ConditionLeaf['operands']): ConditionLeaf => ({
      kind: 'leaf',
      text: 'author_id = me()',
      value: 'null',
      decided: true,
      operator: '=',
      operands,
      error: null,
      note: null,
    })
    const column = (value: string | null) => ({ text: 'author_id', value, from: 'row' }) as const
    const me = (value: string | null) => ({ text: 'me()', value, from: 'identity' }) as const
    expect(brief(compared([column('3'), me(null)]))).toBe(
      'me() is null, so author_id = me() is not true',
    )
    expect(brief(compared([column(null), me('3')]))).toBe(
      'author_id is null, so author_id = me() is not true',
    )
    expect(brief(compared([]))).toBe('a side of author_id = me() is null')
    expect(brief(compared([column('3'), { text: 'NULL', value: null, from: 'constant' }]))).toBe(
      'author_id = me() compares with null, which is never true',
    )
  })
})
