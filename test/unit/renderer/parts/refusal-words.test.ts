// renderer/parts/row-edits/refusal-words.ts: the text of the grid about a value that Postgres refused.
import { describe, expect, it } from 'vitest'
import { refusalWords } from '../../../../renderer/parts/row-edits/refusal-words.ts'

const PRICE = { column: 'price', type: 'integer', value: '99999999999' }
const sql = (state: string, facts: object = {}) => ({
  state,
  details: undefined,
  column: undefined,
  constraint: undefined,
  ...facts,
})

describe('refusalWords', () => {
  it.each([
    ['22P02', {}, '“99999999999” is not a valid integer.'],
    ['22003', {}, '“99999999999” is out of range for integer.'],
    ['23502', { column: 'price' }, 'price cannot be null.'],
    [
      '23514',
      { constraint: 'price_positive' },
      'The check price_positive does not accept “99999999999”.',
    ],
    [
      '23503',
      { details: 'Key (room_id)=(9) is not present in table "rooms".' },
      'rooms has no row 9.',
    ],
    [
      '23503',
      { details: 'Key (id)=(1) is still referenced from table "notes".' },
      'Rows of notes still reference id = 1.',
    ],
    [
      '23505',
      { details: 'Key (slug)=(a, b) already exists.' },
      'Another row already has slug = a, b.',
    ],
  ])('explains SQLSTATE %s', (state, facts, words) => {
    expect(refusalWords(sql(state, facts), 'edits.0.price: ignored', PRICE)).toBe(words)
  })

  it('repeats the message of a trigger, without the path of the value', () => {
    const message = 'edits.0.changes.price: Prices change on Mondays only.'
    expect(refusalWords(sql('P0001'), message, PRICE)).toBe('Prices change on Mondays only.')
    expect(refusalWords(undefined, 'The emulator does not answer.', PRICE)).toBe(
      'The emulator does not answer.',
    )
  })

  it('shortens a long value', () => {
    const words = refusalWords(sql('22P02'), '', { ...PRICE, value: 'x'.repeat(300) })
    expect(words.length).toBeLessThan(80)
  })
})
