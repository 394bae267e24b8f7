// Limits and types of a bucket, as the form takes them.
import { expect, it } from 'vitest'
import {
  bytesOfMegabytes,
  mimeTypesOf,
} from '../../../../../renderer/features/storage/bucket-form.ts'

it.each([
  ['', null],
  ['5', 5_242_880],
  ['0.5', 524_288],
  ['-1', undefined],
  ['much', undefined],
])('reads a limit of %j megabytes', (text, bytes) => {
  expect(bytesOfMegabytes(text)).toBe(bytes)
})

it.each([
  [' ', null],
  ['image/*, application/pdf', ['image/*', 'application/pdf']],
  ['image/png\ntext/plain', ['image/png', 'text/plain']],
])('reads the types of %j', (text, types) => {
  expect(mimeTypesOf(text)).toEqual(types)
})
