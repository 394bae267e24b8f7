import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSqlParser } from '../../../emulator/database/sql-parser.ts'
import {
  type AppliedStep,
  checksumOfPart,
  compareSteps,
  conflictOf,
  pendingSteps,
} from '../../../emulator/workflow/migrations/steps/compare-steps.ts'
import {
  hasStatements,
  splitStatements,
  statementAtLine,
  statementKey,
} from '../../../emulator/workflow/migrations/steps/statements.ts'
import { checksumOf, type Step, toSteps } from '../../../emulator/workflow/migrations/steps/step.ts'
import { readStepFolder } from '../../../emulator/workflow/migrations/steps/step-files.ts'

const parser = await loadSqlParser()

function step(version: string, sql = `select ${version}`): Step {
  const [read] = toSteps([{ file: `${version}_step.sql`, sql }]).steps
  if (read === undefined) throw new Error(`${version} is no version`)
  return read
}

function ran({ checksum, name, version }: Step, change: Partial<AppliedStep> = {}): AppliedStep {
  return { version, name, checksum, applied_at: null, statements_done: null, ...change }
}

const FIRST = step('20260101000000')
const SECOND = step('20260102000000')
const THIRD = step('20260103000000')

function statesOf(steps: readonly Step[], ledger: readonly AppliedStep[]) {
  return compareSteps(steps, ledger, parser).map(({ state }) => state)
}

describe('reading migration steps', () => {
  it('orders steps by version and takes the name from the file', () => {
    const { problems, steps } = toSteps([
      { file: '20260102000000_b-two.sql', sql: 'select 2' },
      { file: '20260101000000_a_one.sql', sql: 'select 1' },
    ])
    expect(problems).toEqual([])
    expect(steps).toMatchObject([
      { version: '20260101000000', name: 'a_one', isTransactional: true },
      { version: '20260102000000', name: 'b-two', isTransactional: true },
    ])
  })

  it('gives texts the same checksum when only line ends or a byte order mark differ', () => {
    const texts = [
      'select 1;\nselect 2;\n',
      'select 1;\r\nselect 2;\r\n',
      '\uFEFFselect 1;\nselect 2;\n',
    ]
    expect(new Set(texts.map((sql) => step('20260101000000', sql).checksum)).size).toBe(1)
    expect(step('20260101000000', 'select 1; select 2;').checksum).not.toBe(
      step('20260101000000', texts[0]).checksum,
    )
  })

  it.each([
    ['-- tenantry: no-transaction\nselect 1', false],
    ['--tenantry:no-transaction  \r\nselect 1', false],
    ['select 1\n-- tenantry: no-transaction', true],
    ['-- tenantry: no-transactions\nselect 1', true],
  ])('reads the header of %j', (sql, isTransactional) => {
    expect(step('20260101000000', sql)).toMatchObject({ isTransactional })
  })

  it('reads the SQL files of a folder, without its sub-folders', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-steps-'))
    mkdirSync(join(folder, 'old.sql'))
    writeFileSync(join(folder, 'notes.md'), '')
    writeFileSync(join(folder, FIRST.file), FIRST.sql)
    expect(readStepFolder(folder)).toEqual([{ file: FIRST.file, sql: FIRST.sql }])
    rmSync(folder, { recursive: true })
  })

  it('reports other file names and a version that two files share', () => {
    const { problems, steps } = toSteps([
      { file: '20260101000000_a.sql', sql: '' },
      { file: '20260101000000_b.sql', sql: '' },
      { file: 'seed.sql', sql: '' },
    ])
    expect(steps.map(({ file }) => file)).toEqual(['20260101000000_a.sql'])
    expect(problems).toMatchObject([
      { file: '20260101000000_b.sql', message: expect.stringContaining('20260101000000_a.sql') },
      { file: 'seed.sql', message: expect.stringContaining('14 digits') },
    ])
  })
})

