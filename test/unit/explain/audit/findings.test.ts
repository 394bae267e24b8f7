// What the audit reports about tables, policies, functions and views, without a database.
import { beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { loadSqlParser, type SqlParser } from '../../../../emulator/database/sql-parser.ts'
import {
  type AuditCatalog,
  commentKey,
  type DefinerFunction,
} from '../../../../emulator/insight/explain/audit/audit-catalog.ts'
import { catalogFindings } from '../../../../emulator/insight/explain/audit/findings.ts'
import type { Policy, RoleAccess, SecuredTable } from '../../../../emulator/insight/tables/table.ts'

let parser: SqlParser
beforeAll(async () => {
  parser = await loadSqlParser()
})

const access = (...privileges: readonly string[]): RoleAccess => ({
  schema: true,
  bypasses: false,
  owns: false,
  privileges,
  columns: {},
})

const table = (changes: Partial<SecuredTable> = {}): SecuredTable => ({
  schemaName: trusted.schemaName('proj_a'),
  name: 'notes',
  kind: 'table',
  isClosed: false,
  hasRowSecurity: true,
  forcesRowSecurity: false,
  policyCount: 1,
  comment: null,
  columns: [],
  key: ['id'],
  foreignKeys: [],
  indexes: [],
  referencedBy: [],
  owner: 'proj_a_owner',
  securityInvoker: false,
  bypassedTables: [],
  policies: [policy()],
  access: {
    anon: access('SELECT'),
    authenticated: access('SELECT'),
    service_role: access('SELECT'),
  },
  ...changes,
})

const policy = (changes: Partial<Policy> = {}): Policy => ({
  name: 'own',
  permissive: true,
  command: 'select',
  roles: ['authenticated'],
  using: '(owner = auth.uid())',
  check: null,
  appliesTo: ['authenticated'],
  ...changes,
})

const definer = (changes: Partial<DefinerFunction> = {}): DefinerFunction => ({
  name: 'f',
  signature: 'f()',
  comment: null,
  hasSearchPath: true,
  returnsRows: false,
  canBeRead: true,
  executableByAnon: true,
  ...changes,
})

function find(tables: readonly SecuredTable[], catalog: Partial<AuditCatalog> = {}) {
  const all = { policyComments: new Map(), definerFunctions: [], ...catalog }
  return catalogFindings(parser, tables, all).map(({ evidence, finding }) => [
    finding.rule,
    finding.severity,
    evidence.kind === 'read' ? `${evidence.identity} ${evidence.relation}` : 'no request',
    finding.accepted,
  ])
}

const none = { anon: access(), authenticated: access(), service_role: access('SELECT') }
const openToAll = policy({ using: 'true', roles: ['public'], appliesTo: ['anon', 'authenticated'] })

describe('tables', () => {
  it.each<[string, Partial<SecuredTable>, readonly unknown[]]>([
    ['a table with a policy', {}, []],
    [
      'no row-level security, readable',
      { hasRowSecurity: false },
      [['row-security-missing', 'error', 'anon notes', null]],
    ],
    [
      'no row-level security, writable by users',
      { hasRowSecurity: false, access: { ...none, authenticated: access('INSERT') } },
      [['row-security-missing', 'error', 'new user notes', null]],
    ],
    ['no row-level security and no grant', { hasRowSecurity: false, access: none }, []],
    ['no policy', { policies: [] }, [['no-policy', 'warning', 'no request', null]]],
    ['no policy and no grant', { policies: [], access: none }, []],
    [
      'no policy, accepted',
      { policies: [], comment: 'tenantry: allow no-policy server only' },
      [['no-policy', 'warning', 'no request', 'server only']],
    ],
    [
      'an owner’s view',
      { kind: 'view', bypassedTables: ['x'], policies: [] },
      [['view-skips-policies', 'error', 'anon notes', null]],
    ],
    [
      'a caller’s view',
      { kind: 'view', bypassedTables: ['x'], securityInvoker: true, policies: [] },
      [],
    ],
    [
      'a materialised view',
      { kind: 'materialized_view', policies: [] },
      [['grant-to-anon', 'warning', 'anon notes', null]],
    ],
    [
      'a materialised view for users',
      {
        kind: 'materialized_view',
        policies: [],
        access: { ...none, authenticated: access('SELECT') },
      },
      [],
    ],
  ])('have the expected findings: %s', (_, changes, expected) => {
    expect(find([table(changes)])).toEqual(expected)
  })
})

describe('policies', () => {
  it.each<[string, Policy, readonly unknown[]]>([
    ['true for everybody', openToAll, [['policy-always-true', 'error', 'anon notes', null]]],
    [
      'true for users',
      policy({ using: '(1 = 1)' }),
      [['policy-always-true', 'warning', 'new user notes', null]],
    ],
    [
      'true in an OR',
      policy({ using: '((id = 1) OR true)' }),
      [['policy-always-true', 'warning', 'new user notes', null]],
    ],
    ['true for the server', policy({ using: 'true', roles: ['service_role'] }), []],
    [
      'restrictive and true',
      policy({ using: 'true', permissive: false }),
      [['no-policy', 'warning', 'no request', null]],
    ],
    [
      'a check that is true for everybody',
      policy({ using: null, check: 'true', command: 'insert', roles: ['anon'] }),
      [['policy-always-true', 'error', 'no request', null]],
    ],
  ])('have the expected findings: %s', (_, one, expected) => {
    expect(find([table({ policies: [one] })])).toEqual(expected)
  })

  it.each([
    [
      'of the policy',
      new Map([[commentKey('notes', 'own'), 'tenantry: allow policy-always-true menu']]),
      null,
    ],
    ['of the table', new Map(), 'tenantry: allow policy-always-true menu'],
  ])('have an accepted finding when a comment %s allows the rule', (_, policyComments, comment) => {
    const [finding] = find([table({ policies: [openToAll], comment })], { policyComments })
    expect(finding?.at(-1)).toBe('menu')
  })
})

describe('security-definer functions', () => {
  it.each<[string, DefinerFunction, readonly unknown[]]>([
    ['with search_path', definer(), []],
    [
      'without search_path',
      definer({ hasSearchPath: false }),
      [['definer-search-path', 'warning', 'no request', null]],
    ],
    [
      'with rows for anon',
      definer({ returnsRows: true }),
      [['grant-to-anon', 'warning', 'anon rpc/f', null]],
    ],
    [
      'with rows and arguments',
      definer({ returnsRows: true, canBeRead: false }),
      [['grant-to-anon', 'warning', 'no request', null]],
    ],
    ['with rows for users', definer({ returnsRows: true, executableByAnon: false }), []],
  ])('have the expected findings: %s', (_, one, expected) => {
    expect(find([], { definerFunctions: [one] })).toEqual(expected)
  })
})
