import { describe, expect, it } from 'vitest'
import { childrenOf, element, textOf } from '../../../../emulator/services/storage/s3/xml.ts'
import { createXmlReader } from '../../../../emulator/services/storage/s3/xml-reader.ts'

const read = (text: string, root = 'D') => {
  const reader = createXmlReader(root)
  for (const byte of Buffer.from(text)) reader.write(Uint8Array.of(byte))
  return reader.end()
}
const MALFORMED = expect.objectContaining({ code: 'MalformedXML' })

describe('the XML writer and reader', () => {
  it.each(['a<b>&"c"', 'plain', "it's", 'line\rend', 'é€😀'])(
    'write and read back %j, however the bytes are split',
    (text) => {
      expect(textOf(read(`<D>${element('Key', text)}</D>`), 'Key')).toBe(text)
    },
  )

  it('read numeric character references, CDATA and attributes', () => {
    expect(textOf(read('<D><K a="1">&#65;&#x42;&apos;<![CDATA[<&]]></K></D>'), 'K')).toBe("AB'<&")
  })

  it('find elements by the whole name, in document order', () => {
    const root = read('<D><Parts/><Part>x</Part> <Part>y</Part></D>')
    expect(childrenOf(root, 'Part').map(({ text }) => text)).toEqual(['x', 'y'])
  })

  it.each(['__proto__', 'constructor', 'toString'])('treat %s as an element name', (name) => {
    const root = read(`<D><${name}>x</${name}></D>`)
    expect([textOf(root, name), textOf(root, 'hasOwnProperty')]).toEqual(['x', undefined])
  })

  it.each([
    ['an undeclared entity', '<D>&nbsp;</D>'],
    ['a character beyond Unicode', '<D>&#x110000;</D>'],
    ['a document type', '<!DOCTYPE D><D/>'],
    ['another root', '<E/>'],
    ['two roots', '<D/><D/>'],
    ['text after the root', '<D/>x'],
    ['no root', ' '],
    ['an open end', '<D>'],
    ['101 attributes', `<D ${Array.from({ length: 101 }, (_, n) => `a${n}=""`).join(' ')}/>`],
    ['60,000 elements below its root', `<D>${'<E/>'.repeat(60_000)}</D>`],
    ['more than 2 MiB', `<D>${' '.repeat(2 * 1024 * 1024)}</D>`],
  ])('refuse XML with %s', (_name, text) => {
    const reader = createXmlReader('D')
    expect(() => {
      reader.write(Buffer.from(text))
      reader.end()
    }).toThrow(MALFORMED)
  })

  it('refuse the ninth level of elements before the rest is read', () => {
    const reader = createXmlReader('D')
    reader.write(Buffer.from(`<D>${'<E>'.repeat(7)}`))
    expect(() => reader.write(Buffer.from('<E>'))).toThrow(MALFORMED)
  })
})
