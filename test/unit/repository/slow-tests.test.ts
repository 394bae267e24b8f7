import { expect, it } from 'vitest'
import { projectSums, slowestFiles } from '../../support/slow-tests.ts'

const file = (name: string, millis: number) => ({ file: name, project: 'unit', millis })

it('the list of slow tests has files of three seconds and more, slowest first', () => {
  expect(slowestFiles([file('a', 3_000), file('b', 2_999), file('c', 12_340)])).toEqual([
    '   12.3 s  unit          c',
    '    3.0 s  unit          a',
  ])
})

it('the list of slow tests has at most ten files', () => {
  const files = Array.from({ length: 12 }, (_, index) => file(`${index}`, 4_000 + index))
  expect(slowestFiles(files)).toHaveLength(10)
})

it('the sums add up the seconds of each project, slowest first', () => {
  const wire = { file: 'd', project: 'wire', millis: 9_000 }
  expect(projectSums([file('a', 3_000), wire, file('b', 2_960)])).toEqual([
    '    9.0 s  wire          1 file',
    '    6.0 s  unit          2 files',
  ])
})
