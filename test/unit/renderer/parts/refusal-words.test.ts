// renderer/parts/row-edits/refusal-words.ts: the texts of the grid about a value that was not written.
import { describe, expect, it } from 'vitest'
import { changedWords, refusalWords } from '../../../../renderer/parts/row-edits/refusal-words.ts'

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

describe('changedWords', () => {
  const long = 'x'.repeat(100)
  it.each([
    ['9', '8', '“9”'],
    [null, '8', 'null'],
    ['', '8', 'an empty text'],
    ['9', null, '“9”'],
    [`${long}new`, `${long}old`, `“…${'x'.repeat(20)}new”`],
    [`new${long}`, `old${long}`, `“new${'x'.repeat(37)}…”`],
  ])('names the present value %j of a cell that had %j', (now, seen, shown) => {
    expect(changedWords(now, seen)).toBe(
      `The cell has changed since you saw it: it is now ${shown}. Your value was not written.`,
    )
  })
})
