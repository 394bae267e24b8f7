import { describe, expect, it } from 'vitest'
import { Ledger } from '../../soak/mixed/ledger.ts'

const ledgerWith = async (...endings: readonly ('done' | 'refused' | 'unknown')[]) => {
  const acknowledged: string[] = []
  const ledger = new Ledger('row', (line) => acknowledged.push(line))
  for (const [place, ending] of endings.entries())
    await ledger.change('a/1', `v${place}`, () => Promise.resolve(ending))
  return { ledger, acknowledged }
}

describe('the ledger of acknowledged changes', () => {
  it('reports an acknowledged object that is lost', async () => {
    const { ledger } = await ledgerWith('done')
    expect(ledger.compare('a/', new Map())).toEqual(['row a/1 is lost, expected v0'])
  })

  it('reports an acknowledged change that is undone', async () => {
    const { ledger } = await ledgerWith('done', 'done')
    expect(ledger.compare('a/', new Map([['a/1', 'v0']]))).toEqual(['row a/1 is v0, expected v1'])
  })

  it('reports an object that no request has made', async () => {
    const { ledger } = await ledgerWith('done')
    const found = new Map([
      ['a/1', 'v0'],
      ['a/2', 'x'],
    ])
    expect(ledger.compare('a/', found)).toEqual(['row a/2 is x, expected nothing'])
  })

  it.each(['v0', 'v1'])('permits value %s while the second change has no answer', async (value) => {
    const { ledger } = await ledgerWith('done', 'unknown')
    expect(ledger.compare('a/', new Map([['a/1', value]]))).toEqual([])
    expect(ledger.certain('a/1')).toBe(value)
  })

  it('permits no other value while a change has no answer', async () => {
    const { ledger } = await ledgerWith('done', 'unknown')
    expect(ledger.compare('a/', new Map([['a/1', 'v9']]))).toEqual([
      'row a/1 is v9, expected v0 or v1',
    ])
  })

  it('keeps the earlier value when a change is refused', async () => {
    const { ledger } = await ledgerWith('done', 'refused')
    expect(ledger.compare('a/', new Map([['a/1', 'v1']]))).toEqual(['row a/1 is v1, expected v0'])
  })

  it('compares only objects below the prefix', async () => {
    const { ledger } = await ledgerWith('done')
    expect(ledger.compare('b/', new Map())).toEqual([])
  })

  it('selects no object for a change while an earlier change of the object has no answer', async () => {
    const { ledger } = await ledgerWith('done', 'unknown')
    expect(ledger.settled('a/')).toEqual([])
  })

  it('restores a copy', async () => {
    const { ledger } = await ledgerWith('done')
    const goBack = ledger.copy()
    await ledger.change('a/1', undefined, () => Promise.resolve('done'))
    goBack()
    expect(ledger.certain('a/1')).toBe('v0')
  })

  it('lists only acknowledged changes', async () => {
    const { acknowledged } = await ledgerWith('done', 'refused', 'unknown')
    expect(acknowledged).toEqual(['row a/1 = v0'])
  })
})
