import { describe, expect, it } from 'vitest'
import { contentsOf, element, textOf } from '../../../../emulator/storage/s3/xml.ts'

describe('XML', () => {
  it.each(['a<b>&"c"', 'plain', "it's", 'line\rend'])('says %j so that it reads back', (text) => {
    expect(textOf(element('Key', text), 'Key')).toBe(text)
  })

  it('reads numbered characters and leaves unknown names alone', () => {
    expect(textOf('<K>&#65;&#x42;&apos;&nbsp;&#x110000;</K>', 'K')).toBe("AB'&nbsp;&#x110000;")
  })

  it('finds elements with attributes and by their whole name', () => {
    expect(contentsOf('<Parts/><Part a="1">x</Part><Part>y</Part>', 'Part')).toEqual(['x', 'y'])
  })
})
