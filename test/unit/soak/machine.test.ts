// How far the soak's limits grow on a slow machine.
import { expect, it } from 'vitest'
import { slownessSince } from '../../soak/machine.ts'

const measured = [
  { at: 0, processor: 9, disk: 1 },
  { at: 10, processor: 2, disk: 1 },
  { at: 20, processor: 1, disk: 4 },
  { at: 30, processor: 0.5, disk: 0.1 },
]

it('is the slowest of the measurements since the start and the last one before it', () => {
  expect(slownessSince(15, measured)).toBe(4)
  expect(slownessSince(5, measured)).toBe(9)
  expect(slownessSince(30, measured)).toBe(4)
})

it('is the last measurement when no later one exists', () => {
  expect(slownessSince(40, measured.slice(0, 3))).toBe(4)
})

it('is 1 on a faster machine, and limited on a very slow one', () => {
  expect(slownessSince(31, measured)).toBe(1)
  expect(slownessSince(0, [{ at: 0, processor: 900, disk: 1 }])).toBe(30)
})
