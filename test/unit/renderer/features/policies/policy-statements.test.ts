// Statements of a policy's draft: names, roles and expressions, and the field that an error is about.
import { describe, expect, it } from 'vitest'
import {
  draftProblems,
  draftStatements,
  dropStatement,
  type PolicyDraft,
  placeOf,
  rowSecurityStatement,
} from '../../../../../renderer/features/policies/editor/policy-statements.ts'

const OWN: PolicyDraft = {
  name: 'own',
  command: 'select',
  permissive: true,
  roles: ['authenticated'],
  using: 'owner = auth.uid()',
  check: '',
}

const sqlOf = (former: PolicyDraft | undefined, draft: Partial<PolicyDraft>) =>
  draftStatements('notes', former, { ...OWN, ...draft }).sql

describe('the statements of a draft', () => {
  it('create a policy', () => {
    expect(sqlOf(undefined, {})).toBe(
      'create policy "own" on "notes"\n  for select\n  to authenticated\n  using (owner = auth.uid());',
    )
  })

  it('create a restrictive policy with both clauses', () => {
    expect(
      sqlOf(undefined, { command: 'all', permissive: false, roles: ['public'], check: 'true' }),
    ).toBe(
      'create policy "own" on "notes"\n  as restrictive\n  for all\n  to public\n  using (owner = auth.uid())\n  with check (true);',
    )
  })

  it('quote names and roles that Postgres would read differently', () => {
    const draft = { ...OWN, name: 'Ana "reads"', roles: ['Team B', 'anon', 'b"; drop table t'] }
    expect(draftStatements('My Notes', undefined, draft).sql).toContain(
      'create policy "Ana ""reads""" on "My Notes"\n  for select\n  to "Team B", anon, "b""; drop table t"',
    )
    expect(dropStatement('My "Notes"', 'a b')).toBe('drop policy "a b" on "My ""Notes""";')
    expect(rowSecurityStatement('My Notes', false)).toBe(
      'alter table "My Notes" disable row level security;',
    )
    expect(rowSecurityStatement('notes', true)).toBe(
      'alter table "notes" enable row level security;',
    )
  })

  it('leave out the clause that the command does not have', () => {
    expect(sqlOf(undefined, { command: 'insert', check: 'true' })).not.toContain('using')
    expect(sqlOf(undefined, { check: 'true' })).not.toContain('check')
  })

  it('alter only what changed', () => {
    expect(sqlOf(OWN, {})).toBe('')
    expect(sqlOf(OWN, { using: 'true' })).toBe('alter policy "own" on "notes"\n  using (true);')
    expect(sqlOf(OWN, { name: 'mine' })).toBe('alter policy "own" on "notes" rename to "mine";')
    expect(sqlOf(OWN, { name: 'mine', roles: ['anon'] })).toBe(
      'alter policy "own" on "notes" rename to "mine";\nalter policy "mine" on "notes"\n  to anon;',
    )
  })

  it('create the policy again where ALTER POLICY cannot change it', () => {
    const created = 'drop policy "own" on "notes";\ncreate policy "own" on "notes"'
    const both: PolicyDraft = { ...OWN, command: 'all', check: 'true' }
    expect(sqlOf(OWN, { command: 'update' })).toContain(created)
    expect(sqlOf(OWN, { permissive: false })).toContain(created)
    expect(sqlOf(both, { command: 'all' })).toContain(created)
  })

  it('close the parenthesis after a comment', () => {
    expect(sqlOf(undefined, { using: 'true -- everybody' })).toContain('(true -- everybody\n);')
  })
})

describe('the place of an error', () => {
  const statements = draftStatements('notes', undefined, {
    ...OWN,
    command: 'update',
    using: 'owner = oops',
    check: 'a =',
  })

  const at = (position: number | null, code = '42601', message = '') =>
    placeOf(statements, { code, message, position })

  it('is in the clause and at the offset that Postgres names', () => {
    expect(at(statements.sql.indexOf('oops') + 1)).toEqual({ clause: 'using', at: 8 })
  })

  it('is the end of the expression for an error at its parenthesis', () => {
    expect(at(statements.sql.lastIndexOf(')') + 1)).toEqual({ clause: 'check', at: 3 })
  })

  it('is where the name of the message is, when Postgres gives no position', () => {
    const unknown = 'column "oops" does not exist'
    expect(at(null, '42703', unknown)).toEqual({ clause: 'using', at: 8 })
    expect(at(null, '42883', 'function auth.oops(integer) does not exist')).toEqual({
      clause: 'using',
      at: 8,
    })
    expect(at(null, '42883', 'operator does not exist: uuid = integer')).toBeUndefined()
  })

  it('is the only clause for an error in an expression', () => {
    const only = draftStatements('notes', undefined, OWN)
    const error = { code: '42804', message: 'argument must be boolean', position: null }
    expect(placeOf(only, error)).toEqual({ clause: 'using', at: undefined })
  })

  it('is unknown elsewhere', () => {
    expect(at(1)).toBeUndefined()
    expect(at(null, '42710', 'policy "oops" for table "notes" already exists')).toBeUndefined()
  })
})

describe('the problems of a draft', () => {
  const table = { policies: [{ ...OWN, name: 'other' }, OWN] }

  it('are empty for a complete draft', () => {
    expect(draftProblems(table, OWN, OWN)).toEqual({})
  })

  it('name the fields without a value, and a name that is taken', () => {
    const empty = { ...OWN, name: ' ', roles: [], using: '' }
    expect(Object.keys(draftProblems(table, OWN, empty))).toEqual(['name', 'roles', 'using'])
    expect(draftProblems(table, OWN, { ...OWN, name: 'other' }).name).toMatch(/^The table has/)
    expect(draftProblems(table, undefined, { ...OWN, name: 'é'.repeat(32) }).name).toMatch(/63/)
    expect(draftProblems(table, undefined, { ...OWN, name: 'x', command: 'insert' })).toEqual({
      check: 'Enter a condition. Write true for every row.',
    })
  })
})