describe('splitting statements', () => {
  const sql = `-- é first\ncreate table a (b text default ';');\n\n/* nested /* x */ ; */\n  create function f() returns int\nlanguage sql as $$ select 1; $$;\nselect 'ü';`

  it('finds each statement with its line, without comments before it', () => {
    expect(splitStatements(parser, sql).map(({ line, text }) => [line, text])).toEqual([
      [2, "create table a (b text default ';')"],
      [5, 'create function f() returns int\nlanguage sql as $$ select 1; $$'],
      [7, "select 'ü'"],
    ])
  })

  it.each([
    ['', false],
    ['-- a\n\n/* b /* c */ ; */\n ;;\n', false],
    ['-- a\nselect 1', true],
    ['; create', true],
  ])('says whether %j has statements', (text, expected) => {
    expect(hasStatements(text)).toBe(expected)
  })

  it.each([
    ['select  A from b -- c', 'SELECT a\n\nFROM /* d */ B;', true],
    [`select 'a'`, `select 'A'`, false],
    ['select "a"', 'select "A"', false],
    ['do $$ begin end $$', 'do $$ begin  end $$', false],
    [`select e'\\n'`, `select E'\\n'`, false],
    ['select 1', 'select 10', false],
  ])('compares %j and %j as Postgres reads them', (one, other, areEqual) => {
    expect(statementKey(parser, one) === statementKey(parser, other)).toBe(areEqual)
  })

  it('finds the statement of a line', () => {
    const statements = splitStatements(parser, sql)
    expect([1, 2, 6, 7, 9].map((line) => statementAtLine(statements, line)?.line)).toEqual([
      undefined,
      2,
      5,
      7,
      7,
    ])
  })
})

describe('comparing migration steps with a ledger', () => {
  it('distinguishes applied and pending steps', () => {
    const compared = compareSteps([FIRST, SECOND], [ran(FIRST)], parser)
    expect(compared.map(({ state }) => state)).toEqual(['applied', 'pending'])
    expect(conflictOf(compared)).toBeUndefined()
    expect(pendingSteps(compared).map(({ step: pending }) => pending?.file)).toEqual([SECOND.file])
  })

  it('leaves out a step without statements that did not run', () => {
    const empty = step(FIRST.version, '-- first\n')
    expect(compareSteps([empty, SECOND], [ran(SECOND)], parser)).toMatchObject([
      { state: 'applied' },
    ])
    expect(compareSteps([empty], [ran(empty)], parser)).toMatchObject([{ state: 'applied' }])
    expect(compareSteps([empty], [ran(FIRST)], parser)).toMatchObject([{ state: 'changed' }])
  })

  it.each([
    ['changed', [step(FIRST.version, 'select 0')], [ran(FIRST)], 'migrate new'],
    ['missing', [SECOND], [ran(FIRST), ran(SECOND)], 'Restore the file'],
    ['out_of_order', [FIRST, SECOND], [ran(SECOND)], 'later timestamp'],
  ] as const)('finds a step that is %s and says what to do', (state, steps, ledger, advice) => {
    const compared = compareSteps(steps, ledger, parser)
    expect(compared[0]?.state).toBe(state)
    expect(conflictOf(compared)).toMatch(advice)
    expect(conflictOf(compared)).toContain(FIRST.version)
  })

  it('continues an interrupted step while the statements that ran are the same', () => {
    const sql = '-- tenantry: no-transaction\nselect 1;\nselect 2;\nselect 3'
    const interrupted = step(THIRD.version, sql)
    const checksum = checksumOfPart(parser, interrupted, 2) ?? ''
    const ledger = [ran(interrupted, { checksum, statements_done: 2 })]
    expect(checksum).toBe(checksumOf(sql.slice(0, sql.indexOf(';\nselect 3'))))
    expect(statesOf([interrupted], ledger)).toEqual(['interrupted'])
    expect(statesOf([step(THIRD.version, sql.replace('3', '4'))], ledger)).toEqual(['interrupted'])
    expect(statesOf([step(THIRD.version, sql.replace('2', '4'))], ledger)).toEqual(['changed'])
    expect(conflictOf(compareSteps([step(THIRD.version, 'select 1')], ledger, parser))).toContain(
      'after 2 of its statements',
    )
  })
})
