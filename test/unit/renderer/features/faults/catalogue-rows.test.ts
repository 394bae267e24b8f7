// The catalogue searched by route, code, status or what a code means.
import { expect, it } from 'vitest'
import { catalogueRows } from '../../../../../renderer/features/faults/catalogue-rows.ts'
import { CATALOGUE } from './catalogue.ts'

const found = (words: string, service?: string) =>
  catalogueRows(CATALOGUE, words, service).map(({ operation }) => operation)

it.each([
  ['', ['object.upload', 'change.deliver']],
  ['413', ['object.upload']],
  ['too big', ['object.upload']],
  ['post BUCKET', ['object.upload']],
  ['deliver', ['change.deliver']],
  ['upload deliver', []],
])('the fault catalogue finds operations by %j', (words, operations) => {
  expect(found(words)).toEqual(operations)
})

it('the fault catalogue can show one service only', () => {
  expect(found('', 'realtime')).toEqual(['change.deliver'])
})

it('the fault catalogue shows the code that the search found', () => {
  expect(catalogueRows(CATALOGUE, 'duplic', undefined)[0]).toMatchObject({ found: 'Duplicate' })
})

it('the fault catalogue lists only errors of an operation’s own service', () => {
  const [row] = catalogueRows(CATALOGUE, 'upload', undefined)
  expect(row?.errors.map(({ status }) => status)).toEqual([413, 409])
})
