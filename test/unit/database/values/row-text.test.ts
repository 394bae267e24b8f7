import { describe, expect, it } from 'vitest'
import { parseArrayText, parseRecordText } from '../../../../emulator/database/values/row-text.ts'

describe('parseRecordText', () => {
  it.each([
    ['(1,x)', ['1', 'x']],
    ['(,)', [null, null]],
    ['(1,)', ['1', null]],
    ['()', [null]],
    ['("","a b")', ['', 'a b']],
    ['("a""b","c\\\\d")', ['a"b', 'c\\d']],
    ['("a,b","(c)")', ['a,b', '(c)']],
    ['("(1,""x"")",2)', ['(1,"x")', '2']],
  ])('reads %s', (text, cells) => {
    expect(parseRecordText(text)).toEqual(cells)
  })
})

describe('parseArrayText', () => {
  it.each([
    ['{}', []],
    ['{1,2}', ['1', '2']],
    ['{NULL,"NULL",""}', [null, 'NULL', '']],
    ['{"a,b","{c}","d\\"e","f\\\\g"}', ['a,b', '{c}', 'd"e', 'f\\g']],
    [
      '{{1,2},{3,NULL}}',
      [
        ['1', '2'],
        ['3', null],
      ],
    ],
    ['[0:1]={a,b}', ['a', 'b']],
  ])('reads %s', (text, elements) => {
    expect(parseArrayText(text, ',')).toEqual(elements)
  })

  it('reads an array with another delimiter', () => {
    expect(parseArrayText('{(1,1),(0,0);(2,2),(0,0)}', ';')).toEqual(['(1,1),(0,0)', '(2,2),(0,0)'])
  })
})
