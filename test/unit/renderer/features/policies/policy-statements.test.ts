// Statements of a policy draft: names, roles and expressions, and the field that has an error.
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

describe('the SQL statements of a policy draft', () => {
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

  it('quote names and roles that Postgres would read differently without quotes', () => {
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

  it('drop and create the policy when ALTER POLICY cannot make the change', () => {
    const created = 'drop policy "own" on "notes";\ncreate policy "own" on "notes"'
    const both: PolicyDraft = { ...OWN, command: 'all', check: 'true' }
    expect(sqlOf(OWN, { command: 'update' })).toContain(created)
    expect(sqlOf(OWN, { permissive: false })).toContain(created)
    expect(sqlOf(both, { command: 'all' })).toContain(created)
  })

  it('close the parenthesis on a new line after a comment', () => {
    expect(sqlOf(undefined, { using: 'true -- everybody' })).toContain('(true -- everybody\n);')
  })
})

describe('the position of an error in a policy draft', () => {
  const statements = draftStatements('notes', undefined, {
    ...OWN,
    command: 'update',
    using: 'owner = oops',
    check: 'a =',
  })

  const at = (position: number | null, code = '42601', message = '') =>
    placeOf(statements, { code, message, position })

  it('is the clause and the offset that Postgres reports', () => {
    expect(at(statements.sql.indexOf('oops') + 1)).toEqual({ clause: 'using', at: 8 })
  })

  it('is the end of the expression for an error at the closing parenthesis', () => {
    expect(at(statements.sql.lastIndexOf(')') + 1)).toEqual({ clause: 'check', at: 3 })
  })

  it('is the place of the name in the message when Postgres reports no position', () => {
    const unknown = 'column "oops" does not exist'
    expect(at(null, '42703', unknown)).toEqual({ clause: 'using', at: 8 })
    expect(at(null, '42883', 'function auth.oops(integer) does not exist')).toEqual({
      clause: 'using',
      at: 8,
    })
    expect(at(null, '42883', 'operator does not exist: uuid = integer')).toBeUndefined()
  })

  it('is the only clause when Postgres reports neither a position nor a name', () => {
    const only = draftStatements('notes', undefined, OWN)
    const error = { code: '42804', message: 'argument must be boolean', position: null }
    expect(placeOf(only, error)).toEqual({ clause: 'using', at: undefined })
  })

  it('is unknown when the error is outside the clauses', () => {
    expect(at(1)).toBeUndefined()
    expect(at(null, '42710', 'policy "oops" for table "notes" already exists')).toBeUndefined()
  })
})

describe('the problems of a policy draft', () => {
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
