// The questions of `tenantry migrate new --from-changes` about renames.
import { describe, expect, it } from 'vitest'
import { settleRenames } from '../../../emulator/cli/commands/migrate/run-new.ts'
import type { GeneratedStep, StepRename } from '../../../emulator/contract/drift.ts'

const table = (from: string, to: string): StepRename => ({ kind: 'table', from, to })
const column = (from: string, to: string): StepRename => ({ kind: 'column', from, to })

const ORDERS = table('orders', 'purchases')
const NOTES = table('notes', 'remarks')
const BODY = column('remarks.body', 'remarks.text')

/** Answers the questions in order. The columns of a renamed table become candidates after the table's rename. */
async function settle(answers: readonly (string | undefined)[], given: readonly StepRename[] = []) {
  const asked: string[] = []
  const generated: (readonly StepRename[])[] = []
  const left = [...answers]
  const settled = await settleRenames(
    {
      generate: (renames) => {
        generated.push([...renames])
        const all = renames.includes(NOTES) ? [ORDERS, BODY] : [ORDERS, NOTES]
        return Promise.resolve(stepWith(all.filter((one) => !renames.includes(one))))
      },
      ask: (question) => {
        asked.push(question)
        return Promise.resolve(left.shift())
      },
    },
    given,
  )
  return { settled, asked, renames: generated.at(-1) }
}

function stepWith(candidates: readonly StepRename[]): GeneratedStep {
  return {
    sql: '',
    statements: 1,
    held_back: 0,
    destroys: [],
    not_generated: [],
    rename_candidates: [...candidates],
  }
}

describe('settleRenames', () => {
  it('asks about each candidate, and then about the columns of a table whose rename was accepted', async () => {
    const { asked, renames, settled } = await settle(['n', ' YES ', 'y'])
    expect(asked).toEqual([
      'Was the table orders renamed to purchases? [y/n] ',
      'Was the table notes renamed to remarks? [y/n] ',
      'Was the column remarks.body renamed to remarks.text? [y/n] ',
    ])
    expect(renames).toEqual([NOTES, BODY])
    expect(settled.kind).toBe('settled')
  })

  it('treats every answer other than yes as no, and does not repeat the question', async () => {
    const { asked, renames } = await settle(['', 'yesterday'])
    expect(asked).toHaveLength(2)
    expect(renames).toEqual([])
  })

  it('does not ask about renames that the caller stated', async () => {
    const { asked, renames } = await settle([], [ORDERS, NOTES, BODY])
    expect(asked).toEqual([])
    expect(renames).toEqual([ORDERS, NOTES, BODY])
  })

  it('lists the undecided candidates when a question has no answer', async () => {
    const { settled } = await settle(['n', undefined])
    expect(settled).toEqual({ kind: 'open', candidates: [NOTES] })
  })
})
