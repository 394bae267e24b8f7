import { describe, expect, it } from 'vitest'
import { isLedger } from '../../../emulator/core/names.ts'
import { loadSqlParser } from '../../../emulator/database/sql-parser.ts'
import {
  ledgerAfter,
  ledgerOfRows,
  NO_LEDGER,
  recordEntry,
} from '../../../emulator/workflow/migrations/ledger/ledger.ts'
import { readLedger } from '../../../emulator/workflow/migrations/ledger/read-ledger.ts'
import { splitStatements } from '../../../emulator/workflow/migrations/steps/statements.ts'
import { type Step, toSteps } from '../../../emulator/workflow/migrations/steps/step.ts'

const parser = await loadSqlParser()
const { steps } = toSteps([
  { file: '20260101000000_first.sql', sql: 'select 1' },
  { file: '20260102000000_second.sql', sql: 'select 2' },
])
const [first, second] = steps as [Step, Step]

function whole(step: Step) {
  return { step, checksum: step.checksum, statementsDone: null, doneBefore: 0 }
}

describe('the migration ledger', () => {
  it('records an entry on one line, so that the line numbers of the step stay correct', () => {
    const text = recordEntry(NO_LEDGER, whole(first))
    expect(text).not.toContain('\n')
    expect(splitStatements(parser, text).map(({ text: each }) => each.split(' ', 3))).toEqual([
      ['create', 'table', 'if'],
      ['alter', 'table', 'tenantry_migrations'],
      ['revoke', 'all', 'on'],
      ['insert', 'into', 'tenantry_migrations'],
      ['comment', 'on', 'table'],
    ])
  })

  it('copies the entries of a clone’s table comment into rows before it adds a row', () => {
    const clone = {
      applied: ledgerAfter(NO_LEDGER, whole(first)).applied,
      source: 'comment',
    } as const
    const text = recordEntry(clone, whole(second))
    expect(splitStatements(parser, text).map(({ text: each }) => each.split(' ', 1)[0])).toEqual([
      'insert',
      'insert',
      'comment',
    ])
    expect(text).toContain(`values ('${first.version}'`)
  })

  it('is read from rows, or from the table comment when there are no rows', () => {
    const ledger = ledgerAfter(NO_LEDGER, whole(first))
    const partial = { step: second, checksum: 'a'.repeat(64), statementsDone: 3, doneBefore: 2 }
    const text = recordEntry(ledger, partial)
    const literal = /comment on table \w+ is E'([^']*)';$/.exec(text)?.[1] ?? ''
    const comment = literal.replaceAll('\\n', '\n')
    expect(ledgerOfRows([{ version: null, comment }])).toEqual({
      source: 'comment',
      applied: ledgerAfter(ledger, partial).applied,
    })
    const row = { version: '1', name: 'n', checksum: 'c', applied_at: 'x', statements_done: null }
    expect(ledgerOfRows([{ ...row, comment }])).toEqual({ source: 'rows', applied: [row] })
    expect(ledgerOfRows([{ version: null, comment: null }]).applied).toEqual([])
  })
})

describe('reading a migration ledger', () => {
  const failing = (code: string) => () =>
    Promise.resolve({ kind: 'failed', code, message: 'no', line: 1 } as const)

  it('finds no steps in a project without the ledger table', async () => {
    expect(await readLedger(failing('42P01'))).toEqual({ kind: 'read', ledger: NO_LEDGER })
  })

  it('returns every other failure', async () => {
    expect(await readLedger(failing('57014'))).toMatchObject({ kind: 'failed', code: '57014' })
  })
})

it('isLedger recognises the name of the ledger table', () => {
  expect(['tenantry_migrations', 'migrations'].map(isLedger)).toEqual([true, false])
})
