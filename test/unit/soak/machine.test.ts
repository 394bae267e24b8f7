// How much the time limits of the soak grow on a slow machine.
import { expect, it } from 'vitest'
import { slownessSince } from '../../soak/machine.ts'

const measured = [
  { at: 0, processor: 9, disk: 1 },
  { at: 10, processor: 2, disk: 1 },
  { at: 20, processor: 1, disk: 4 },
  { at: 30, processor: 0.5, disk: 0.1 },
]

it('the slowness is the maximum since a start, including the last measurement before the start', () => {
  expect(slownessSince(15, measured)).toBe(4)
  expect(slownessSince(5, measured)).toBe(9)
  expect(slownessSince(30, measured)).toBe(4)
})

it('the slowness is the last measurement when no later measurement exists', () => {
  expect(slownessSince(40, measured.slice(0, 3))).toBe(4)
})

it('the slowness is 1 on a faster machine, and at most 30 on a very slow machine', () => {
  expect(slownessSince(31, measured)).toBe(1)
  expect(slownessSince(0, [{ at: 0, processor: 900, disk: 1 }])).toBe(30)
})
